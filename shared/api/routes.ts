/**
 * The table of endpoints. The CDK app, the local stage, the OpenAPI document, the tests and each handler
 * read it; no path, name or schema is written a second time.
 */
import * as z from 'zod/mini';
import type { Route, Schemas } from './route.ts';
import * as s from './schemas.ts';

function table<const T extends Record<string, Omit<Route<string, Schemas>, 'name'>>>(
  endpoints: T,
): { [name in keyof T & string]: T[name] & { name: name } } {
  const named = Object.entries(endpoints).map(([name, endpoint]) => [name, { ...endpoint, name }]);
  return Object.fromEntries(named);
}

const ticketChange = () => ({
  path: s.userPath,
  body: z.object({
    amount: s.amount('ticket'),
    description: s.description,
    idempotency_key: s.idempotencyKey,
  }),
  reply: z.object({
    user_id: z.string(),
    new_ticket_balance: z.number(),
    transaction_id: z.string(),
  }),
});
const entryChange = () => ({
  path: s.userPath,
  body: z.object({
    amount: s.amount('entry'),
    type: z._default(s.entryType, 'truck'),
    description: s.description,
    idempotency_key: s.idempotencyKey,
  }),
  reply: z.object({
    user_id: z.string(),
    type: s.entryType,
    new_entry_balance: z.number(),
    transaction_id: z.string(),
  }),
});

