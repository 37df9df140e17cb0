import { redriveDeliveries } from '../../../../shared/operations/send-again.ts';
import { command } from '../command.ts';
import {
  attemptsOf,
  callsBetween,
  dropSecrets,
  limitDeliveries,
  replayWindow,
  showParked,
  showWebhooks,
  switchOn,
} from '../webhooks.ts';

const mostShown = 1000;

const one = { org: 'organization id', webhook: 'webhook id' };

export const verbs = {
  list: command({
    effect: 'reads',
    summary:
      'List webhooks: since when those that fail have failed, which are behind and up to when they were told, and which are switched off; without --org, of all organizations',
    required: {},
    optional: { org: 'organization id' },
    run: async ({ org }) => ({ print: { webhooks: await showWebhooks(org) } }),
  }),
  enable: command({
    effect: 'changes',
    summary:
      'Switch a webhook on that failed for five days, as a PUT does; what it missed since it is told then',
    required: one,
    run: async ({ org, webhook }, by) => ({
      print: { webhook_id: webhook, enabled: true, failed_since: await switchOn(org, webhook, by) },
    }),
  }),
  parked: command({
    effect: 'reads',
    summary: `Show the deliveries that failed for good, up to ${mostShown} of them, and leave them where they are`,
    required: {},
    async run() {
      const deliveries = await showParked(mostShown);
      return { print: { count: deliveries.length, deliveries } };
    },
  }),
  redrive: command({
    effect: 'changes',
    summary: 'Send all parked deliveries again, from their first attempt on; they keep their ids',
    required: {},
    run: async (_, by) => ({ print: { sent_again: await redriveDeliveries(by) } }),
  }),
  replay: command({
    effect: 'changes',
    summary:
      'Tell all events of a time window again, oldest first, with the ids they had; without --to until now, without --org of all organizations, with --webhook to this one alone',
    required: { from: 'time' },
    optional: { to: 'time', org: 'organization id', webhook: 'webhook id' },
    run: async (values, by) => ({ print: await replayWindow(values, by) }),
  }),
  calls: command({
    effect: 'reads',
    summary:
      'List the calls to the webhooks of an organization in a time window, oldest first, without what they told; --after takes what the page before says is next',
    required: { org: 'organization id', from: 'time' },
    optional: { to: 'time', after: 'next', limit: '1 to 1000' },
    run: async ({ org, ...typed }, { now }) => ({ print: await callsBetween(org, typed, now) }),
  }),
  attempts: command({
    effect: 'reads',
    summary:
      'List all attempts to tell an event, oldest first; without --org, of whichever organization has it',
    required: { event: 'event id' },
    optional: { org: 'organization id' },
    async run({ event, org }, { now }) {
      const attempts = await attemptsOf(event, org, now);
      return { print: { event_id: event, count: attempts.length, attempts } };
    },
  }),
  'drop-secret': command({
    effect: 'changes',
    summary:
      'Drop the secrets that a webhook had before its current one at once, instead of 24 hours after a PUT replaced them',
    required: one,
    run: async ({ org, webhook }, by) => ({
      print: { webhook_id: webhook, dropped: await dropSecrets(org, webhook, by) },
    }),
  }),
  limit: command({
    effect: 'changes',
    summary:
      'Limit the deliveries to a webhook to so many a second, about; the others wait their turn. off ends the limit',
    required: { ...one, 'per-second': 'number or off' },
    run: async ({ org, webhook, 'per-second': typed }, by) => ({
      print: { webhook_id: webhook, per_second: (await limitDeliveries(org, webhook, typed, by)) ?? 'off' },
    }),
  }),
};
