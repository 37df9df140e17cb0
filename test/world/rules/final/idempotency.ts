/** Rules of idempotency keys: each key has at most one effect, which all successful responses describe. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { dayAt, parseHostTime, startOf, timeIn, ulidIn } from '../days-and-ulids.ts';
import { isSame, sha256 } from '../hashes.ts';
import { outcomeView } from '../item-types.ts';
import {
  codeOf,
  exchangesOf,
  groupBy,
  independentOfData,
  mayBeExecuted,
  nameOf,
  succeeded,
  wasRefused,
} from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';

const resources = {
  'tickets/credit': 'tickets',
  'tickets/debit': 'tickets',
  'entries/credit': 'entries',
  'entries/debit': 'entries',
  'amoe/queue': 'spins',
  'amoe/guest-queue': 'spins',
  'amoe/guest-play': 'spins',
} as const;
type Keyed = keyof typeof resources;
const keyed = Object.keys(resources) as Keyed[];

/** All requests with one idempotency key, and the stored records with this key. */
type KeyUse = { exchanges: Exchange[]; effects: StoredItem[] };

const useOf = (organizationId: string, userId: string, resource: string, hash: string) =>
  `${organizationId} ${userId} ${resource} ${hash}`;

/** Returns the requests and records of each idempotency key, by organization, user, resource and hash of the key. */
function usesOf(world: World): Map<string, KeyUse> {
  const exchanges = groupBy(exchangesOf(world, ...keyed), ({ organizationId, path, endpoint, body }) =>
    typeof body?.idempotency_key === 'string' && path.user_id !== undefined
      ? useOf(organizationId, path.user_id, resources[endpoint as Keyed], sha256(body.idempotency_key))
      : undefined,
  );
  const effects = groupBy(world.of('record'), ({ organization_id, user_id, kind, idempotency_key }) =>
    idempotency_key === undefined
      ? undefined
      : useOf(organization_id, user_id, kind === 'orders' ? 'spins' : kind, sha256(idempotency_key)),
  );
  const names = new Set([...exchanges.keys(), ...effects.keys()]);
  return new Map(
    [...names].map((name) => [
      name,
      { exchanges: exchanges.get(name) ?? [], effects: effects.get(name) ?? [] },
    ]),
  );
}

/**
 * Returns whether a request matches a stored record. If the request of an order has no date, its date is the New York
 * day of the order.
 */
function matchesEffect({ endpoint, body }: Exchange, effect: StoredItem): boolean {
  const { amount, description = '', type = 'truck', num_of_spins, result_effective_date: date } = body;
  if (resources[endpoint as Keyed] !== 'spins') {
    const account = endpoint.startsWith('tickets') ? undefined : type;
    const signed = endpoint.endsWith('debit') ? -amount : amount;
    return effect.amount === signed && effect.description === description && effect.entry_type === account;
  }
  const named = endpoint === 'amoe/guest-queue' ? undefined : date;
  const today = startOf(dayAt(timeIn(ulidIn(effect.order_id))));
  const instant = named === undefined ? today : parseHostTime(named);
  return (
    (effect.run === 'at_once') === (endpoint === 'amoe/guest-play') &&
    effect.num_of_spins === num_of_spins &&
    Date.parse(effect.result_effective_date) === instant
  );
}

/** Returns the body that a successful response must have, computed from the stored record. */
function answerFrom(world: World, { endpoint, path }: Exchange, effect: StoredItem): object | undefined {
  const { transaction_id, event_sequence, balance_after, entry_type, pk, idempotency_key } = effect;
  const { order_id, user_id } = effect;
  const done = { status: 'success', user_id: path.user_id, transaction_id, sequence: event_sequence };
  if (endpoint.startsWith('tickets/')) return { ...done, new_ticket_balance: balance_after };
  if (endpoint.startsWith('entries/')) return { ...done, type: entry_type, new_entry_balance: balance_after };
  if (endpoint === 'amoe/guest-play')
    return { status: 'success', items: outcomesOfOrder(world, user_id, order_id) };
  const reply = world.item(pk, `IDEM#spins#${sha256(idempotency_key)}`)?.reply;
  return { status: 'success', total_queued_spins: reply?.total_queued_spins };
}

