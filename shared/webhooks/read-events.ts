/** Reads events forward from a position, for hosts that fetch events instead of receiving webhooks. */
import type { HistoryRecord } from '../accounts/records.ts';
import { readUser } from '../accounts/user.ts';
import { between, type Range, recordLists, recordsInShards, recordsOfUser } from '../table/keys.ts';
import { merged } from '../table/merged.ts';
import { settledBefore } from '../table/settled.ts';
import type { EventType } from '../vocabulary.ts';
import { eventsOf, type WebhookEvent } from './events.ts';

/** Selects events: of an organization or only one of its users, of all types or only one. */
type EventFilter = {
  organizationId: string;
  user_id?: string | undefined;
  event_type?: EventType | undefined;
};

/** A page of events in the order of their records. */
type EventPage = {
  events: WebhookEvent[];
  /** Position after which the next page begins. */
  last: string;
  /** Whether no events after this page can be read now. */
  isAll: boolean;
};

/** An event's position: its record's ULID, and its index among the record's events. */
const positionOf = (ulid: string, index: number) => `${ulid}${index}`;
/** The position after all events of a record. A record has two events at most. */
const positionAfter = (ulid: string) => `${ulid}9`;
const ulidIn = (position: string) => position.slice(0, 26);

/** Approximate maximum of records read per page, so that pages of a rare event type are not slow. */
const maxRecordsPerPage = 2000;

/** Returns up to `limit` events after a position, oldest first. Throws `userNotFound` for an unknown or erased user. */
export async function readEvents(
  filter: EventFilter,
  { after = '0', limit }: { after?: string | undefined; limit: number },
  now: number,
): Promise<EventPage> {
  const { event_type } = filter;
  const { ranges, to, consistent } = await listsOf(filter, now);
  if (to < after) return { events: [], last: after, isAll: true };
  const spans = ranges.map((range) => between(range, ulidIn(after), to));
  // Reads more than an even share of `limit` per range: reading surplus records costs less than another round trip.
  const perQuery = consistent ? limit : Math.ceil((1.5 * limit) / spans.length) + 4;
  const found: { event: WebhookEvent; position: string }[] = [];
  let records = 0;
  let last = to;
  let isAll = true;
  for await (const { items } of merged(spans, { limit: perQuery, consistent })) {
    for (const { position: ulid, item } of items) {
      for (const [index, event] of eventsOf(item as HistoryRecord).entries()) {
        const position = positionOf(ulid, index);
        if (position > after && (!event_type || event.type === event_type)) found.push({ event, position });
      }
    }
    records += items.length;
    isAll = found.length <= limit && records < maxRecordsPerPage;
    if (isAll) continue;
    last = found[limit - 1]?.position ?? positionAfter(items.at(-1)!.position);
    break;
  }
  return { events: found.slice(0, limit).map(({ event }) => event), last, isAll };
}

/** The ranges to read, up to the position `to`. No record before `to` can appear later. */
type Lists = { ranges: Range[]; to: string; consistent: boolean };

/**
 * Returns the ranges to read: for one user, up to the user's last record; for an organization, up to one minute
 * ago, because the index lags.
 */
async function listsOf({ organizationId, user_id }: EventFilter, now: number): Promise<Lists> {
  if (user_id === undefined) {
    const ranges = recordLists.flatMap((list) => recordsInShards(organizationId, list));
    return { ranges, to: settledBefore(now), consistent: false };
  }
  const { last_ulid = '' } = await readUser(organizationId, user_id);
  const ranges = recordLists.map((list) => recordsOfUser(organizationId, user_id, list));
  return { ranges, to: last_ulid && positionAfter(last_ulid), consistent: true };
}
