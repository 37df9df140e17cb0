import { useState } from 'preact/hooks';
import { RunButton, RunButtons } from '../change.tsx';
import { CommandTable } from '../command-table.tsx';
import { useCommandOutput } from '../commands.ts';
import type { PageProps } from '../context.ts';
import { Section } from '../figure.tsx';
import { ReadStatus } from '../output.tsx';
import { hrefOf } from '../route.ts';
import { Explanation } from './explain.tsx';

export function WebhooksPage({ org }: PageProps) {
  const read = useCommandOutput('webhooks', 'list', { org });
  const webhooks: { webhook_id: string }[] = read.output?.webhooks ?? [];
  return (
    <>
      <ReadStatus read={read} />
      {read.output && webhooks.length === 0 && <p class="empty">No webhooks are registered.</p>}
      {webhooks.map(({ webhook_id: webhook, ...health }) => (
        <Section
          key={webhook}
          title="Webhook"
          actions={<RunButtons noun="webhooks" preset={{ org, webhook }} changed={read.reload} />}
        >
          <Explanation key={JSON.stringify(health)} org={org} id={webhook} />
        </Section>
      ))}
      <Calls org={org} />
      <CommandTable
        noun="webhooks"
        verb="parked"
        values={{}}
        list="deliveries"
        heading="Dead-letter queue"
        empty="No failed deliveries in any organization."
      />
      <RunButton noun="webhooks" verb="replay" preset={{ org }} label="Replay events" />
    </>
  );
}

const spans = {
  'Last 5 minutes': 300_000,
  'Last hour': 3_600_000,
  'Last day': 86_400_000,
  'Last week': 7 * 86_400_000,
};

function Calls({ org }: { org: string }) {
  const [span, setSpan] = useState(spans['Last hour']);
  const [now] = useState(Date.now);
  return (
    <section class="part">
      <label class="bar">
        <span class="visually-hidden">Time</span>
        <select value={span} onChange={({ currentTarget }) => setSpan(Number(currentTarget.value))}>
          {Object.entries(spans).map(([text, ms]) => (
            <option key={text} value={ms}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <CommandTable
        key={span}
        noun="webhooks"
        verb="calls"
        values={{ org, from: new Date(now - span).toISOString() }}
        list="calls"
        heading="Calls"
        columns={[
          { name: 'timestamp', label: 'Time' },
          { name: 'event_type' },
          {
            name: 'event_id',
            show: ({ event_id }) => (
              <a href={hrefOf('explain', { org, id: String(event_id) })}>{String(event_id)}</a>
            ),
          },
          { name: 'attempt' },
          { name: 'response_status', label: 'Status' },
          { name: 'duration_ms', label: 'ms' },
          { name: 'error', grows: true },
        ]}
        reversed
        empty="No calls in this period."
      />
    </section>
  );
}