export const routes = table({
  'users/create': {
    method: 'POST',
    path: '/users',
    summary: 'Create a user',
    schemas: () => ({
      body: z.object({ external_reference: s.externalReference }),
      reply: s.userReply,
    }),
    access: { table: ['PutItem'] },
  },
  'users/find': {
    method: 'GET',
    path: '/users',
    summary: 'Look up a user by external reference',
    schemas: () => ({
      query: z.object({ external_reference: s.externalReference }),
      reply: s.fullUserReply,
    }),
    access: { table: ['GetItem'] },
  },
  'users/get': {
    method: 'GET',
    path: '/users/{user_id}',
    summary: 'Look up a user by id',
    schemas: () => ({ path: s.userPath, reply: s.fullUserReply }),
    access: { table: ['GetItem'] },
  },
  'users/update': {
    method: 'PUT',
    path: '/users/{user_id}',
    summary: "Change a user's external reference",
    schemas: () => ({
      path: s.userPath,
      body: z.object({ external_reference: s.externalReference }),
      reply: s.userReply,
    }),
    access: { table: ['GetItem', 'PutItem', 'DeleteItem'] },
  },
  'tickets/credit': {
    method: 'POST',
    path: '/users/{user_id}/tickets/credit',
    summary: "Add tickets to a user's balance",
    schemas: ticketChange,
    access: { table: ['GetItem', 'PutItem'] },
  },
  'tickets/debit': {
    method: 'POST',
    path: '/users/{user_id}/tickets/debit',
    summary: "Take tickets from a user's balance",
    schemas: ticketChange,
    access: { table: ['GetItem', 'PutItem'] },
  },
  'tickets/history': {
    method: 'GET',
    path: '/users/{user_id}/tickets/history',
    summary: "List a user's ticket transactions, newest first",
    schemas: () => ({
      path: s.userPath,
      query: z.object({ limit: s.limit(10), next_token: s.nextToken }),
      reply: z.object({
        limit: z.number(),
        next_token: z.string(),
        transactions: z.array(s.ticketTransaction),
      }),
    }),
    access: { table: ['GetItem', 'Query'] },
  },
  'tickets/balance': {
    method: 'GET',
    path: '/users/{user_id}/tickets/balance',
    summary: "Read a user's ticket balance",
    schemas: () => ({
      path: s.userPath,
      reply: z.object({ balance: z.number() }),
    }),
    access: { table: ['GetItem'] },
  },
  'entries/credit': {
    method: 'POST',
    path: '/users/{user_id}/entries/credit',
    summary: "Add truck or flight entries to a user's balance",
    schemas: entryChange,
    access: { table: ['GetItem', 'PutItem'] },
  },
  'entries/debit': {
    method: 'POST',
    path: '/users/{user_id}/entries/debit',
    summary: "Take truck or flight entries from a user's balance",
    schemas: entryChange,
    access: { table: ['GetItem', 'PutItem'] },
  },
  'amoe/queue': {
    method: 'POST',
    path: '/users/{user_id}/game/queue',
    summary: 'Queue free spins for the next midnight in New York',
    schemas: () => ({
      path: s.userPath,
      body: z.object({
        num_of_spins: s.spinsToQueue,
        result_effective_date: z.optional(s.timestamp),
        idempotency_key: s.idempotencyKey,
      }),
      reply: s.queuedSpins,
    }),
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  },
  'amoe/guest-play': {
    method: 'POST',
    path: '/users/guest/{user_id}/game/play',
    summary: 'Run free spins at once for a user without an account on the host system',
    schemas: () => ({
      path: s.userPath,
      body: z.object({
        num_of_spins: s.spinsAtOnce,
        result_effective_date: z.optional(s.timestamp),
        idempotency_key: s.idempotencyKey,
      }),
      reply: z.object({ items: z.array(s.outcome) }),
    }),
    access: {
      table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
      draws: true,
    },
  },
  'amoe/guest-queue': {
    method: 'POST',
    path: '/users/guest/{user_id}/game/queue',
    summary: 'Queue free guest spins for the next midnight in New York',
    deprecated: true,
    schemas: () => ({
      path: s.userPath,
      body: z.object({ num_of_spins: s.spinsToQueue, idempotency_key: s.idempotencyKey }),
      reply: s.queuedSpins,
    }),
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'] },
  },
  'games/play': {
    method: 'POST',
    path: '/users/{user_id}/games/play',
    summary: 'Generate a URL at which a user plays a game once, within 30 minutes',
    schemas: () => ({
      path: s.userPath,
      body: z.object({ lang: z._default(s.lang, 'en'), game: z._default(s.game, 'prizewheel') }),
      reply: z.object({ url: s.url, lang: s.lang, expiry_time: s.instant }),
    }),
    access: { table: ['BatchGetItem', 'PutItem'], draws: true },
  },
  'games/history': {
    method: 'GET',
    path: '/users/{user_id}/games/history',
    summary: "List a user's game outcomes, newest first",
    schemas: () => ({
      path: s.userPath,
      query: z.object({ limit: s.limit(10), next_token: s.nextToken }),
      reply: z.object({ items: z.array(s.outcome), next_token: z.string() }),
    }),
    access: { table: ['GetItem', 'Query'] },
  },
  'games/check-eligibility': {
    method: 'GET',
    path: '/users/{user_id}/game/check-eligibility',
    summary: 'Check whether a user can play, without starting a session',
    schemas: () => ({
      path: s.userPath,
      reply: z.object({
        playable: z.boolean(),
        restrictions: z.array(s.restriction),
      }),
    }),
    access: { table: ['GetItem', 'BatchGetItem'] },
  },
  'play/open': {
    method: 'GET',
    path: '/play/{token}',
    summary: 'Open the page of a play URL',
    schemas: () => ({ path: s.playPath, reply: z.object({}) }),
    access: { table: ['GetItem', 'BatchGetItem', 'Query'] },
    credential: 'play-token',
    answers: 'html',
  },
  'play/spin': {
    method: 'POST',
    path: '/play/{token}/spin',
    summary: 'Play a play URL, or ask again what it came to',
    schemas: () => ({
      path: s.playPath,
      body: z.object({ client_seed: s.clientSeed }),
      reply: z.object({ outcome: s.outcome, fairness: s.fairness }),
    }),
    access: {
      table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
      draws: true,
    },
    credential: 'play-token',
  },
  'debug/play': {
    method: 'POST',
    path: '/debug/users/{user_id}/games/play',
    summary: 'Generate a play URL for the prize wheel that ends in a given way',
    schemas: () => ({
      path: s.userPath,
      body: z.object({ lang: z._default(s.lang, 'en'), result: s.debugResult }),
      reply: z.object({ url: s.url, lang: s.lang, result: s.debugResult, expiry_time: s.instant }),
    }),
    access: { table: ['GetItem', 'BatchGetItem', 'PutItem'], draws: true },
    stages: ['local', 'staging'],
  },
  'debug/daily-cash-limit': {
    method: 'PUT',
    path: '/debug/daily-cash-limit',
    summary: 'Set the daily cash limit, in whole USD',
    schemas: () => ({
      body: z.object({ cash_limit: s.cashLimit }),
      reply: z.object({ cash_limit: z.number() }),
    }),
    access: { table: ['GetItem', 'UpdateItem', 'PutItem'], draws: true },
    stages: ['local', 'staging'],
  },
  'debug/daily-spin-limit': {
    method: 'PUT',
    path: '/debug/daily-spin-limit',
    summary: 'Turn the daily spin limit on or off',
    schemas: () => ({
      body: z.object({ on: z.boolean() }),
      reply: z.object({ on: z.boolean() }),
    }),
    access: { table: ['GetItem', 'UpdateItem', 'PutItem'], draws: true },
    stages: ['local', 'staging'],
  },
  'webhooks/create': {
    method: 'POST',
    path: '/webhooks',
    summary: 'Register a webhook; of those with one callback the newest that wants an event is told of it',
    schemas: () => ({ body: s.webhookFields, reply: s.webhookReply }),
    access: { table: ['GetItem', 'PutItem', 'UpdateItem'], key: ['Decrypt', 'GenerateDataKey'] },
  },
  'webhooks/list': {
    method: 'GET',
    path: '/webhooks',
    summary: 'List the webhooks, oldest first',
    schemas: () => ({
      query: z.object({ limit: s.limit(100), next_token: s.nextToken }),
      reply: z.object({ webhooks: z.array(s.webhookReply), next_token: z.string() }),
    }),
    access: { table: ['Query'], key: ['Decrypt'] },
  },
  'webhooks/get': {
    method: 'GET',
    path: '/webhooks/{webhook_id}',
    summary: 'Read one webhook',
    schemas: () => ({ path: s.webhookPath, reply: s.webhookReply }),
    access: { table: ['GetItem'], key: ['Decrypt'] },
  },
  'webhooks/update': {
    method: 'PUT',
    path: '/webhooks/{webhook_id}',
    summary: 'Change a webhook, and switch it on if it is off; a replaced secret signs for 24 more hours',
    schemas: () => ({ path: s.webhookPath, body: s.webhookFields, reply: s.webhookReply }),
    access: { table: ['GetItem', 'PutItem'], key: ['Decrypt'] },
  },
  'webhooks/delete': {
    method: 'DELETE',
    path: '/webhooks/{webhook_id}',
    summary: 'Delete a webhook',
    schemas: () => ({ path: s.webhookPath, reply: z.object({ webhook_id: z.string() }) }),
    access: { table: ['GetItem', 'DeleteItem', 'UpdateItem'] },
  },
  'webhooks/invoke': {
    method: 'POST',
    path: '/webhooks/{webhook_id}/invoke',
    summary: 'Send a JSON object to a webhook, once for each request id',
    verbatimBody: true,
    schemas: () => ({
      path: s.webhookPath,
      query: z.object({ request_id: s.requestId }),
      reply: z.object({}),
    }),
    access: { table: ['GetItem', 'PutItem', 'UpdateItem'], sends: ['deliveries'] },
  },
  'webhooks/history': {
    method: 'GET',
    path: '/webhook/history',
    summary: 'List the calls made to webhooks, oldest first',
    schemas: () => ({
      query: z
        .object({
          start: s.timestamp,
          end: s.timestamp,
          event_type: z.optional(s.eventType),
          limit: s.limit(1000),
          next_token: s.nextToken,
        })
        .check(s.startNotAfterEnd),
      reply: z.object({
        calls: z.array(s.webhookCall),
        next_token: z.string(),
        limit: z.number(),
        is_all: z.boolean(),
      }),
    }),
    access: { table: ['Query'] },
  },
  'reports/outcomes': {
    method: 'GET',
    path: '/game/history',
    summary: 'Report on game outcomes, oldest first',
    queryFromBody: true,
    compressed: true,
    schemas: () => ({
      query: z.object(s.reportQuery).check(s.startNotAfterEnd),
      reply: z.object({ items: z.array(s.outcomeReportRow), ...s.reportPaging }),
    }),
    access: { table: ['GetItem', 'Query'], index: true },
  },
  'reports/tickets': {
    method: 'GET',
    path: '/tickets/history',
    summary: 'Report on ticket transactions, oldest first',
    queryFromBody: true,
    compressed: true,
    schemas: () => ({
      query: z.object(s.reportQuery).check(s.startNotAfterEnd),
      reply: z.object({ transactions: z.array(s.ticketReportRow), ...s.reportPaging }),
    }),
    access: { table: ['GetItem', 'Query'], index: true },
  },
  'reports/entries': {
    method: 'GET',
    // The contract spells it so.
    path: '/entrties/history',
    summary: 'Report on entry transactions, oldest first',
    queryFromBody: true,
    compressed: true,
    schemas: () => ({
      query: z.object({ ...s.reportQuery, entry_type: z.optional(s.entryType) }).check(s.startNotAfterEnd),
      reply: z.object({ transactions: z.array(s.entryReportRow), ...s.reportPaging }),
    }),
    access: { table: ['GetItem', 'Query'], index: true },
  },
});

/** All endpoints, in the order of the table. */
export const allRoutes: Route[] = Object.values(routes);
