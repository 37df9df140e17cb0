import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { ActionResult, ApiCall, PanelStep, ServerEvent } from '../model.ts';
import { Icon } from './icons.tsx';
import { LanguageContext } from './language.ts';
import type { MessageStep } from './messages.ts';
import { sendAction } from './server.ts';

type AnyStep = PanelStep | MessageStep;
type Props = {
  /** Steps in the panel, newest first. */
  steps: AnyStep[];
  hello: (ServerEvent & { type: 'hello' }) | undefined;
  close: () => void;
  play: (url: string) => void;
};

const keyLine = `export API_KEY=$(node -p "require('./.local/stage.json').demo.api_key")`;

/** The panel's texts are always English. */
export function Panel({ steps, hello, close, play }: Props) {
  const newest = steps.find(({ kind }) => kind === 'calls');
  return (
    <aside class="panel" lang="en" aria-label="Developer">
      <div class="panel-head">
        <h2>What the host app does</h2>
        <button type="button" class="quiet code" aria-label="Back to the app" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <p>
        Golondrina is a made-up host app on your local stage of Incentives. Its server holds the API key and
        calls the API with the <a href={`${hello?.api}/docs`}>typed client</a>. You can copy each curl line
        below and send it again; requests with a secret have none. To set the key in your terminal, run this
        line in the project folder:
      </p>
      <Code text={keyLine} name="the line that sets the key" />
      <Tools play={play} signedIn={hello?.person != null} organizationId={hello?.organization_id ?? ''} />
      <ol class="steps">
        {steps.map((step) => (
          <li key={`${step.kind} ${step.id}`}>
            <StepView step={step} isNewest={step === newest} />
          </li>
        ))}
      </ol>
    </aside>
  );
}

type ToolsProps = { play: Props['play']; signedIn: boolean; organizationId: string };

function Tools({ play, signedIn, organizationId }: ToolsProps) {
  const [drawing, setDrawing] = useState<ActionResult | 'running' | undefined>();
  const draw = async () => {
    setDrawing('running');
    setDrawing(await sendAction({ do: 'draw' }));
  };
  const lang = useContext(LanguageContext);
  const jackpot = async () => {
    const { url } = await sendAction({ do: 'jackpot', lang });
    if (url) play(url);
  };
  const forge = () =>
    fetch('/webhooks/incentives', {
      method: 'POST',
      headers: {
        'webhook-id': 'evt_forged',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${btoa('guess')}`,
      },
      body: JSON.stringify({ type: 'cash_won', data: { cash_usd: 1_000_000 } }),
    });
  return (
    <div class="tools">
      <button type="button" onClick={() => sendAction({ do: 'spin-run' })}>
        Run free spins now
      </button>
      <button type="button" disabled={!signedIn} onClick={jackpot}>
        Win the jackpot
      </button>
      <button type="button" onClick={() => sendAction({ do: 'limit', on: false })}>
        Daily limit off
      </button>
      <button type="button" onClick={() => sendAction({ do: 'limit', on: true })}>
        Daily limit on
      </button>
      <button type="button" onClick={forge}>
        Forge a webhook
      </button>
      <button type="button" disabled={drawing === 'running'} onClick={draw}>
        {drawing === 'running' ? 'Drawing…' : 'Draw the truck'}
      </button>
      {drawing && drawing !== 'running' && <Drawn result={drawing} organizationId={organizationId} />}
    </div>
  );
}

/** The result of a drawing, and how a stranger checks it. */
function Drawn({ result, organizationId }: { result: ActionResult; organizationId: string }) {
  const { drawn, refused } = result;
  if (!drawn) return <p role="status">{refused}</p>;
  const { drawing_id, winner, entrants, total_entries, root, round, closes } = drawn;
  const of = `--org ${organizationId} --stage local`;
  const commands = [
    `npm run admin -- book close ${of}`,
    `npm run admin -- book export ${closes} ${of} --out ./${drawing_id}`,
    `npm run admin -- drawing export ${drawing_id} ${of} --out ./${drawing_id}`,
    `npm run verify -- ./${drawing_id}`,
  ];
  return (
    <div role="status">
      <p>
        <b>{winner}</b> won the truck, of {entrants} users with {total_entries} entries. The list was fixed
        first (root {root?.slice(0, 12)}…), then round {round} of the beacon decided. Anybody can check it
        with the day’s book, which exists from the next day on, after 1 a.m. in New York:
      </p>
      <Code text={commands.join('\n')} name="the commands" />
    </div>
  );
}

function StepView({ step, isNewest }: { step: AnyStep; isNewest: boolean }) {
  const [isOpen, setOpen] = useState(isNewest);
  useEffect(() => setOpen(isNewest), [isNewest]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} class={step.kind}>
      <summary>
        <time dateTime={step.at}>{new Date(step.at).toTimeString().slice(0, 8)}</time>
        <span>
          {step.title}
          <small>{summaryOf(step)}</small>
        </span>
      </summary>
      {isOpen && <StepBody step={step} />}
    </details>
  );
}

function summaryOf(step: AnyStep): ComponentChildren {
  if (step.kind === 'calls') return step.calls.map(({ request }) => request).join(', ');
  if (step.kind === 'message') return 'message from the play page';
  return (
    <>
      <b class={step.isVerified ? 'good' : 'bad'}>
        {step.isVerified ? '✓ signature verified' : '✗ refused with 400'}
      </b>{' '}
      {step.note}
    </>
  );
}

function StepBody({ step }: { step: AnyStep }) {
  if (step.kind === 'calls') return step.calls.map((call, index) => <CallView key={index} call={call} />);
  if (step.kind === 'message') return <Code text={pretty(step.data)} name="the message" />;
  const headers = Object.entries(step.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Code text="await verifyWebhook({ body, headers, secret });" name="the line of TypeScript" />
      <Code text={`${headers.join('\n')}\n\n${pretty(step.payload)}`} name="the webhook" />
    </>
  );
}

function CallView({ call: { code, curl, request, status, answer } }: { call: ApiCall }) {
  return (
    <section class="call">
      <h3>
        {request} <span class={status === 200 ? 'good' : 'bad'}>{status ?? 'no response'}</span>
      </h3>
      <Code text={code} name="the line of TypeScript" />
      {curl && <Code text={curl} name="the curl line" />}
      <Code text={pretty(answer)} name="the response" />
    </section>
  );
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2) ?? '';

function Code({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div class="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users can scroll only a focusable element */}
      <pre tabIndex={0}>{text}</pre>
      <button type="button" aria-label={`Copy ${name}`} onClick={copy}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
