/** Lists of records, sorted by ULID: an organization's lie in the index, a user's in the user's partition. */
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { type Item, query, queryAll } from '../table/client.ts';
import { definition, type RecordList, recordsOf, recordsOfUser } from '../table/keys.ts';

/** Where a list lies. */
export type Place = {
  index?: string;
  partitionKey: string;
  sortKey: string;
  partition: string;
  /** What the sort keys of the list have before the ULID. */
  prefix: string;
};
/** Part of a list: ULIDs from one text on, and below another. */
export type Span = { from: string; below: string };

/** Every ULID sorts between these two. */
export const everything: Span = { from: '0', below: '8' };

/** An organization's list, in the index. */
export function organizationList(organizationId: string, list: RecordList): Place {
  const { name, partitionKey, sortKey } = definition.byTime;
  return { index: name, partitionKey, sortKey, ...recordsOf(organizationId, list) };
}

/** A user's list, in the user's partition. */
export function userList(organizationId: string, userId: string, list: RecordList): Place {
  const range = recordsOfUser(organizationId, userId, list);
  const { partitionKey, sortKey } = definition;
  return { partitionKey, sortKey, ...range };
}

/** A text between a ULID and the next one; at the beginning for the empty text. */
export const after = (ulid: string) => (ulid === '' ? everything.from : `${ulid}1`);

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The greatest text that sorts below a key, among ULIDs: DynamoDB's BETWEEN includes both of its ends. */
function justBelow(key: string): string {
  const significant = key.replace(/0+$/, '');
  const digit = digits[digits.indexOf(significant.at(-1) ?? '') - 1] ?? '';
  return `${significant.slice(0, -1)}${digit}~`;
}

type ReadOptions = {
  /** Fields to answer; all where absent. */
  fields?: string[];
  limit?: number;
  newestFirst?: boolean;
  consistent?: boolean;
};

/** The records of a part of a list, in the order of time. */
export async function readSpan(place: Place, span: Span, options: ReadOptions = {}): Promise<Item[]> {
  const { limit } = options;
  return isEmpty(span) ? [] : queryAll(request(place, span, options), limit === undefined ? {} : { limit });
}

