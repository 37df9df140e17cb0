/** Explains orders, outcomes, transactions, events and operators' actions by their records. */
import type { HistoryRecord, OrderRecord } from '../../../../shared/accounts/records.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { isId, isUlid, ulidOf } from '../../../../shared/ids.ts';
import { get } from '../../../../shared/table/client.ts';
import {
  actionKey,
  between,
  type RecordList,
  recordLists,
  recordsInShards,
} from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { eventsOf } from '../../../../shared/webhooks/events.ts';
import { sentenceOf } from '../record-sentences.ts';
import { attemptsOf } from '../webhooks.ts';
import { commandOf, type Explained, findIn } from './explained.ts';
import { explainFreeSpins } from './free-spins.ts';
import { verifyRecordedOutcome } from './verify-outcome.ts';

type Find = (id: string, org: string | undefined, now: number) => Promise<Explained | undefined>;

/** Queries all shards, because an id does not contain the shard. `from` and `to` are ULIDs, or their first letters. */
async function recordsIn<R>(lists: readonly RecordList[], organizationId: string, from: string, to = from) {
  const ranges = lists.flatMap((list) => recordsInShards(organizationId, list));
  const found = await Promise.all(ranges.map((range) => readRange(between(range, from, to))));
  return found.flat() as unknown as R[];
}

const recordsAt = (organizationId: string, ulid: string) =>
  recordsIn<HistoryRecord>(recordLists, organizationId, ulid);

export const explainOrder: Find = async (id, org, now) => {
  const order = await findIn(
    org,
    async (one) => (await recordsIn<OrderRecord>(['orders'], one, ulidOf(id)))[0],
  );
  if (!order) return undefined;
  const { organizationId, found } = order;
  const [spins] = (await explainFreeSpins(organizationId, { order: id }, now)).orders;
  const { sentence, to_do, by, ran, remaining, cancelled } = spins!;
  return {
    id,
    organization_id: organizationId,
    what: `an order of free spins by ${found.user_id}`,
    happened: [
      { at: found.date_created, sentence: sentenceOf(found) },
      ...(by ? [{ at: by.at, sentence: `${by.operator} stopped it${by.why ? `, “${by.why}”` : ''}.` }] : []),
    ],
    state: `${ran} spins have run, ${remaining} remain, ${cancelled} are cancelled.`,
    why: [sentence],
    ...(to_do && { next: [to_do] }),
  };
};

export const explainOutcome: Find = async (id, org) => {
  const outcome = await findIn(org, async (one) =>
    (await recordsAt(one, ulidOf(id))).find((record) => record.kind === 'outcomes' && record.id === id),
  );
  if (!outcome) return undefined;
  const { organizationId, found } = outcome;
  const { verified, faults, not_checked, book } = await verifyRecordedOutcome(organizationId, id);
  const place = book ? ` It is record ${book.record} of ${book.records} in the book of ${book.day}.` : '';
  return {
    id,
    organization_id: organizationId,
    what: `an outcome of ${found.user_id}`,
    happened: [{ at: found.date_created, sentence: sentenceOf(found) }],
    state: verified ? `Its draw was repeated and gives this prize.${place}` : 'It is not what was drawn.',
    why: [...faults, ...not_checked.map((what) => `Not checked: ${what}`)],
    next: [commandOf(book ? `book export ${book.day}` : 'book list', organizationId)],
    failed: !verified,
  };
};

export const explainTransaction: Find = async (id, org) => {
  const transaction = await findIn(org, async (one) =>
    (await recordsAt(one, ulidOf(id))).find(
      (record) => 'transaction_id' in record && record.transaction_id === id,
    ),
  );
  if (!transaction) return undefined;
  const { organizationId, found } = transaction;
  return {
    id,
    organization_id: organizationId,
    what: `a transaction of ${found.user_id}`,
    happened: [{ at: found.date_created, sentence: sentenceOf(found) }],
    state: 'It is final. Only another transaction can undo it.',
    next: [commandOf(`user history --user ${found.user_id}`, organizationId)],
  };
};

/** Explains an event (`evt_…`), or a payload that a host sent (`inv_…`), by the attempts to deliver it. */
export const explainEvent: Find = async (id, org, now) => {
  const attempts = await attemptsOf(id, org, now);
  const record = isId('evt', id) ? await recordOfEvent(id, org) : undefined;
  const [first] = attempts;
  if (!first && !record) return undefined;
  const isDelivered = attempts.some(({ response_status: status = 0 }) => status >= 200 && status < 300);
  const tried = attempts.map(({ timestamp, webhook_id, attempt, response_status, error }) => ({
    at: timestamp,
    sentence: `Attempt ${attempt} to call ${webhook_id}: ${response_status ?? error ?? 'no answer'}.`,
  }));
  const organization_id = record?.organization_id ?? first!.organization_id;
  return {
    id,
    organization_id,
    what: record ? `an event about ${record.user_id}` : 'a payload that a host sent to a webhook',
    happened: [...(record ? [{ at: record.date_created, sentence: sentenceOf(record) }] : []), ...tried],
    state: isDelivered ? 'It was delivered.' : 'No call has delivered it.',
    next: isDelivered ? [] : [commandOf('webhooks list', organization_id)],
  };
};

/** An event's id contains the time of its record. */
async function recordOfEvent(id: string, org: string | undefined) {
  const time = ulidOf(id).slice(0, 10);
  const found = await findIn(org, async (one) =>
    (await recordsIn<HistoryRecord>(recordLists, one, time, `${time}~`)).find((record) =>
      eventsOf(record).some((event) => event.id === id),
    ),
  );
  return found?.found;
}

export const explainAction: Find = async (id, org) => {
  const action = await findIn(org, (one) => get<ActionRecord>(actionKey(one, ulidOf(id))));
  if (!action || !isUlid(ulidOf(id))) return undefined;
  const { operator, action: name, why, date_created: at, before, after } = action.found;
  const settings = Object.keys(after).map(
    (setting) => `${setting}: ${before[setting as never] ?? 'nothing'} → ${after[setting as never]}`,
  );
  return {
    id,
    organization_id: action.organizationId,
    what: 'an action of an operator',
    happened: [{ at, sentence: `${operator}: ${name.replaceAll('_', ' ')}${why ? `, “${why}”` : ''}.` }],
    state: settings.length > 0 ? `It changed ${settings.join(', ')}.` : 'It changed no setting.',
  };
};
