/**
 * Webhook calls: a record of each attempt, kept for 90 days in the shard of the event's user, so that no key
 * takes too many writes. Calls of invocations are in shard 0. The history merges all shards.
 */
import { ulid } from 'ulid';
import { isUlid, leastUlid, timeOfUlid, ulidFloor } from '../ids.ts';
import { gathering } from '../promises.ts';
import { refusals } from '../refusals.ts';
import { retry } from '../retry.ts';
import { type Item, putAll } from '../table/client.ts';
import { between, type Range, ttlAt } from '../table/keys.ts';
import { itemsPerQuery, type Page, query, readRange } from '../table/ranges.ts';
import { callsInShards, webhookCallKey } from '../table/webhook-keys.ts';
import { addDays, dayOf, isoOf } from '../time.ts';

/** A recorded attempt. `payload` is the exact text that was sent. */
export type Call = {
  organization_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  /** The start of the attempt, as an ISO string. */
  timestamp: string;
  url: string;
  payload: string;
  attempt: number;
  response_status?: number | undefined;
  duration_ms: number;
  error?: string | undefined;
  /** The shard in which to record the call, 0 if absent. Stored only as part of the key. */
  shard?: number | undefined;
};

const keptDays = 90;
const dayMs = 24 * 60 * 60 * 1000;
const mostPerWrite = 25;
const gatherMs = 2;

/** Writes a call to the table, in one request with concurrent calls. Resolves when the call is written. */
export type RecordCall = (call: Call) => Promise<void>;

/** Returns a recorder of calls. */
export const callRecorder = (): RecordCall =>
  gathering((calls: Call[]) => writeAll(calls.map(itemOf)), gatherMs);

async function writeAll(items: Item[]): Promise<void> {
  for (let from = 0; from < items.length; from += mostPerWrite) {
    await retry(() => putAll(items.slice(from, from + mostPerWrite)));
  }
}

function itemOf({ shard = 0, ...call }: Call): Item {
  const at = Date.parse(call.timestamp);
  return {
    ...webhookCallKey(call.organization_id, dayOf(at), ulid(at), shard),
    ...call,
    ...ttlAt(at + keptDays * dayMs),
  };
}

/** Selects calls from `start` to `end` (epoch milliseconds, both included), of one event type or of all. */
export type CallFilter = { start: number; end: number; event_type?: string | undefined };

// A Lambda response is limited to 6 MB. The round limit bounds the reads for a page of a rare event type.
const mostPageBytes = 4 * 1024 * 1024;
const mostRoundsForAType = 16;

/**
 * Returns a page of an organization's calls after a position: up to `limit` calls and 4 MB of response. A page
 * of one event type can be short or empty although another page follows, because reads per page are limited.
 * With `limit` 0, a page follows if there is any call. Positions are ULIDs within the filter's times. Usually
 * makes one round trip per day. Throws a refusal of `next_token` for any other position.
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
  if (timeOfUlid(from) > filter.end) return { items: [], last: undefined };
  const page = await pageAfter(from, organizationId, filter, { limit: limit || 1, now });
  if (limit > 0) return page;
  return { items: [], last: page.items.length === 0 ? page.last : from };
}

/**
 * Returns all calls of an event since a time, oldest first, for operators. Reads all of the organization's
 * calls since then.
 */
export async function callsOfEvent(
  organizationId: string,
  eventId: string,
  from: number,
  now: number,
): Promise<Call[]> {
  const found: Item[] = [];
  for await (const ranges of callsByDay(organizationId, from, now)) {
    const ofEvent = { where: { event_id: eventId }, consistent: true };
    found.push(...(await Promise.all(ranges.map((range) => readRange(range, ofEvent)))).flat());
  }
  return found.sort(byPosition) as Call[];
}

/**
 * Yields, for each day since a time that can still have calls, the ranges of that day's calls, one per shard.
 */
export async function* callsByDay(
  organizationId: string,
  from: number,
  now: number,
): AsyncGenerator<Range[], undefined> {
  const oldest = Math.max(from, now - (keptDays + 1) * dayMs);
  for (let day = dayOf(oldest); day <= dayOf(now); day = addDays(day, 1)) {
    yield callsInShards(organizationId, day);
  }
}

const isPosition = (text: string, { start, end }: CallFilter) =>
  isUlid(text) && timeOfUlid(text) >= start && timeOfUlid(text) <= end;
