import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

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
    sequence: s.lastSequence,
  }),
});

const byDefault =
  '`type` defaults to `truck`, even if you misspell the name of the field, because unknown fields are ignored.';

export const entriesRoutes = /* @__PURE__ */ routeTable({
  'entries/credit': {
    method: 'POST',
    path: '/users/{user_id}/entries/credit',
    summary: "Add truck or flight entries to a user's balance",
    description:
      `Credits entries once for each idempotency key. Each type has its own balance. ${byDefault} A ` +
      'key belongs to one credit or debit of one type: a request with the same key and the other type returns ' +
      'the error `idempotency_key_reused`.',
    schemas: entryChange,
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem'] },
  },
  'entries/debit': {
    method: 'POST',
    path: '/users/{user_id}/entries/debit',
    summary: "Take truck or flight entries from a user's balance",
    description:
      `Debits entries once for each idempotency key. ${byDefault} A debit of more than the ` +
      'balance takes nothing and uses up no key.',
    refuses: () => [refusals.insufficientEntries('truck')],
    schemas: entryChange,
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem', 'DeleteItem'] },
  },
});
