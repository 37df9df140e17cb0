/** Rules of events: their content, their ids, and the webhooks that get them. */

import type { StoredItem } from '../../journal.ts';
import { dayAfter, dayAt, startOf, timeIn, ulidIn } from '../days-and-ulids.ts';
import { isSame } from '../hashes.ts';
import { accountOf, idOf, toldOf } from '../item-types.ts';
import { erasures } from './erased-texts.ts';
import { exchangesOf, groupBy, succeeded } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import { possibleEvents, type Registration, registrationsOf } from './possible-webhooks.ts';

// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever is sent
type Payload = Record<string, any>;
type EventContent = { type: string; data: Payload };

/** Returns the type and data of each event that a record must cause. */
export function eventsOfRecord(record: StoredItem): EventContent[] {
  const { id, prize, timestamp, result_effective_date, play_type, game, game_status, debug } = record;
  const user = { user_id: record.user_id, external_reference: record.external_reference };
  if (record.kind === 'orders') return [];
  if (record.kind === 'actions') return eventsOfDrawing(record);
  if (record.kind === 'claims') {
    const { prize_id, state, date_created: state_at, reference, reason, delivered_on } = record;
    const data = { prize_id, ...user, prize, state, state_at, reference, reason, delivered_on };
    return [{ type: 'prize_updated', data }];
  }
  if (record.kind !== 'outcomes') {
    const { amount, balance_after, transaction_id, idempotency_key, outcome_id, description } = record;
    const what = {
      amount,
      new_balance: balance_after,
      transaction_id,
      idempotency_key,
      outcome_id,
      description,
    };
    return [{ type: 'balance_updated', data: { ...user, balance_type: accountOf(record), ...what } }];
  }
  const when = { timestamp, result_effective_date };
  const outcome = { id, ...user, play_type, game, prize, game_status, debug, ...when };
  const events: EventContent[] = [{ type: 'outcome', data: outcome }];
  const won = { outcome_id: id, ...user, result_effective_date };
  if (prize.cash_usd !== undefined)
    events.push({ type: 'cash_won', data: { ...won, cash_usd: prize.cash_usd } });
  else if (prize.tickets === undefined) events.push({ type: 'prize_won', data: { ...won, prize } });
  return events;
}

function eventsOfDrawing({ action, about, date_created, external_reference }: StoredItem): EventContent[] {
  const { drawing_id, type, closes, draws_at, round, prize, value_usd, claim_days } = about?.drawing ?? {};
  if (action === 'drawing_closed')
    return [{ type: action, data: { drawing_id, type, closes, draws_at, round, ...about.list } }];
  if (action !== 'drawing_won') return [];
  let day = dayAt(Date.parse(date_created));
  for (let i = 0; i <= claim_days; i++) day = dayAfter(day);
  const { place, number, user_id } = about;
  const claim_by = new Date(startOf(day) - 1).toISOString();
  const prize_id = [drawing_id, place, ...(number === place ? [] : [number])].join(':');
  const won = { drawing_id, place, prize_id, user_id, external_reference, prize, value_usd, claim_by };
  return [{ type: action, data: won }];
}

