import { dropReplacedSecrets, enableWebhook } from '../../../../shared/actions/change-webhook.ts';
import { readParkedDeliveries } from '../../../../shared/webhooks/parked.ts';
import { command, org } from '../command.ts';
import { listCalls, replayWindow, showWebhooks } from '../webhooks.ts';

const maxShown = 1000;

const one = { org, webhook: 'webhook id' };

export const verbs = {
  list: command({
    effect: 'reads',
    summary:
      'List webhooks with their health: failing, paused or resumed (and from when on events are missed), or off; without --org, of all organizations',
    required: {},
    optional: { org },
    run: async ({ org }) => ({ print: { webhooks: await showWebhooks(org) } }),
  }),
  enable: command({
    effect: 'changes',
    summary:
      'Switch on a webhook that failed for five days, as a PUT does; once it works, it receives the events it missed',
    required: one,
    run: async ({ org, webhook }, context) => ({
      print: { webhook_id: webhook, enabled: true, failed_since: await enableWebhook(org, webhook, context) },
    }),
  }),
  parked: command({
    effect: 'reads',
    summary: `Show up to ${maxShown} parked deliveries, whose last attempt failed, of all organizations, and leave them parked`,
    required: {},
    async run() {
      const deliveries = await readParkedDeliveries(maxShown);
      return { print: { count: deliveries.length, deliveries } };
    },
  }),
  replay: command({
    effect: 'changes',
    summary:
      'Send all events of a time window again, oldest first, under their old ids; without --to until now, without --org for all organizations, with --webhook only to this webhook',
    required: { from: 'time' },
    optional: { to: 'time', org, webhook: 'webhook id' },
    run: async (values, context) => ({ print: await replayWindow(values, context) }),
  }),
  calls: command({
    effect: 'reads',
    summary:
      'List the webhook calls of an organization in a time window, oldest first, without payloads; --after takes the next of the previous page',
    required: { org, from: 'time' },
    optional: { to: 'time', after: 'next', limit: '1 to 1000' },
    run: async ({ org, ...typed }, { now }) => ({ print: await listCalls(org, typed, now) }),
  }),
  'drop-secret': command({
    effect: 'changes',
    summary: 'Drop the replaced secrets of a webhook at once, which otherwise sign for 24 hours after a PUT',
    required: one,
    run: async ({ org, webhook }, context) => ({
      print: { webhook_id: webhook, dropped: await dropReplacedSecrets(org, webhook, context) },
    }),
  }),
};
