/** Webhook calls: a record of every attempt, kept for 90 days. */
import { ulid } from 'ulid';
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { retry } from '../retry.ts';
import { type Item, putAll } from '../table/client.ts';
import { between, callsOf, webhookCallKey } from '../table/keys.ts';
import { readToken, writeToken } from '../table/paging.ts';
import { keyAt, query } from '../table/ranges.ts';
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
    ttl: Math.ceil((at + keptDays * dayMs) / 1000),
  };
}

/** Which calls: from `start` to `end` in epoch milliseconds, both included, of one type or of all. */
export type CallFilter = { start: number; end: number; event_type?: string | undefined };
/** A page of calls, oldest first; the token is empty on the last one. */
export type CallPage = { calls: Item[]; next_token: string; is_all: boolean };

// What a function may answer is 6 MB, and a page must not read on and on for a type that is rare.
const mostPageBytes = 4 * 1024 * 1024;
const mostQueries = 200;
const mostReadBytes = 16;

type Page = { calls: Item[]; bytes: number };

/**
 * A page of an organization's calls: up to `limit` of them and up to 4 MB of a function's answer. A page of one type may be short, or
 * empty, and still have one after it, where there is much to pass over.
 */
export async function callHistory(
  organizationId: string,
  filter: CallFilter,
  { limit, next_token }: { limit: number; next_token?: string | undefined },
  now: number,
): Promise<CallPage> {
  const { start, end, event_type = '' } = filter;
  if (start > end) throw refusals.invalid('start: Input should be less than or equal to end');
  const list = `CALLS#${organizationId} ${start} ${end} ${event_type}`;
  let { day, after } = positionOf(next_token ? readToken(list, next_token) : undefined);
  if (limit === 0) return { calls: [], next_token: '', is_all: true };
  day ||= dayOf(Math.max(start, now - (keptDays + 1) * dayMs));
  const lastDay = dayOf(Math.min(end, now));
  const page: Page = { calls: [], bytes: 0 };
  let reads = 0;
  for (let queries = 0; day <= lastDay; queries++) {
    const more = { calls: page.calls, next_token: '', is_all: false };
    if (queries === mostQueries || reads === mostReadBytes) {
      return { ...more, next_token: writeToken(list, `${day}/${after}`) };
    }
    const found = await queryDay(organizationId, day, after, filter, limit + 1 - page.calls.length);
    const last = fill(page, found.items, limit);
    if (last !== undefined) return { ...more, next_token: writeToken(list, last) };
    after = String(found.end?.sk ?? '');
    if (after) reads += 1;
    else day = addDays(day, 1);
  }
  return { calls: page.calls, next_token: '', is_all: true };
}

function positionOf(text = '/'): { day: string; after: string } {
  const [day = '', after = ''] = text.split('/');
  return { day, after };
}

function queryDay(
  organizationId: string,
  day: string,
  after: string,
  { start, end, event_type }: CallFilter,
  limit: number,
) {
  // The second text is greater than every ULID of that millisecond.
  const range = between(callsOf(organizationId, day), ulidFloor(start), `${ulidFloor(end)}~`);
  return query(range, {
    ...(event_type ? { where: { event_type } } : { limit }),
    after: after ? keyAt(range, after) : undefined,
    consistent: true,
  });
}

/** Adds what the page has room for; answers the position of its last call where more is left over. */
function fill(page: Page, items: Item[], limit: number): string | undefined {
  for (const item of items) {
    const bytes = bytesOf(item);
    const full = page.calls.length === limit || (page.calls.length > 0 && page.bytes + bytes > mostPageBytes);
    if (full) {
      const ulid = String(page.calls.at(-1)!.sk);
      return `${dayOf(timeOfUlid(ulid))}/${ulid}`;
    }
    page.calls.push(item);
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
