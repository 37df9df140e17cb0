import * as z from 'zod/mini';
import { refusals } from '../../refusals.ts';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

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
    sequence: s.lastSequence,
  }),
});

export const ticketsRoutes = /* @__PURE__ */ routeTable({
  'tickets/credit': {
    method: 'POST',
    path: '/users/{user_id}/tickets/credit',
    summary: "Add tickets to a user's balance",
    description:
      'Credits whole tickets, once for each idempotency key. A credit and a debit cannot have the same key.',
    schemas: ticketChange,
    holds: ['user_frozen'],
    access: { table: ['GetItem', 'PutItem'] },
  },
  'tickets/debit': {
    method: 'POST',
    path: '/users/{user_id}/tickets/debit',
    summary: "Take tickets from a user's balance",
    description:
      'Debits once for each idempotency key. A debit of more than the balance takes nothing and uses up no key.',
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
      'Lists credits, debits, ticket prizes, and costs of games. Send `next_token` to get the next page. New ' +
      'transactions do not shift pages. A `limit` of 0 returns an empty page.',
    schemas: () => ({
      path: s.userPath,
      query: z.object({ limit: s.limit(10), next_token: s.nextToken }),
      reply: z.object({
        limit: z.number(),
        next_token: s.nextTokenReply,
        transactions: z.array(s.ticketTransaction),
      }),
    }),
    access: { table: ['GetItem', 'Query'] },
  },
  'tickets/balance': {
    method: 'GET',
    path: '/users/{user_id}/tickets/balance',
    summary: "Read a user's ticket balance",
    description: 'The balance includes every change whose response you got before this request.',
    schemas: () => ({
      path: s.userPath,
      reply: z.object({ balance: z.number(), sequence: s.lastSequence }),
    }),
    access: { table: ['GetItem'] },
  },
});