/** Parses JSON. Returns an empty object if the text is not JSON. */
function payloadIn(text: string): Payload {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Returns the id of the record that an event reports. */
export function recordIn({ type, data }: Payload): string {
  if (/^drawing_/.test(type)) return `${data?.drawing_id} ${data?.place} ${data?.user_id}`;
  if (type === 'balance_updated') return String(data?.transaction_id);
  if (type === 'prize_updated') return `${data?.prize_id} ${data?.state_at} ${data?.state}`;
  return String(type === 'outcome' ? data?.id : data?.outcome_id);
}

/**
 * Yields all events in webhook calls, in the call history and in lists of events. For webhook calls,
 * `organizationId` is undefined.
 */
function* textsOf(world: World): Generator<{ id: string; text: string; organizationId?: string }> {
  for (const { headers, body } of world.journal.receiverCalls)
    if (!headers['webhook-id']?.startsWith('inv_')) yield { id: headers['webhook-id']!, text: body };
  for (const { event_id, event_type, payload, organization_id } of world.of('call'))
    if (event_type !== 'invoke') yield { id: event_id, text: payload, organizationId: organization_id };
  for (const { organizationId, answer } of exchangesOf(world, 'events/list').filter(succeeded))
    for (const event of answer!.body.events)
      yield { id: event.id, text: JSON.stringify(event), organizationId };
}

/** An event matches its record. All deliveries of an event have the same event id. */
const validEvents: EndRule = {
  rule: 'an event matches its record and has one id',
  check(world, report) {
    const erased = erasures(world);
    const [owners, names, ids] = [0, 1, 2].map(() => new Map<string, string>()) as Maps;
    for (const { id, text, organizationId = '' } of textsOf(world)) {
      const owner = owners.get(`${id} ${text}`);
      if (organizationId && owner && owner !== organizationId)
        report(`${id} of ${owner} is sent to ${organizationId}`);
      if (owner !== undefined) continue;
      const event = payloadIn(text);
      const record =
        world.record(recordIn(event)) ?? world.of('action').find((one) => isOfDrawing(one, event));
      owners.set(`${id} ${text}`, record?.organization_id ?? '');
      if (record && organizationId && record.organization_id !== organizationId)
        report(`${id} of ${record.organization_id} is sent to ${organizationId}`);
      const fault = record
        ? faultOf(event, record, erased.has(record.user_id ?? record.about.user_id))
        : 'tells of no record';
      if (fault) report(`${id} ${fault}: ${text}`);
      if (event.id !== id || !/^evt_[0-9A-HJKMNP-TV-Z]{26}$/.test(id)) report(`${id} is sent as ${event.id}`);
      const name = `${recordIn(event)} ${event.type}`;
      if ((names.get(id) ?? name) !== name) report(`${id} is both ${names.get(id)} and ${name}`);
      if ((ids.get(name) ?? id) !== id) report(`${name} has the ids ${ids.get(name)} and ${id}`);
      names.set(id, name);
      ids.set(name, id);
    }
  },
};

const isOfDrawing = ({ action, about }: StoredItem, { type, data }: Payload): boolean =>
  action === type &&
  about.drawing.drawing_id === data?.drawing_id &&
  about.place === data.place &&
  about.user_id === data.user_id;

type Maps = [Map<string, string>, Map<string, string>, Map<string, string>];

/** Returns an event's data as sent after the user's erasure, without `reference` and `reason`: empty or absent then. */
function withoutTexts({ external_reference, reference, reason, ...data }: Payload): Payload {
  return data.idempotency_key === undefined ? data : { ...data, idempotency_key: '', description: '' };
}

function faultOf(event: Payload, record: StoredItem, isErased: boolean): string | undefined {
  const { id, data, ...fields } = event;
  const expected = eventsOfRecord(record).find(({ type }) => type === event.type);
  const { reference, reason, ...rest } = data;
  const hasTexts = Boolean(reference || reason);
  const mayDiffer = isErased && !hasTexts && expected && isSame(rest, withoutTexts(expected.data));
  if (!expected || !(mayDiffer || isSame(data, expected.data))) return 'differs from its record';
  const { type } = event;
  if (!isSame(fields, { type, timestamp: record.date_created, sequence: record.event_sequence ?? 0 }))
    return 'has a wrong type, timestamp or sequence';
  return undefined;
}

/** Returns the webhooks that certainly existed and had this event type from `at` to the end of the run. */
function certainListeners(registrations: Registration[], type: string, at: number): Registration[] {
  return registrations.filter((registration) => {
    const { certainFrom, mayBeDeletedFrom } = registration;
    const wanted = [...possibleEvents(registration)].every((event) => event === 'all' || event === type);
    return certainFrom < at && mayBeDeletedFrom === Infinity && wanted;
  });
}

/** Returns the webhooks newer than `registration` that may have had the same URL and this event type. */
const newerAt = (registration: Registration, others: Registration[], type: string): Registration[] =>
  others.filter((other) => {
    const events = possibleEvents(other);
    const shares = other.states.some(({ url }) => registration.states.some((state) => state.url === url));
    return other.webhookId > registration.webhookId && shares && (events.has('all') || events.has(type));
  });

/** Returns a webhook's URL, or undefined if the webhook may have had several URLs. */
const onlyUrl = ({ states }: Registration): string | undefined => {
  const urls = new Set(states.map(({ url }) => url));
  return urls.size === 1 ? [...urls][0] : undefined;
};

const dayMs = 24 * 3_600_000;
const keptMs = 89 * dayMs;

type Disabling = { webhook_id: string; failing_since: string; disabled_at: string };
const disablingsIn = ({ journal }: World): Disabling[] =>
  journal.logs.filter((line) => line.includes('"webhook disabled"')).map((line) => JSON.parse(line));

/** Returns, for each webhook that was ever disabled, the earliest start of its failures in epoch milliseconds. */
function switchedOff(world: World): Map<string, number> {
  const first = new Map<string, number>();
  for (const { webhook_id, failing_since } of disablingsIn(world))
    first.set(webhook_id, Math.min(first.get(webhook_id) ?? Infinity, Date.parse(failing_since)));
  return first;
}

/** A webhook is disabled only after five days without success. */
const disabledCorrectly: EndRule = {
  rule: 'a webhook is disabled only after five days without success',
  check(world, report) {
    const calls = groupBy(world.of('call'), ({ webhook_id }) => webhook_id);
    const disablings = disablingsIn(world);
    for (const { webhook_id, failing_since, disabled_at } of disablings) {
      const [from, to] = [Date.parse(failing_since), Date.parse(disabled_at)];
      const answered = calls.get(webhook_id)?.find(({ timestamp, response_status, duration_ms }) => {
        const at = Date.parse(timestamp);
        const isGood = response_status >= 200 && response_status < 300;
        return isGood && at > from + world.clockErrorMs && at + duration_ms < to - world.requestMs;
      });
      if (to - from < 5 * dayMs || answered)
        report(
          `${webhook_id} is disabled since ${disabled_at}, failing since ${failing_since}; ${answered?.sk}`,
        );
    }
  },
};

/**
 * Each event of a record reaches all webhooks registered for the event's type, and no others. If several have the same
 * URL, only the newest gets the event.
 */
const deliveredToAll: EndRule = {
  rule: 'every record is delivered to every webhook that wants it',
  check(world, report) {
    const registrations = registrationsOf(world);
    const offs = switchedOff(world);
    for (const { webhook_id, receiver } of world.of('webhook'))
      if (receiver?.state !== 'off') offs.delete(webhook_id);
    const byOwner = groupBy(registrations.values(), ({ organizationId }) => organizationId);
    const calls = new Set<string>();
    for (const { webhook_id, event_type, event_id, payload } of world.of('call')) {
      if (event_type === 'invoke') continue;
      calls.add(`${webhook_id} ${event_type} ${recordIn(payloadIn(payload))}`);
      const events = possibleEvents(registrations.get(webhook_id)!);
      if (!events.has('all') && !events.has(event_type))
        report(`${webhook_id} unexpectedly got ${event_type} in ${event_id}`);
    }
    for (const record of world.of('record')) {
      const at = Date.parse(record.date_created);
      if (at < world.now - keptMs) continue;
      for (const { type } of eventsOfRecord(record)) {
        const others = byOwner.get(record.organization_id) ?? [];
        const isDelivered = ({ webhookId }: Registration) =>
          calls.has(`${webhookId} ${type} ${toldOf(record)}`);
        const certain = certainListeners(others, type, at - world.clockErrorMs);
        for (const listener of certain) {
          const newer = newerAt(listener, others, type);
          // A disabled webhook may lack all events since its failures began, and earlier ones that waited for a retry.
          const isOff = [listener, ...newer].some(
            ({ webhookId }) => (offs.get(webhookId) ?? Infinity) < at + dayMs,
          );
          const inItsPlace = newer.some((other) => isDelivered(other) || other.mayBeDeletedFrom < Infinity);
          if (!isDelivered(listener) && !inItsPlace && !isOff)
            report(`${listener.webhookId} did not get ${type} of ${idOf(record)}`);
          const url = onlyUrl(listener);
          const long = certainListeners(newer, type, at - world.clockErrorMs - 2 * world.requestMs);
          const twice = long.some(
            (other) => url && onlyUrl(other) === url && possibleEvents(other).size === 1,
          );
          if (isDelivered(listener) && twice)
            report(`${listener.webhookId} got ${type} of ${idOf(record)} in addition to a newer webhook`);
        }
      }
    }
  },
};

/** A webhook gets no event whose id, which has the time of its record, is older than the webhook's id. */
const nothingEarlier: EndRule = {
  rule: 'a webhook gets no event from before its registration',
  check(world, report) {
    for (const { webhook_id, event_type, event_id } of world.of('call')) {
      if (event_type === 'invoke') continue;
      if (timeIn(ulidIn(event_id)) < timeIn(ulidIn(webhook_id)))
        report(`${webhook_id} got ${event_id}, which is older than the webhook`);
    }
  },
};

export const eventRules = [validEvents, deliveredToAll, disabledCorrectly, nothingEarlier];
