/** Reads events forward from a position, for hosts that fetch events instead of receiving webhooks. */
import { type HistoryRecord, lastSequenceOf } from '../accounts/records.ts';
import { readUser, type User } from '../accounts/user.ts';
import { timeOfUlid, ulidTimePart } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getItems } from '../table/client.ts';
import {
  actionsByTime,
  between,
  type KeyRange,
  recordLists,
  recordsInShards,
  recordsOfUser,
  timeSortKey,
  userKey,
} from '../table/keys.ts';
import { mergeRanges } from '../table/merged.ts';
import { batches, readRange } from '../table/ranges.ts';
import { settledBefore } from '../table/settled.ts';
import type { EventType } from '../vocabulary.ts';
import { type EventRecord, eventsOf, type WebhookEvent } from './events.ts';

type EventQuery = {
  organizationId: string;
  user_id?: string | undefined;
  event_type?: EventType | undefined;
  /** A position. */
  after?: string | undefined;
  after_sequence?: number | undefined;
  limit: number;
};

type EventPage = {
  events: WebhookEvent[];
  /** Position after which the next page begins. */
  last: string;
  isAll: boolean;
};

const positionOf = (ulid: string, index: number) => `${ulid}${index}`;
/** The position after all events of a record. A record has two events at most. */
const positionAfter = (ulid: string) => `${ulid}9`;
const ulidIn = (position: string) => position.slice(0, 26);

/** Approximate maximum of records read per page, so that pages of a rare event type are not slow. */
const maxRecordsPerPage = 2000;

/** Events oldest first. Throws `userNotFound` for an unknown or erased user. */
export async function readEvents(query: EventQuery, now: number): Promise<EventPage> {
  const { organizationId, event_type, limit } = query;
  const { ranges, after = '0', to, consistent } = await listsOf(query, now);
  if (to < after) return { events: [], last: after, isAll: true };
  const spans = ranges.map((range) => between(range, ulidIn(after), to));
  // Reads more than an even share of `limit` per range: reading surplus records costs less than another round trip.
  const perQuery = consistent ? limit : Math.ceil((1.5 * limit) / spans.length) + 4;
  const seen: Seen = new Map();
  let found: Found[] = [];
  let records = 0;
  let last = to;
  let isAll = true;
  for await (const { items, end } of mergeRanges(spans, { limit: perQuery, consistent })) {
    const read = items.map(({ item }) => item as EventRecord);
    const ofUsers = read.filter((record) => record.kind !== 'actions');
    if (!consistent)
      read.push(...(await unindexed(organizationId, ofUsers, seen, { from: ulidIn(after), to: end ?? to })));
    found.push(...read.flatMap((record) => foundIn(record, after, event_type)));
    found = found.sort((a, b) => (a.position < b.position ? -1 : 1));
    records += items.length;
    isAll = found.length <= limit && records < maxRecordsPerPage;
    if (isAll) continue;
    last = found[limit - 1]?.position ?? positionAfter(items.at(-1)!.position);
    break;
  }
  return { events: found.slice(0, limit).map(({ event }) => event), last, isAll };
}

type Found = { event: WebhookEvent; position: string };

const foundIn = (record: EventRecord, after: string, type: EventType | undefined): Found[] =>
  eventsOf(record)
    .map((event, index) => ({ event, position: positionOf(timeSortKey(record), index) }))
    .filter(({ event, position }) => position > after && (!type || event.type === type));

type Seen = Map<string, HistoryRecord[]>;
type Span = { from: string; to: string };

async function unindexed(
  organizationId: string,
  read: HistoryRecord[],
  seen: Seen,
  { from, to }: Span,
): Promise<HistoryRecord[]> {
  for (const record of read) seen.set(record.user_id, [...(seen.get(record.user_id) ?? []), record]);
  const keys = [...seen.keys()].map((id) => userKey(organizationId, id));
  const users = (await getItems(keys)) as (User | undefined)[];
  const gapped = [...seen].filter(([, known], index) => hasGap(known, from, to, users[index]));
  const missing = gapped.map(async ([userId, known]) => {
    const numbers = new Set(known.map(({ event_sequence }) => event_sequence));
    const ranges = recordLists.map((list) => recordsOfUser(organizationId, userId, list));
    const own = await Promise.all(
      ranges.map((range) => readRange(between(range, from, to), { consistent: true })),
    );
    const records = own.flat() as HistoryRecord[];
    const others = records.filter(({ event_sequence }) => !numbers.has(event_sequence));
    seen.set(
      userId,
      [...known, ...others].sort((a, b) => a.event_sequence - b.event_sequence),
    );
    return others;
  });
  return (await Promise.all(missing)).flat();
}

function hasGap(records: HistoryRecord[], from: string, to: string, user?: User): boolean {
  const [first, last] = [records[0]!, records.at(-1)!];
  const expected = last.event_sequence - first.event_sequence + 1;
  const previousAt = timeOfUlid(timeSortKey(first)) - (first.ms_since_last ?? 0);
  const lacksFirst = first.event_sequence > 1 && ulidTimePart(previousAt) >= from.slice(0, 10);
  const hasEnded = user?.last_ulid !== undefined && user.last_ulid < to;
  const lacksLast = hasEnded && lastSequenceOf(user) > last.event_sequence;
  return records.length < expected || lacksFirst || lacksLast;
}

/** The ranges to read, after one position and up to another. No record before `to` can appear later. */
type Lists = { ranges: KeyRange[]; after: string | undefined; to: string; consistent: boolean };

/**
 * Returns the ranges to read: for one user, up to the user's last record; for an organization, up to one minute
 * ago, because the index lags.
 */
async function listsOf(query: EventQuery, now: number): Promise<Lists> {
  const { organizationId, user_id, after, after_sequence } = query;
  if (user_id === undefined) {
    const ofUsers = recordLists.flatMap((list) => recordsInShards(organizationId, list));
    const ranges = [...ofUsers, actionsByTime(organizationId)];
    return { ranges, after, to: settledBefore(now), consistent: false };
  }
  const user = await readUser(organizationId, user_id);
  const { last_ulid = '' } = user;
  const ranges = recordLists.map((list) => recordsOfUser(organizationId, user_id, list));
  const from = after_sequence ? await positionOfNumber(user, ranges, after_sequence) : after;
  return { ranges, after: from, to: last_ulid && positionAfter(last_ulid), consistent: true };
}

/** Reads backwards, so that the cost does not grow with the user's history. */
async function positionOfNumber(user: User, ranges: KeyRange[], number: number): Promise<string> {
  const last = lastSequenceOf(user);
  if (number > last) throw refusals.sequenceNotReached(last);
  const lastIn = async (range: KeyRange) => {
    for await (const items of batches(range, { newestFirst: true, consistent: true, limit: 100 })) {
      const known = items.find(({ event_sequence }) => Number(event_sequence) <= number);
      if (known) return timeSortKey(known as HistoryRecord);
    }
    return '';
  };
  const ulids = await Promise.all(ranges.map(lastIn));
  return positionAfter(ulids.sort().at(-1)!);
}
