import { readUser } from '../../../../shared/accounts/user.ts';
import { cancelSpins, restoreSpins } from '../../../../shared/actions/cancel-spins.ts';
import { freezeUser, unfreezeUser } from '../../../../shared/actions/freeze.ts';
import { accounts } from '../../../../shared/vocabulary.ts';
import { adjustUser } from '../adjust.ts';
import { command, org } from '../command.ts';
import { eraseUser } from '../erase-user.ts';
import { exportUser } from '../export-user.ts';
import { latestUsers, showHistory, showUser } from '../users.ts';

const required = { org, user: 'user id' };

const freezing = (summary: string, isFrozen: boolean) =>
  command({
    effect: 'changes',
    summary,
    required,
    requiresReason: true,
    async run({ org, user }, context) {
      await (isFrozen ? freezeUser : unfreezeUser)(org, user, context);
      return { print: { organization_id: org, user_id: user, frozen: isFrozen } };
    },
  });

const spins = (summary: string, change: typeof cancelSpins) =>
  command({
    effect: 'changes',
    summary,
    required,
    optional: { order: 'order id; all orders of the user if absent' },
    requiresReason: true,
    async run({ org, user, order }, context) {
      const cancelled = await change({ organizationId: org, userId: user, orderId: order }, context);
      const { queued_spins } = await readUser(org, user);
      return { print: { organization_id: org, user_id: user, cancelled, total_queued_spins: queued_spins } };
    },
  });

export const verbs = {
  find: command({
    effect: 'reads',
    summary:
      "Show a user's balances, plays today, queued spins and the sequence of the last event, by user id or the host's reference",
    required: { org: required.org },
    optional: { user: 'user id', reference: 'external reference' },
    run: async ({ org, ...named }, { now }) => ({ print: await showUser(org, named, now) }),
  }),
  latest: command({
    effect: 'reads',
    summary: 'List the users whose tickets changed last',
    required: { org: required.org },
    run: async ({ org }) => ({ print: { users: await latestUsers(org) } }),
  }),
  history: command({
    effect: 'reads',
    summary:
      "Show a page of a user's records, newest first, each explained; --after takes the next of the previous page",
    required,
    optional: { after: 'next', limit: '1 to 1000' },
    run: async ({ org, user, ...page }) => ({ print: await showHistory(org, user, page) }),
  }),
  freeze: freezing('Refuse all changes to a user, at once; due free spins of the user wait', true),
  unfreeze: freezing('Unfreeze a user; waiting free spins run within 15 minutes', false),
  'cancel-spins': spins('Cancel a user’s free spins that have not run yet', cancelSpins),
  'restore-spins': spins(
    'Restore cancelled free spins, which run on their day, or within 15 minutes if it has begun',
    restoreSpins,
  ),
  adjust: command({
    effect: 'changes',
    summary:
      'Credit or debit a balance of a user; with --once, repeating the same command has no further effect',
    required: { ...required, account: accounts.join('|'), amount: 'whole number, negative to debit' },
    requiresReason: true,
    optional: { once: 'text of your own' },
    run: async ({ org, user, account, amount, once }, context) => {
      const typed = { account, amount, ...(once === undefined ? {} : { once }) };
      const adjusted = await adjustUser(org, user, typed, context);
      return { print: { organization_id: org, user_id: user, account, amount: Number(amount), ...adjusted } };
    },
  }),
  export: command({
    effect: 'exports',
    summary:
      'Write a user’s stored data to a JSON file: records, orders, plays, operators’ actions, webhook calls. The file also says what it lacks',
    required,
    optional: { file: 'path; <user id>.json if absent' },
    run: async ({ org, user, file = `${user}.json` }, { now }) => ({
      print: { organization_id: org, user_id: user, ...(await exportUser(org, user, file, now)) },
    }),
  }),
  erase: command({
    effect: 'changes',
    summary:
      'Close a user’s account for good and erase all texts about the person; amounts and outcomes stay. Export first, and repeat the command until complete is true. --why is kept, so do not name the person in it',
    required,
    requiresReason: true,
    run: async ({ org, user }, context) => ({
      print: { organization_id: org, user_id: user, ...(await eraseUser(org, user, context)) },
    }),
  }),
};
