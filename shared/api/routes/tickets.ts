import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { table } from './table.ts';

const ticketChange = () => ({
  path: s.userPath,
  body: z.object({
    amount: s.amount('ticket'),
    description: s.description,
    idempotency_key: s.idempotencyKey,
  }),
  reply: z.object({
    user_id: s.userId,
    new_ticket_balance: z.number(),
    transaction_id: s.transactionId,
  }),
});

export const ticketsRoutes = /* @__PURE__ */ table({
  'tickets/credit': {
    method: 'POST',
    path: '/users/{user_id}/tickets/credit',
    summary: "Add tickets to a user's balance",
    description:
      'A whole number of tickets, credited once for each idempotency key: sent again, the request ' +
      'returns its first answer and changes nothing. A key counts for credits and debits alike.',
    schemas: ticketChange,
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem'] },
  },
  'tickets/debit': {
    method: 'POST',
    path: '/users/{user_id}/tickets/debit',
    summary: "Take tickets from a user's balance",
    description:
      'A whole number of tickets, taken once for each idempotency key. A balance never goes below zero: ' +
      'a debit of more tickets than there are takes none, and its key stays free.',
    refuses: () => [refusals.insufficientTickets()],
    schemas: ticketChange,
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem'] },
  },
  'tickets/history': {
    method: 'GET',
    path: '/users/{user_id}/tickets/history',
    summary: "List a user's ticket transactions, newest first",
    description:
      'Credits, debits, costs of games and prizes. Pages go on by `next_token`, and a transaction that ' +
      'is recorded meanwhile does not shift them. A `limit` of 0 gives an empty page.',
    schemas: () => ({
      path: s.userPath,
      query: z.object({ limit: s.limit(10), next_token: s.nextToken }),
      reply: z.object({
        limit: z.number(),
        next_token: s.tokenOfNext,
        transactions: z.array(s.ticketTransaction),
      }),
    }),
    access: { table: ['GetItem', 'Query'] },
  },
  'tickets/balance': {
    method: 'GET',
    path: '/users/{user_id}/tickets/balance',
    summary: "Read a user's ticket balance",
    description: 'In whole tickets, with every change that was answered before the request.',
    schemas: () => ({
      path: s.userPath,
      reply: z.object({ balance: z.number() }),
    }),
    access: { table: ['GetItem'] },
  },
});
