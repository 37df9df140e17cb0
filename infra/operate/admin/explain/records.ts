import type { HistoryRecord, OrderRecord, OutcomeRecord } from '../../../../shared/accounts/records.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { isId, isUlid, ulidOf } from '../../../../shared/ids.ts';
import { getItem } from '../../../../shared/table/client.ts';
import {
  actionKey,
  actionsByTime,
  between,
  type RecordList,
  recordLists,
  recordsInShards,
} from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { type EventRecord, eventsOf } from '../../../../shared/webhooks/events.ts';
import { actionSentence, recordSentence } from '../record-sentences.ts';
import { readAttempts } from '../webhooks.ts';
import { adminCommand, type Explained, findInOrganizations } from './explained.ts';
import { explainFreeSpins } from './free-spins.ts';
import { explainPrize } from './prizes.ts';
import { verifyRecordedOutcome } from './verify-outcome.ts';

type Find = (id: string, org: string | undefined, now: number) => Promise<Explained | undefined>;

/**
 * Finds the first record for which `isIt` is true. `from` and `to` are ULIDs, or the beginnings of ULIDs. Queries all
 * shards, because an id does not contain the shard.
 */
async function recordIn<R extends EventRecord | OrderRecord>(
  lists: readonly (RecordList | 'actions')[],
  org: string | undefined,
  { from, to = from }: { from: string; to?: string },
  isIt: (record: R) => boolean,
): Promise<R | undefined> {
  const found = await findInOrganizations(org, async (one) => {
    const ranges = lists.flatMap((list) =>
      list === 'actions' ? actionsByTime(one) : recordsInShards(one, list),
    );
    const records = await Promise.all(ranges.map((range) => readRange(between(range, from, to))));
    return (records.flat() as unknown as R[]).find(isIt);
  });
  return found?.found;
}

const happenedIn = (record: EventRecord | OrderRecord) => ({
  at: record.date_created,
  sentence: record.kind === 'actions' ? actionSentence(record as ActionRecord) : recordSentence(record),
});

export const explainOrder: Find = async (id, org, now) => {
  const order = await recordIn<OrderRecord>(['orders'], org, { from: ulidOf(id) }, () => true);
  if (!order) return undefined;
  const { organization_id, user_id } = order;
  const [spins] = (await explainFreeSpins(organization_id, { order: id }, now)).orders;
  const { sentence, to_do, by, ran, remaining, cancelled } = spins!;
  return {
    id,
    organization_id,
    what: `an order of free spins by ${user_id}`,
    happened: [
      happenedIn(order),
      ...(by ? [{ at: by.at, sentence: `${by.operator} stopped it${by.why ? `, “${by.why}”` : ''}.` }] : []),
    ],
    state: `${ran} spins have run, ${remaining} remain, ${cancelled} are cancelled.`,
    why: [sentence],
    ...(to_do && { next: [to_do] }),
  };
};

export const explainOutcome: Find = async (id, org, now) => {
  const isIt = (record: OutcomeRecord) => record.id === id;
  const outcome = await recordIn(['outcomes'], org, { from: ulidOf(id) }, isIt);
  if (!outcome) return undefined;
  const { organization_id, user_id } = outcome;
  const { verified, faults, not_checked, book } = await verifyRecordedOutcome(organization_id, id);
  const place = book ? ` It is record ${book.record} of ${book.records} in the book of ${book.day}.` : '';
  const drawn = verified
    ? `Its draw was repeated and gives this prize.${place}`
    : 'It is not what was drawn.';
  const prize = verified ? await explainPrize(outcome, now) : undefined;
  return {
    id,
    organization_id,
    what: `an outcome of ${user_id}`,
    happened: [happenedIn(outcome), ...(prize?.happened ?? [])],
    state: prize ? `${prize.state} ${drawn}` : drawn,
    why: [...faults, ...not_checked.map((what) => `Not checked: ${what}`)],
    next: [
      ...(prize?.next ?? []),
      adminCommand(book ? `book export ${book.day}` : 'book list', organization_id),
    ],
    failed: !verified,
  };
};

