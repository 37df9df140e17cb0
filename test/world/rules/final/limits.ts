/** The rule that requests with fields beyond the contract's limits are refused. */
import type { Exchange } from '../../journal.ts';
import { nameOf, succeeded } from './exchanges.ts';
import type { EndRule } from './final-state.ts';

const isBetween = (min: number, max: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
const isText = (minLength: number, maxLength: number) => (value: unknown) =>
  typeof value === 'string' && value.length >= minLength && value.length <= maxLength;

/** Functions by field of a request's body that return whether a value is within the contract's limits. */
const bodies: Record<string, (value: unknown) => boolean> = {
  amount: isBetween(1, 1e9),
  idempotency_key: isText(1, 255),
  external_reference: isText(1, 255),
  description: isText(0, 500),
  cash_limit: Number.isInteger,
  on: (value) => typeof value === 'boolean',
  secret_key: isText(1, 255),
  callback_url: (value) => isText(1, 2048)(value) && String(value).startsWith('https://'),
  client_seed: isText(0, 255),
  lang: (value) => value === 'en' || value === 'es',
  game: (value) => ['prizewheel', 'truck', 'flight'].includes(String(value)),
  result: (value) => value === 'jackpot' || value === 'tickets_only',
  type: (value) => value === 'truck' || value === 'flight',
};
const queries: Record<string, (value: unknown) => boolean> = {
  limit: isBetween(0, 1000),
  page: isBetween(0, Infinity),
  page_size: isBetween(1, 10_000),
};

/** Required fields of request bodies by endpoint. */
const required: Partial<Record<Exchange['endpoint'], string[]>> = {
  'users/create': ['external_reference'],
  'users/update': ['external_reference'],
  'tickets/credit': ['amount', 'idempotency_key'],
  'tickets/debit': ['amount', 'idempotency_key'],
  'entries/credit': ['amount', 'idempotency_key'],
  'entries/debit': ['amount', 'idempotency_key'],
  'amoe/queue': ['num_of_spins', 'idempotency_key'],
  'amoe/guest-queue': ['num_of_spins', 'idempotency_key'],
  'amoe/guest-play': ['num_of_spins', 'idempotency_key'],
  'debug/play': ['result'],
  'debug/daily-cash-limit': ['cash_limit'],
  'debug/daily-spin-limit': ['on'],
  'webhooks/create': ['callback_url', 'secret_key'],
  'webhooks/update': ['callback_url', 'secret_key'],
};

function faultsOf({ endpoint, body, query }: Exchange): string[] {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? body : {};
  const missing = (required[endpoint] ?? []).filter((name) => fields[name] === undefined);
  const isSpins = isBetween(1, endpoint === 'amoe/guest-play' ? 100 : 1000);
  const isReport = endpoint.startsWith('reports/');
  // Checks only known fields, because no limits apply to unknown fields or to an invocation's payload.
  const known = Object.entries(fields).filter(
    ([name]) => required[endpoint]?.includes(name) || isOptional(endpoint, name),
  );
  const beyond = known.filter(([name, value]) => !(name === 'num_of_spins' ? isSpins : bodies[name]!)(value));
  const asked = Object.entries(isReport ? { ...fields, ...query } : query).filter(
    ([name]) => name in queries,
  );
  const wrong = asked.filter(([name, value]) => !queries[name]!(Number(value)));
  return [...missing, ...[...beyond, ...wrong].map(([name]) => name)];
}

const optional: Record<string, string[]> = {
  'tickets/credit': ['description'],
  'tickets/debit': ['description'],
  'entries/credit': ['description', 'type'],
  'entries/debit': ['description', 'type'],
  'games/play': ['lang', 'game'],
  'debug/play': ['lang'],
  'play/spin': ['client_seed'],
};
const isOptional = (endpoint: string, name: string) => optional[endpoint]?.includes(name) ?? false;

/** A request that lacks a required field, or has a value beyond the contract's limits, does not succeed. */
const withinBounds: EndRule = {
  rule: 'a request beyond the contract’s limits is refused',
  check(world, report) {
    for (const exchange of world.journal.exchanges.filter(succeeded)) {
      const faults = faultsOf(exchange);
      if (faults.length > 0) report(`${nameOf(exchange)} succeeds with ${faults}`);
    }
  },
};

export const boundRules = [withinBounds];
