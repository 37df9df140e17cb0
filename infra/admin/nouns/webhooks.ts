import { redrive } from '../../../shared/webhooks/parked.ts';
import { command } from '../command.ts';
import { dropSecrets, replayWindow, showParked } from '../webhooks.ts';

const mostShown = 1000;

const one = { org: 'organization id', webhook: 'webhook id' };

export const verbs = {
  parked: command({
    summary: `Show the deliveries that failed for good, up to ${mostShown} of them, and leave them where they are`,
    required: {},
    async run() {
      const deliveries = await showParked(mostShown);
      return { print: { count: deliveries.length, deliveries } };
    },
  }),
  redrive: command({
    summary: 'Send all parked deliveries again, from their first attempt on; they keep their ids',
    required: {},
    run: async () => ({ print: { sent_again: await redrive() } }),
  }),
  replay: command({
    summary:
      'Tell all events of a time window again, with the ids they had; without --org, of all organizations',
    required: { from: 'time', to: 'time' },
    optional: { org: 'organization id' },
    run: async (values) => ({
      print: { from: values.from, to: values.to, records: await replayWindow(values) },
    }),
  }),
  'drop-secret': command({
    summary:
      'Drop the secrets that a webhook had before its current one at once, instead of 24 hours after a PUT replaced them',
    required: one,
    run: async ({ org, webhook }, { now }) => ({
      print: { webhook_id: webhook, dropped: await dropSecrets(org, webhook, now) },
    }),
  }),
};
