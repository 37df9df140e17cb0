/** Webhook calls: a record of every attempt, kept for 90 days. */
import { ulid } from 'ulid';
import { isUlid, leastUlid, timeOfUlid, ulidFloor } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { retry } from '../retry.ts';
import { type Item, putAll } from '../table/client.ts';
import { between, callsOf, type Range, ttlAt, webhookCallKey } from '../table/keys.ts';
import { itemsPerQuery, type Page, query, readRange } from '../table/ranges.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../time.ts';

/** One attempt; the payload is the text that was sent, so that it can be told as it was. */
export type Call = {
  organization_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /** When the attempt began, as an instant. */
  timestamp: string;
  url: string;
  payload: string;
  attempt: number;
  response_status?: number | undefined;
  duration_ms: number;
  error?: string | undefined;
};

const keptDays = 90;
const dayMs = 24 * 60 * 60 * 1000;
const mostPerWrite = 25;
const gatherMs = 2;

/** Writes calls to the table, those that come together in one request. Resolves when the call is written. */
export type RecordCall = (call: Call) => Promise<void>;

/** Makes a recorder of calls. */
export function callRecorder(): RecordCall {
  let waiting: Item[] = [];
  let written: Promise<void> | undefined;
  return (call) => {
    waiting.push(itemOf(call));
    written ??= new Promise((resolve) => setTimeout(resolve, gatherMs)).then(() => {
      const items = waiting;
      waiting = [];
      written = undefined;
      return writeAll(items);
    });
    return written;
  };
}

async function writeAll(items: Item[]): Promise<void> {
  for (let from = 0; from < items.length; from += mostPerWrite) {
    await retry(() => putAll(items.slice(from, from + mostPerWrite)));
  }
}

function itemOf(call: Call): Item {
  const at = Date.parse(call.timestamp);
  return {
    ...webhookCallKey(call.organization_id, dayOf(at), ulid(at)),
    ...call,
    ...ttlAt(at + keptDays * dayMs),
  };
}

/** Which calls: from `start` to `end` in epoch milliseconds, both included, of one type or of all. */
export type CallFilter = { start: number; end: number; event_type?: string | undefined };

// What a function may return is 6 MB, and a page must not read on and on for a type that is rare.
const mostPageBytes = 4 * 1024 * 1024;
const mostQueries = 200;
const mostUnfinishedQueries = 16;

/**
 * A page of an organization's calls after a position: up to `limit` of them and up to 4 MB of a function's answer. A
 * page of one type may be short, or empty, and still have one after it, if there is much to pass over; so has a page of
 * `limit` 0 unless there are no calls. Positions are ULIDs of a time that the filter includes. Throws a refusal of
 * `next_token` for any other text.
 */
export async function callHistory(
  organizationId: string,
  filter: CallFilter,
  { limit, after }: { limit: number; after?: string | undefined },
  now: number,
): Promise<Page> {
  if (after !== undefined && !isPosition(after, filter)) throw refusals.invalidToken();
  const oldest = leastUlid(Math.max(filter.start, now - (keptDays + 1) * dayMs));
  const from = after !== undefined && after > oldest ? after : oldest;
  const page = await pageAfter(from, organizationId, filter, { limit: limit || 1, now });
  if (limit > 0) return page;
  return { items: [], last: page.items.length === 0 ? page.last : from };
}

/** All calls of one event from a time on, oldest first. Reads all calls of the days since: for an operator's question. */
export async function callsOfEvent(
  organizationId: string,
  eventId: string,
  from: number,
  now: number,
): Promise<Call[]> {
  const found: Call[] = [];
  const oldest = Math.max(from, now - (keptDays + 1) * dayMs);
  for (let day = dayOf(oldest); day <= dayOf(now); day = addDays(day, 1)) {
    const range = callsOf(organizationId, day);
    found.push(...((await readRange(range, { where: { event_id: eventId }, consistent: true })) as Call[]));
  }
  return found;
}

const isPosition = (text: string, { start, end }: CallFilter) =>
  isUlid(text) && timeOfUlid(text) >= start && timeOfUlid(text) <= end;

async function pageAfter(
  position: string,
  organizationId: string,
  filter: CallFilter,
  { limit, now }: { limit: number; now: number },
): Promise<Page> {
  const lastDay = dayOf(Math.min(filter.end, now));
  const page: Filling = { items: [], bytes: 0 };
  let after = position;
  let unfinished = 0;
  for (let queries = 0; ; queries++) {
    const time = timeOfUlid(after);
    const day = dayOf(time);
    if (time > filter.end || day > lastDay) return { items: page.items, last: undefined };
    if (queries === mostQueries || unfinished === mostUnfinishedQueries) {
      return { items: page.items, last: after };
    }
    const found = await queryDay(callsOf(organizationId, day), after, filter, limit + 1 - page.items.length);
    const last = fill(page, found.items, limit);
    if (last !== undefined) return { items: page.items, last };
    if (found.end) unfinished += 1;
    after = found.end ? String(found.end.sk) : leastUlid(startOfDay(addDays(day, 1)));
  }
}

function queryDay(day: Range, after: string, { end, event_type }: CallFilter, limit: number) {
  // The first text is greater than the position and less than the next ULID, the second greater than every ULID of its
  // millisecond.
  const range = between(day, `${after}0`, `${ulidFloor(end)}~`);
  const which = event_type ? { where: { event_type }, limit: itemsPerQuery } : { limit };
  return query(range, { ...which, consistent: true });
}

type Filling = Pick<Page, 'items'> & { bytes: number };

/** Adds what the page has room for; returns the position of its last call if more is left over. */
function fill(page: Filling, items: Item[], limit: number): string | undefined {
  for (const item of items) {
    const bytes = bytesOf(item);
    const full = page.items.length === limit || (page.items.length > 0 && page.bytes + bytes > mostPageBytes);
    if (full) return String(page.items.at(-1)!.sk);
    page.items.push(item);
    page.bytes += bytes;
  }
  return undefined;
}

// In a function's answer the body is itself a JSON string: each quote in it counts twice.
const bytesOf = (item: Item) => Buffer.byteLength(JSON.stringify(JSON.stringify(callView(item))));

/** A call as a host sees it. */
export function callView({ payload, timestamp, ...call }: Item) {
  return { ...(call as Call), timestamp: isoOf(Date.parse(String(timestamp))), payload: payloadOf(payload) };
}

const payloadOf = (text: unknown) => JSON.parse(String(text)) as Record<string, unknown>;
