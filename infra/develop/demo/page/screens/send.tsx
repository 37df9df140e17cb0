import { useState } from 'preact/hooks';
import {
  people,
  type RecipientId,
  recipients,
  ticketsFor,
  type UserAccount,
  usdAmounts,
} from '../../model.ts';
import { SwallowIcon } from '../icons.tsx';
import { fill, useTexts } from '../language.ts';
import { Balance, ProblemText } from '../parts.tsx';
import { sendAction } from '../server.ts';

type Props = { account: UserAccount; signOut: () => void; play: () => void };
/** The server credits tickets once per `id`, even if the user sends a transfer twice. */
type Transfer = { id: string; to: RecipientId; usd: (typeof usdAmounts)[number] };
const newTransfer = (): Transfer => ({ id: crypto.randomUUID(), to: 'mama', usd: 50 });

export function SendScreen({ account, signOut, play }: Props) {
  const { t } = useTexts();
  const [transfer, setTransfer] = useState(newTransfer);
  const [isSent, setSent] = useState(false);
  const [firstName] = people[account.person].name.split(' ');
  return (
    <div class="stack">
      <div class="row">
        <h1>{fill(t.hello, { name: firstName! })}</h1>
        <button type="button" class="link" onClick={signOut}>
          {t.signOut}
        </button>
      </div>
      <Balance account={account} />
      {isSent ? (
        <Sent
          transfer={transfer}
          play={play}
          sendMore={() => {
            setTransfer(newTransfer());
            setSent(false);
          }}
        />
      ) : (
        <Form transfer={transfer} set={setTransfer} sent={() => setSent(true)} />
      )}
    </div>
  );
}

function Form({
  transfer,
  set,
  sent,
}: {
  transfer: Transfer;
  set: (transfer: Transfer) => void;
  sent: () => void;
}) {
  const { lang, t } = useTexts();
  const [problem, setProblem] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const { id, to, usd } = transfer;
  const send = async () => {
    setBusy(true);
    const { refused } = await sendAction({ do: 'send', transfer: id, to, usd, lang });
    setBusy(false);
    setProblem(refused);
    if (!refused) sent();
  };
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h2>{t.send.title}</h2>
      <fieldset class="faces">
        <legend>{t.send.to}</legend>
        {Object.entries(recipients).map(([one, { name, country }]) => (
          <label key={one}>
            <input
              type="radio"
              name="to"
              checked={one === to}
              onChange={() => set({ ...transfer, to: one as RecipientId })}
            />
            <span class="face" aria-hidden="true">
              {name[lang][0]}
            </span>
            {name[lang]}
            <small>{country}</small>
          </label>
        ))}
      </fieldset>
      <fieldset class="chips">
        <legend>{t.send.amount}</legend>
        {usdAmounts.map((amount) => (
          <label key={amount}>
            <input
              type="radio"
              name="usd"
              checked={amount === usd}
              onChange={() => set({ ...transfer, usd: amount })}
            />
            <span>${amount}</span>
          </label>
        ))}
      </fieldset>
      <p class="earns">{fill(t.send.earns, { tickets: ticketsFor(usd) })}</p>
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? t.send.sending : fill(t.send.button, { usd: `$${usd}`, name: recipients[to].name[lang] })}
      </button>
      <p class="faint small">{t.send.free}</p>
      <ProblemText code={problem} />
    </form>
  );
}

function Sent({ transfer, play, sendMore }: { transfer: Transfer; play: () => void; sendMore: () => void }) {
  const { lang, t } = useTexts();
  const { to, usd } = transfer;
  return (
    <section class="card stack sent" role="status">
      <SwallowIcon />
      <h2>{fill(t.send.done, { usd: `$${usd}`, name: recipients[to].name[lang] })}</h2>
      <p>{fill(t.send.doneMore, { tickets: ticketsFor(usd) })}</p>
      <button type="button" class="main" onClick={play}>
        {t.send.play}
      </button>
      <button type="button" class="link" onClick={sendMore}>
        {t.send.sendMore}
      </button>
    </section>
  );
}