/** Returns the outcomes of an order's free spins, in the order in which the spins ran. */
const outcomesOfOrder = (world: World, userId: string, orderId: string) =>
  (world.histories.get(userId)?.records ?? [])
    .filter(({ kind, order_id }) => kind === 'outcomes' && order_id === orderId)
    .sort((a, b) => a.sequence - b.sequence)
    .map(outcomeView);

/** A successful request has exactly one record with its idempotency key. Request and response match the record. */
const oneEffectAndAnswer: EndRule = {
  rule: 'a successful request has one effect and one answer',
  check(world, report) {
    for (const [name, { exchanges, effects }] of usesOf(world)) {
      if (effects.length > 1) report(`${name} has ${effects.length} effects`);
      for (const exchange of exchanges.filter(succeeded)) {
        const [effect] = effects;
        if (!effect) report(`${nameOf(exchange)} has no effect`);
        else if (!matchesEffect(exchange, effect))
          report(`${nameOf(exchange)} has the effect of another request`);
        else if (!isSame(exchange.answer!.body, answerFrom(world, exchange, effect)))
          report(`${nameOf(exchange)} is answered ${JSON.stringify(exchange.answer!.body)}`);
      }
    }
  },
};

/**
 * Each record with an idempotency key was requested: an earlier request with this key matches the record and was not
 * refused.
 */
const requestedEffects: EndRule = {
  rule: 'every effect was requested, and a refused request has none',
  check(world, report) {
    for (const [name, { exchanges, effects }] of usesOf(world)) {
      for (const effect of effects) {
        const madeAt = timeIn(ulidIn(effect.order_id ?? effect.transaction_id));
        const isRequested = exchanges.some(
          (exchange) =>
            mayBeExecuted(exchange) &&
            isWellFormed(exchange) &&
            exchange.sentAt <= madeAt + world.clockErrorMs &&
            matchesEffect(exchange, effect),
        );
        if (!isRequested) report(`${name}: no request that was not refused explains ${effect.sk}`);
      }
    }
  },
};

const isWellFormed = ({ body }: Exchange) => Number.isInteger(body.amount ?? body.num_of_spins);

/**
 * An idempotency key has at most one successful answer that is not marked as a replay. Each replay follows another
 * request with the key.
 */
const replays: EndRule = {
  rule: 'all answers to an idempotency key except one are marked as replays',
  check(world, report) {
    for (const [name, { exchanges }] of usesOf(world)) {
      const done = exchanges.filter(succeeded);
      const isReplay = ({ answer }: Exchange) => answer!.headers['idempotent-replayed'] === 'true';
      if (done.filter((exchange) => !isReplay(exchange)).length > 1)
        report(`${name} has several answers that are not replays`);
      for (const replay of done.filter(isReplay)) {
        const others = exchanges.filter((other) => other !== replay && mayBeExecuted(other));
        if (!others.some(({ sentAt }) => sentAt <= replay.answer!.at))
          report(`${nameOf(replay)} is marked as a replay, but is the only answer`);
      }
    }
  },
};

/**
 * After a success, the same request with the same idempotency key succeeds again. A different request with the key gets
 * a conflict.
 */
const reusedKeys: EndRule = {
  rule: 'a used idempotency key returns its answer or refuses another request',
  check(world, report) {
    for (const { exchanges, effects } of usesOf(world).values()) {
      const [effect] = effects;
      const knownAt = Math.min(...exchanges.filter(succeeded).map(({ answer }) => answer!.at));
      for (const exchange of exchanges.filter(wasRefused)) {
        const code = codeOf(exchange)!;
        if (code === 'idempotency_key_reused') {
          if (!effect || matchesEffect(exchange, effect))
            report(`${nameOf(exchange)} gets a conflict, but the key was not used otherwise`);
        } else if (exchange.sentAt >= knownAt && !independentOfData.has(code))
          report(`${nameOf(exchange)} is refused although its key was used by the same request`);
      }
    }
  },
};

export const keyRules = [oneEffectAndAnswer, requestedEffects, replays, reusedKeys];
