/** Keeps each attempted webhook call for 90 days, in the shard of the event's user (invocations: shard 0). */
import { isUlid, leastUlid, newUlid, timeOfUlid, ulidTimePart } from '../ids.ts';
import { batched } from '../promises.ts';
import { rawJson, withRawJson } from '../raw-json.ts';
import { refusals } from '../refusals.ts';
import { retry } from '../retry.ts';
import { type Item, putItems } from '../table/client.ts';
import { between, type KeyRange, ttlAt } from '../table/keys.ts';
import { mergeRanges, type PositionedItem } from '../table/merged.ts';
import { type ItemPage, itemsPerQuery, readRange } from '../table/ranges.ts';
import { webhookCallKey, webhookCallRanges } from '../table/webhook-keys.ts';
import { addDays, dayOf, isoOf } from '../time.ts';

/** `payload` is the exact body that was sent. */
export type WebhookCall = {
  organization_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  timestamp: string;
  url: string;
  payload: string;
  attempt: number;
  response_status?: number | undefined;
  duration_ms: number;
  error?: string | undefined;
  /** The shard in which to store the call: 0 if absent. */
  shard?: number | undefined;
};

export const callRetentionDays = 90;
const dayMs = 24 * 60 * 60 * 1000;
const maxPerWrite = 25;
const gatherMs = 2;

/** Calls recorded at the same time share one write request. */
export type RecordCall = (call: WebhookCall) => Promise<void>;

export const callRecorder = (): RecordCall =>
  batched((calls: WebhookCall[]) => writeAll(calls.map(itemOf)), gatherMs);

async function writeAll(items: Item[]): Promise<void> {
  for (let from = 0; from < items.length; from += maxPerWrite) {
    await retry(() => putItems(items.slice(from, from + maxPerWrite)));
  }
}

function itemOf({ shard = 0, ...call }: WebhookCall): Item {
  const time = Date.parse(call.timestamp);
  return {
    ...webhookCallKey(call.organization_id, dayOf(time), newUlid(time), shard),
    ...call,
    ...ttlAt(time + callRetentionDays * dayMs),
  };
}

/** Selects calls from `start` to `end` (epoch milliseconds, both included), of all types if `event_type` is absent. */
export type CallFilter = { start: number; end: number; event_type?: string | undefined };

// Maximum bytes of the calls on a page, because Lambda limits responses to 6 MB. A page's first call may be larger.
const maxPageBytes = 4 * 1024 * 1024;
// Maximum rounds of queries per page. Without this limit, a page of a rare event type would read every call.
const maxRoundsForType = 16;

/** A page can be empty although more calls follow. Throws `invalidToken` if `after` is outside the time range. */
export async function readCallHistory(
  organizationId: string,
  filter: CallFilter,
  { limit, after }: { limit: number; after?: string | undefined },
  now: number,
): Promise<ItemPage> {
  if (after !== undefined && !isPosition(after, filter)) throw refusals.invalidToken();
  const oldest = leastUlid(Math.max(filter.start, now - (callRetentionDays + 1) * dayMs));
  const from = after !== undefined && after > oldest ? after : oldest;
  if (timeOfUlid(from) > filter.end) return { items: [], last: undefined };
  const page = await pageAfter(from, organizationId, filter, { limit: limit || 1, now });
  if (limit > 0) return page;
  return { items: [], last: page.items.length === 0 ? page.last : from };
}

export async function readCallsOfEvent(
  organizationId: string,
  eventId: string,
  from: number,
  now: number,
): Promise<WebhookCall[]> {
  const calls: Item[] = [];
  for await (const ranges of callRangesByDay(organizationId, from, now)) {
    const ofEvent = { where: { event_id: eventId }, consistent: true };
    calls.push(...(await Promise.all(ranges.map((range) => readRange(range, ofEvent)))).flat());
  }
  return calls.sort(byPosition) as WebhookCall[];
}

/** Yields the key ranges of each day's calls since `from` (epoch milliseconds), one range per shard. */
export async function* callRangesByDay(
  organizationId: string,
  from: number,
  now: number,
): AsyncGenerator<KeyRange[], undefined> {
  const oldest = Math.max(from, now - (callRetentionDays + 1) * dayMs);
  for (let day = dayOf(oldest); day <= dayOf(now); day = addDays(day, 1)) {
    yield webhookCallRanges(organizationId, day);
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
): Promise<ItemPage> {
  const lastDay = dayOf(Math.min(filter.end, now));
  const page: UnfinishedPage = { items: [], bytes: 0 };
  // Reads one call more than the limit, to see whether another page follows.
  const missing = () => (filter.event_type ? itemsPerQuery : limit + 1 - page.items.length);
  const perShard = (shards: number) => shareOf(missing(), shards);
  const where = filter.event_type ? { event_type: filter.event_type } : {};
  let rounds = 0;
  for (let day = dayOf(timeOfUlid(position)); day <= lastDay; day = addDays(day, 1)) {
    // Starts just after the ULID `position`, because a ULID followed by `0` sorts before the next ULID. `~` sorts after
    // all characters of a ULID.
    const ranges = webhookCallRanges(organizationId, day).map((range) =>
      between(range, `${position}0`, `${ulidTimePart(filter.end)}~`),
    );
    for await (const { items, end } of mergeRanges(ranges, { where, limit: perShard, consistent: true })) {
      const last = fillPage(page, items, limit);
      if (last !== undefined) return { items: page.items, last };
      if (end === undefined || !filter.event_type) continue;
      if (++rounds === maxRoundsForType) return { items: page.items, last: end };
    }
  }
  return { items: page.items, last: undefined };
}

/** Calls to read per shard: the average plus three standard deviations, so that one round nearly always suffices. */
function shareOf(calls: number, shards: number): number {
  const share = calls / shards;
  return Math.min(calls, Math.ceil(share + 3 * Math.sqrt(share)));
}

type UnfinishedPage = Pick<ItemPage, 'items'> & { bytes: number };

/** Adds calls to a page. If some did not fit, returns the position of the last call that did. */
function fillPage(page: UnfinishedPage, items: PositionedItem[], limit: number): string | undefined {
  for (const { item } of items) {
    const bytes = bytesOf(item);
    const full = page.items.length === limit || (page.items.length > 0 && page.bytes + bytes > maxPageBytes);
    if (full) return positionOf(page.items.at(-1)!);
    page.items.push(item);
    page.bytes += bytes;
  }
  return undefined;
}

// Counts a call's bytes in a Lambda response, whose body is a JSON string with escaped quotation marks.
const bytesOf = (item: Item) =>
  Buffer.byteLength(JSON.stringify(withRawJson(JSON.stringify(callView(item)))));

export function callView({ payload, timestamp, ...call }: Item) {
  return {
    ...(call as WebhookCall),
    timestamp: isoOf(Date.parse(String(timestamp))),
    payload: rawJson(String(payload)),
  };
}
