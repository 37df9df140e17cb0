import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

const entryChange = () => ({
  path: s.userPath,
  body: z.object({
    amount: s.amount('entry'),
    type: z._default(s.entryType, 'truck'),
    description: s.description,
    idempotency_key: s.idempotencyKey,
  }),
  reply: z.object({
    user_id: s.userId,
    type: s.entryType,
    new_entry_balance: z.number(),
    transaction_id: s.transactionId,
  }),
});

const byDefault =
  '`type` is `truck` by default, and so it is if its name is misspelled: what is not declared is ignored.';

export const entriesRoutes = /* @__PURE__ */ table({
  'entries/credit': {
    method: 'POST',
    path: '/users/{user_id}/entries/credit',
    summary: "Add truck or flight entries to a user's balance",
    description:
      `Each type has a balance of its own. ${byDefault} Entries are credited once for each idempotency key, which ` +
      'counts for both types, and for credits and debits alike: with another type it is ' +
      '`idempotency_key_reused`.',
    schemas: entryChange,
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem'] },
  },
  'entries/debit': {
    method: 'POST',
    path: '/users/{user_id}/entries/debit',
    summary: "Take truck or flight entries from a user's balance",
    description:
      `${byDefault} Entries are taken once for each idempotency key. A balance never goes below zero: a debit of ` +
      'more entries of a type than there are takes none, and its key stays free.',
    refuses: () => [refusals.insufficientEntries('truck')],
    schemas: entryChange,
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem'] },
  },
});