const positionOf = ({ sk }: Item) => String(sk);
const byPosition = (a: Item, b: Item) => (positionOf(a) < positionOf(b) ? -1 : 1);

async function pageAfter(
  position: string,
  organizationId: string,
  filter: CallFilter,
  { limit, now }: { limit: number; now: number },
): Promise<Page> {
  const lastDay = dayOf(Math.min(filter.end, now));
  const page: OpenPage = { items: [], bytes: 0 };
  // One more than the limit shows whether another page follows.
  const missing = () => limit + 1 - page.items.length;
  let rounds = 0;
  for (let day = dayOf(timeOfUlid(position)); day <= lastDay; day = addDays(day, 1)) {
    const ranges = callsInShards(organizationId, day);
    for await (const { items, end } of callsInOrder(ranges, position, filter, missing)) {
      const last = fillPage(page, items, limit);
      if (last !== undefined) return { items: page.items, last };
      if (end === undefined || !filter.event_type) continue;
      if (++rounds === mostRoundsForAType) return { items: page.items, last: end };
    }
  }
  return { items: page.items, last: undefined };
}

/** Progress in one shard of a day: calls read but not yet returned, and the position to continue from. */
type Shard = { range: Range; items: Item[]; after: string; isOpen: boolean };

/**
 * Yields the calls of several shards after a position in one order, in rounds. Each round queries the shards
 * that have no call in memory. `end` is the position up to which a round's calls are complete; the last round
 * has none.
 */
async function* callsInOrder(
  ranges: Range[],
  position: string,
  filter: CallFilter,
  missing: () => number,
): AsyncGenerator<{ items: Item[]; end: string | undefined }, undefined> {
  const shards: Shard[] = ranges.map((range) => ({ range, items: [], after: position, isOpen: true }));
  let end: string | undefined;
  do {
    const short = shards.filter(({ items, isOpen }) => isOpen && items.length === 0);
    const limit = shareOf(filter.event_type ? itemsPerQuery : missing(), short.length);
    await Promise.all(short.map((shard) => readMore(shard, filter, limit)));
    // Beyond the lowest read position, a shard could still have calls that come before those of the others.
    end = shards.flatMap(({ after, isOpen }) => (isOpen ? [after] : [])).sort()[0];
    yield { items: shards.flatMap((shard) => takeCalls(shard, end)).sort(byPosition), end };
  } while (end !== undefined);
}

/** Returns how many calls to read per shard for a total: its average share plus three standard deviations. */
function shareOf(calls: number, shards: number): number {
  const share = calls / shards;
  return Math.min(calls, Math.ceil(share + 3 * Math.sqrt(share)));
}

async function readMore(shard: Shard, { end: latest, event_type }: CallFilter, limit: number): Promise<void> {
  // The first bound is greater than the position and less than the next ULID. The second is greater than every
  // ULID of its millisecond.
  const range = between(shard.range, `${shard.after}0`, `${ulidFloor(latest)}~`);
  const where = event_type ? { event_type } : {};
  const { items, end } = await query(range, { where, limit, consistent: true });
  shard.items = items;
  shard.isOpen = end !== undefined;
  if (end) shard.after = positionOf(end);
}

/** Removes and returns a shard's calls up to a position, or all. */
function takeCalls(shard: Shard, end = '~'): Item[] {
  const later = shard.items.findIndex((item) => positionOf(item) > end);
  return shard.items.splice(0, later === -1 ? shard.items.length : later);
}

type OpenPage = Pick<Page, 'items'> & { bytes: number };

/** Adds calls to the page until it is full. Returns the position of its last call if calls are left over. */
function fillPage(page: OpenPage, items: Item[], limit: number): string | undefined {
  for (const item of items) {
    const bytes = bytesOf(item);
    const full = page.items.length === limit || (page.items.length > 0 && page.bytes + bytes > mostPageBytes);
    if (full) return positionOf(page.items.at(-1)!);
    page.items.push(item);
    page.bytes += bytes;
  }
  return undefined;
}

// In a Lambda response the body is itself a JSON string, so that each of its quotes takes two bytes.
const bytesOf = (item: Item) => Buffer.byteLength(JSON.stringify(JSON.stringify(callView(item))));

/** Returns a call as hosts see it. */
export function callView({ payload, timestamp, ...call }: Item) {
  return { ...(call as Call), timestamp: isoOf(Date.parse(String(timestamp))), payload: payloadOf(payload) };
}

const payloadOf = (text: unknown) => JSON.parse(String(text)) as Record<string, unknown>;
