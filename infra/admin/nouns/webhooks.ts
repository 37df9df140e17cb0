import { parseInstant } from '../../../shared/time.ts';
import { Problem } from '../../local/problem.ts';
import { command } from '../command.ts';

const mostShown = 1000;

export const verbs = {
  parked: command({
    summary: `Show the deliveries that failed for good, up to ${mostShown} of them, and leave them where they are`,
    required: {},
    async run() {
      const { parkedDeliveries } = await import('../../../shared/webhooks/parked.ts');
      const parked = await parkedDeliveries(mostShown);
      // What was to be told is the customers' own, and no matter for a terminal.
      const shown = parked.map(({ body: _, ...delivery }) => delivery);
      return { print: { count: shown.length, deliveries: shown } };
    },
  }),
  redrive: command({
    summary: 'Send all parked deliveries again, from their first attempt on; they keep their ids',
    required: {},
    async run() {
      const { redrive } = await import('../../../shared/webhooks/parked.ts');
      return { print: { sent_again: await redrive() } };
    },
  }),
  replay: command({
    summary:
      'Tell all events of a time window again, with the ids they had; without --org, of all organizations',
    required: { from: 'time', to: 'time' },
    optional: { org: 'organization id' },
    async run({ from, to, org }) {
      const [start, end] = [timeOf('from', from), timeOf('to', to)];
      if (start >= end) throw new Problem('--from has to be before --to.');
      const { replay } = await import('../../../shared/webhooks/publishing.ts');
      const { allOrganizations } = await import('../../../shared/organizations/organizations.ts');
      const replayed: Record<string, number> = {};
      for (const id of org ? [org] : await allOrganizations()) {
        replayed[id] = await replay(id, start, end);
      }
      return { print: { from, to, records: replayed } };
    },
  }),
};

function timeOf(name: string, text: string): number {
  const epochMs = parseInstant(text);
  if (epochMs !== undefined) return epochMs;
  throw new Problem(`--${name} is "${text}", and must be a time such as 2026-01-31T08:00:00Z, or a date.`);
}
