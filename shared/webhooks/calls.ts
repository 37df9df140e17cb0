/**
 * Webhook calls: a record of every attempt, kept for 90 days. A call lies in the shard of the user of its
 * event, and the call of a request to `/webhooks/{id}/invoke` in the first shard.
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
  /** The shard in which to record it; the first if absent. It is part of its key alone. */
  shard?: number | undefined;
};

const keptDays = 90;
const dayMs = 24 * 60 * 60 * 1000;
const mostPerWrite = 25;
const gatherMs = 2;

/** Writes calls to the table, those that come together in one request. Resolves when the call is written. */
export type RecordCall = (call: Call) => Promise<void>;

/** Makes a recorder of calls. */
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

/** Which calls: from `start` to `end` in epoch milliseconds, both included, of one type or of all. */
export type CallFilter = { start: number; end: number; event_type?: string | undefined };

// What a function may return is 6 MB, and a page must not read on and on for a type that is rare.
const mostPageBytes = 4 * 1024 * 1024;
const mostRoundsForAType = 16;

/**
 * A page of an organization's calls after a position: up to `limit` of them and up to 4 MB of a function's answer. A
 * page of one type may be short, or empty, and still have one after it, if there is much to pass over; so has a page of
 * `limit` 0 unless there are no calls. Positions are ULIDs of a time that the filter includes. One round trip for each
 * day, as a rule. Throws a refusal of `next_token` for any other text.
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
 * All calls of one event from a time on, oldest first. Reads all calls of the days since: for an operator's
 * question.
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

/** Where an organization's calls are, of each day on which there may still be some: a range for each of its shards. */
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
  const page: Filling = { items: [], bytes: 0 };
  // One more than asked for tells whether a page follows.
  const missing = () => limit + 1 - page.items.length;
  let rounds = 0;
  for (let day = dayOf(timeOfUlid(position)); day <= lastDay; day = addDays(day, 1)) {
    const ranges = callsInShards(organizationId, day);
    for await (const { items, end } of callsInOrder(ranges, position, filter, missing)) {
      const last = fill(page, items, limit);
      if (last !== undefined) return { items: page.items, last };
      if (end === undefined || !filter.event_type) continue;
      if (++rounds === mostRoundsForAType) return { items: page.items, last: end };
    }
  }
  return { items: page.items, last: undefined };
}

/** A day's calls in one shard as far as they are read: those that are not told yet, and where to read on. */
type Shard = { range: Range; items: Item[]; after: string; isOpen: boolean };

/**
 * The calls of shards after a position, in one order, in rounds of queries: each reads on in those shards of which no
 * call is in hand. A round has the position `end` up to which it tells all calls, the last round none.
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
    await Promise.all(short.map((shard) => readOn(shard, filter, limit)));
    // Beyond where a shard was read to, another of its calls could come before those of the others.
    end = shards.flatMap(({ after, isOpen }) => (isOpen ? [after] : [])).sort()[0];
    yield { items: shards.flatMap((shard) => taken(shard, end)).sort(byPosition), end };
  } while (end !== undefined);
}

/** How many calls to read of each of some shards for so many of all: its share, and what it may have more by chance. */
function shareOf(calls: number, shards: number): number {
  const share = calls / shards;
  return Math.min(calls, Math.ceil(share + 3 * Math.sqrt(share)));
}

async function readOn(shard: Shard, { end: latest, event_type }: CallFilter, limit: number): Promise<void> {
  // The first text is greater than the position and less than the next ULID, the second greater than every ULID of its
  // millisecond.
  const range = between(shard.range, `${shard.after}0`, `${ulidFloor(latest)}~`);
  const where = event_type ? { event_type } : {};
  const { items, end } = await query(range, { where, limit, consistent: true });
  shard.items = items;
  shard.isOpen = end !== undefined;
  if (end) shard.after = positionOf(end);
}

/** Takes the calls of a shard up to a position, or all. */
function taken(shard: Shard, end = '~'): Item[] {
  const later = shard.items.findIndex((item) => positionOf(item) > end);
  return shard.items.splice(0, later === -1 ? shard.items.length : later);
}

type Filling = Pick<Page, 'items'> & { bytes: number };

/** Adds what the page has room for; returns the position of its last call if more is left over. */
function fill(page: Filling, items: Item[], limit: number): string | undefined {
  for (const item of items) {
    const bytes = bytesOf(item);
    const full = page.items.length === limit || (page.items.length > 0 && page.bytes + bytes > mostPageBytes);
    if (full) return positionOf(page.items.at(-1)!);
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