/** How many records parts of several lists hold together. */
export async function countSpan(places: Place[], span: Span): Promise<number> {
  if (isEmpty(span)) return 0;
  const counts = places.map(async (place) => {
    let total = 0;
    let start: Item | undefined;
    do {
      const page = await query({ ...request(place, span, {}), Select: 'COUNT', ExclusiveStartKey: start });
      total += page.count;
      start = page.last;
    } while (start);
    return total;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** A record's ULID, and which of the lists it is from. */
export type Row = { ulid: string; list: number };

/** The ULIDs of parts of several lists in one order, in batches as they are read; nothing is kept of a batch. */
export async function* ulidsOf(places: Place[], span: Span): AsyncGenerator<Row[]> {
  if (isEmpty(span)) return;
  const sources = places.map((place, list) => ({
    list,
    next: pagesOf(place, list, span),
    rows: [] as Row[],
  }));
  let open = sources;
  for (;;) {
    await Promise.all(
      open.filter(({ rows }) => rows.length === 0).map(async (source) => (source.rows = await source.next())),
    );
    open = open.filter(({ rows }) => rows.length > 0);
    if (open.length === 0) return;
    // Beyond the last row of the list that was read least far, another of its rows could still come.
    const safe = open.map(({ rows }) => rows.at(-1)!.ulid).sort()[0]!;
    const batch: Row[] = [];
    for (const source of open) {
      const end = source.rows.findIndex(({ ulid }) => ulid > safe);
      batch.push(...source.rows.splice(0, end === -1 ? source.rows.length : end));
    }
    yield open.length > 1 ? batch.sort(inOrder) : batch;
  }
}

/**
 * All ULIDs of parts of several lists in one order, as `ulidsOf` has them. What the first query does not answer is
 * read side by side, in stretches of time up to `now` that are as long as the rows of the first one suggest: one
 * more round trip or two, however many rows there are.
 */
export async function allUlids(places: Place[], span: Span, now: number): Promise<Row[]> {
  if (isEmpty(span)) return [];
  const lists = await Promise.all(
    places.map(async (place, list) =>
      (await ulidsSideBySide(place, span, now)).map((ulid) => ({ ulid, list })),
    ),
  );
  return lists.length > 1 ? lists.flat().sort(inOrder) : lists[0]!;
}

async function ulidsSideBySide(place: Place, span: Span, now: number): Promise<string[]> {
  const { items, last } = await query(firstPage(place, span));
  const found = items.map((item) => ulidOf(place, item));
  if (!last) return found;
  const rest = stretchesAfter(found, span, now).map(async (stretch) => {
    const ulids: string[] = [];
    for await (const rows of ulidsOf([place], stretch)) ulids.push(...rows.map(({ ulid }) => ulid));
    return ulids;
  });
  return [found, ...(await Promise.all(rest))].flat();
}

const mostSideBySide = 32;

/** Cuts what follows rows into stretches of half the time that they took, so that each is likely to be one query. */
function stretchesAfter(ulids: string[], { below }: Span, now: number): Span[] {
  const last = ulids.at(-1)!;
  const [start, end] = [timeOfUlid(ulids[0]!), timeOfUlid(last)];
  const step = Math.ceil(Math.max(1, (end - start) / 2, (now - end) / mostSideBySide));
  const stretches: Span[] = [];
  let from = after(last);
  for (let at = end + step; at < now && ulidFloor(at) < below; at += step) {
    stretches.push({ from, below: ulidFloor(at) });
    from = ulidFloor(at);
  }
  return [...stretches, { from, below }];
}

const inOrder = (a: Row, b: Row) => (a.ulid < b.ulid ? -1 : a.ulid > b.ulid ? 1 : 0);

// Some 700 KB of rows of the usual size. DynamoDB Local, unlike DynamoDB, reads all that a query could answer
// before it cuts it off at 1 MB, and needs to be told where to stop.
const rowsPerBatch = 1000;

/** Reads on, page by page; an empty one is the end. */
function pagesOf(place: Place, list: number, span: Span): () => Promise<Row[]> {
  const input = firstPage(place, span);
  let start: Item | undefined;
  let ended = false;
  return async () => {
    let items: Item[] = [];
    while (!ended && items.length === 0) {
      const page = await query({ ...input, ExclusiveStartKey: start });
      items = page.items;
      start = page.last;
      ended = start === undefined;
    }
    return items.map((item) => ({ ulid: ulidOf(place, item), list }));
  };
}

const firstPage = (place: Place, span: Span) => ({
  ...request(place, span, { fields: [place.sortKey] }),
  Limit: rowsPerBatch,
});
const ulidOf = ({ sortKey, prefix }: Place, item: Item) => String(item[sortKey]).slice(prefix.length);

const isEmpty = ({ from, below }: Span) => from >= below || /^0*$/.test(below);

function request(place: Place, { from, below }: Span, options: ReadOptions) {
  const { fields, newestFirst = false, consistent = false } = options;
  const names = fields?.map((field, index) => [`#f${index}`, field]) ?? [];
  return {
    ...(place.index ? { IndexName: place.index } : { ConsistentRead: consistent }),
    ...(names.length ? { ProjectionExpression: names.map(([name]) => name).join(', ') } : {}),
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: {
      '#partition': place.partitionKey,
      '#sort': place.sortKey,
      ...Object.fromEntries(names),
    },
    ExpressionAttributeValues: {
      ':partition': place.partition,
      ':from': place.prefix + from,
      ':to': place.prefix + justBelow(below),
    },
    ScanIndexForward: !newestFirst,
  };
}