export const explainTransaction: Find = async (id, org) => {
  const isIt = (record: HistoryRecord) => 'transaction_id' in record && record.transaction_id === id;
  const transaction = await recordIn(recordLists, org, { from: ulidOf(id) }, isIt);
  if (!transaction) return undefined;
  const { organization_id, user_id } = transaction;
  return {
    id,
    organization_id,
    what: `a transaction of ${user_id}`,
    happened: [happenedIn(transaction)],
    state: 'It is final. Only another transaction can undo it.',
    next: [adminCommand(`user history --user ${user_id}`, organization_id)],
  };
};

/** Explains an event (`evt_…`), or a payload that a host sent (`inv_…`), by the attempts to deliver it. */
export const explainEvent: Find = async (id, org, now) => {
  const attempts = await readAttempts(id, org, now);
  // An event's id contains the time of its record.
  const time = ulidOf(id).slice(0, 10);
  const isIt = (record: EventRecord) => eventsOf(record).some((event) => event.id === id);
  const record = isId('evt', id)
    ? await recordIn([...recordLists, 'actions'], org, { from: time, to: `${time}~` }, isIt)
    : undefined;
  const [first] = attempts;
  if (!first && !record) return undefined;
  const isDelivered = attempts.some(({ response_status: status = 0 }) => status >= 200 && status < 300);
  const webhooks = [...new Set(attempts.map(({ webhook_id }) => webhook_id))];
  // A paused webhook is probed each minute, always as a first attempt.
  const calls = Map.groupBy(
    attempts,
    ({ webhook_id, attempt, response_status, error }) =>
      `Attempt ${attempt} to call ${webhook_id}: ${response_status ?? error ?? 'no answer'}`,
  );
  const tried = [...calls].map(([call, same]) => ({
    at: same[0]!.timestamp,
    sentence: same.length > 1 ? `${call}, ${same.length} times until ${same.at(-1)!.timestamp}.` : `${call}.`,
  }));
  const organization_id = record?.organization_id ?? first!.organization_id;
  const about = record?.kind === 'actions' ? 'a drawing' : record?.user_id;
  return {
    id,
    organization_id,
    what: about ? `an event about ${about}` : 'a payload that a host sent to a webhook',
    happened: [...(record ? [happenedIn(record)] : []), ...tried],
    state: isDelivered ? 'It was delivered.' : 'No call has delivered it. GET /events has it.',
    next: isDelivered ? [] : webhooks.map((one) => adminCommand(`explain ${one}`, organization_id)),
  };
};

export const explainAction: Find = async (id, org) => {
  const action = await findInOrganizations(org, (one) => getItem<ActionRecord>(actionKey(one, ulidOf(id))));
  if (!action || !isUlid(ulidOf(id))) return undefined;
  const { date_created: at, before, after, about = {} } = action.found;
  const { user_id, webhook_id, transaction_id, drawing, changes, despite_rules } = about;
  const things = [user_id, webhook_id, transaction_id, drawing?.drawing_id].filter(Boolean);
  const text = (value: unknown) =>
    value && typeof value === 'object' ? JSON.stringify(value) : (value ?? 'nothing');
  const settings = Object.entries({ ...after, ...changes }).map(
    ([name, value]) => `${name}: ${changes ? '' : `${text(before[name as never])} → `}${text(value)}`,
  );
  return {
    id,
    organization_id: action.organizationId,
    what: 'a recorded action',
    happened: [{ at, sentence: actionSentence(action.found) }],
    state: `It ${changes ? 'scheduled' : 'changed'} ${[...settings, ...things].join(', ') || 'no setting'}${despite_rules ? `, despite the rules of “${despite_rules}”` : ''}.`,
    next: things.map((thing) => adminCommand(`explain ${thing}`, action.organizationId)),
  };
};
