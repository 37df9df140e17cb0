/** Rules that compare reports and the call history with sorted lists of all stored rows. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { parseHostTime } from '../days-and-ulids.ts';
import { isSame, sortedJson } from '../hashes.ts';
import { idOf } from '../item-types.ts';
import { exchangesOf, groupBy, nameOf, succeeded } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';

export const transactionFields = [
  'transaction_id',
  'idempotency_key',
  'outcome_id',
  'amount',
  'description',
  'date_created',
];
const ticket = [...transactionFields, 'user_id', 'result_effective_date'];

/** For each report, the records' kind, the response's field with the rows, and the fields of a row. */
const reports = {
  'reports/tickets': { kind: 'tickets', rows: 'transactions', fields: ticket },
  'reports/entries': { kind: 'entries', rows: 'transactions', fields: [...ticket, 'entry_type'] },
  'reports/outcomes': {
    kind: 'outcomes',
    rows: 'items',
    fields: ['id', 'user_id', 'game', 'prize', 'timestamp', 'game_status', 'result_effective_date', 'debug'],
  },
} as const;

export const viewOf = (record: StoredItem, fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]]));

/** Returns the parameters in a request's body and query. The query overrides the body. */
// biome-ignore lint/suspicious/noExplicitAny: a rule reads whatever was asked
const parametersOf = ({ query, body }: Exchange): Record<string, any> => ({
  ...(typeof body === 'object' ? body : {}),
  ...query,
});

/** Returns each organization's records of a kind, oldest first. */
function recordsByTime(world: World, kind: string): Map<string, StoredItem[]> {
  const ofKind = world.of('record').filter((record) => record.kind === kind);
  return groupBy(
    ofKind.sort((a, b) => (a.tsk < b.tsk ? -1 : 1)),
    ({ organization_id }) => organization_id,
  );
}

/** Returns the records that match a report's parameters. `start` is inclusive, `end` exclusive. */
function rowsFor(exchange: Exchange, list: StoredItem[]): StoredItem[] {
  const { start, end, user_id, entry_type } = parametersOf(exchange);
  const from = start === undefined ? -Infinity : parseHostTime(start);
  const to = end === undefined ? Infinity : parseHostTime(end);
  return list.filter((row) => {
    const at = Date.parse(row.date_created);
    const isIt = (field: string, value: unknown) => value === undefined || row[field] === value;
    return at >= from && at < to && isIt('user_id', user_id) && isIt('entry_type', entry_type);
  });
}

/** Returns the time at which each record first appeared in a response, by id, in epoch milliseconds. */
function timesFirstShown(world: World): Map<string, number> {
  const firstShownAt = new Map<string, number>();
  for (const { answer } of world.journal.exchanges.filter(succeeded)) {
    const { transaction_id, outcome, items = [], transactions = [] } = answer!.body;
    const rows: StoredItem[] = [...items, ...transactions];
    const ids = [transaction_id, outcome?.id, ...rows.map((row) => row.id ?? row.transaction_id)];
    for (const id of ids)
      if (id) firstShownAt.set(id, Math.min(answer!.at, firstShownAt.get(id) ?? Infinity));
  }
  return firstShownAt;
}

/**
 * A report has the rows of the requested range, oldest first. Rows of the last minute may be missing. In a
 * report on all users, rows may be missing for another `indexLagMs`.
 */
const reportsAsList: EndRule = {
  rule: 'a report equals a plain list',
  check(world, report) {
    const firstShownAt = timesFirstShown(world);
    for (const [endpoint, { kind, rows, fields }] of Object.entries(reports)) {
      const lists = recordsByTime(world, kind);
      for (const exchange of exchangesOf(world, endpoint as keyof typeof reports).filter(succeeded)) {
        const all = rowsFor(exchange, lists.get(exchange.organizationId) ?? []);
        const possibleRows = all.filter(
          ({ date_created }) => Date.parse(date_created) <= exchange.answer!.at + world.clockErrorMs,
        );
        const requiredCount = requiredRows(world, exchange, possibleRows, firstShownAt);
        const fault = faultOfPage(
          exchange,
          { possibleRows, requiredCount },
          exchange.answer!.body[rows],
          fields,
        );
        if (fault) report(`${nameOf(exchange)} with ${JSON.stringify(parametersOf(exchange))} ${fault}`);
      }
    }
  },
};

/**
 * Returns how many of the oldest rows a report must contain: up to the last row that must be visible at its age or, in
 * a report on one user, that an earlier response showed.
 */
function requiredRows(
  { requestMs, clockErrorMs, indexLagMs }: World,
  exchange: Exchange,
  possibleRows: StoredItem[],
  firstShownAt: Map<string, number>,
): number {
  const { sentAt } = exchange;
  const ofUser = parametersOf(exchange).user_id !== undefined;
  const before = sentAt - requestMs - clockErrorMs - (ofUser ? 0 : indexLagMs);
  const isSettled = (row: StoredItem) =>
    Date.parse(row.date_created) <= before || (ofUser && (firstShownAt.get(idOf(row)) ?? Infinity) <= sentAt);
  return possibleRows.findLastIndex(isSettled) + 1;
}

function faultOfPage(
  exchange: Exchange,
  { possibleRows, requiredCount }: { possibleRows: StoredItem[]; requiredCount: number },
  shown: object[],
  fields: readonly string[],
): string | undefined {
  const { page = 0, page_size = 1000 } = parametersOf(exchange);
  const { total_count, total_pages, page: shownPage, page_size: shownSize } = exchange.answer!.body;
  const [number, size] = [Number(page), Number(page_size)];
  if (shownPage !== number || shownSize !== size || total_pages !== Math.ceil(total_count / size))
    return `is page ${shownPage} of ${total_pages}, of ${shownSize} each`;
  if (total_count < requiredCount || total_count > possibleRows.length)
    return `counts ${total_count} rows, of ${requiredCount} to ${possibleRows.length}`;
  const offset = number * size;
  const expected = possibleRows.slice(offset, offset + size).map((row) => viewOf(row, fields));
  const sure = Math.max(0, Math.min(size, requiredCount - offset));
  if (!isSame(shown.slice(0, sure), expected.slice(0, sure)))
    return `shows other rows than the ${sure} that are sure`;
  if (shown.length !== Math.max(0, Math.min(size, total_count - offset))) return `shows ${shown.length} rows`;
  const younger = possibleRows.slice(requiredCount).map((row) => JSON.stringify(viewOf(row, fields)));
  const places = shown
    .slice(sure)
    .map((row) => younger.indexOf(JSON.stringify(viewOf(row as StoredItem, fields))));
  return places.every((place, index) => place > (places[index - 1] ?? -1))
    ? undefined
    : 'shows rows that are not there';
}

/** Returns the fields of a recorded webhook call that the API shows. */
function callView({ pk, sk, ttl, organization_id, payload, ...call }: StoredItem): object {
  return { ...call, payload: JSON.parse(payload) };
}

/** The call history has all calls in the range, oldest first. Calls of the last minute may be missing. */
const callsAsAList: EndRule = {
  rule: 'the call history equals a plain list',
  check(world, report) {
    const calls = world.of('call').sort((a, b) => (a.sk < b.sk ? -1 : 1));
    const positions = new Map<string, number>();
    for (const exchange of exchangesOf(world, 'webhooks/history').filter(succeeded)) {
      const { organizationId, query, answer, sentAt } = exchange;
      if (sentAt < world.now - 89 * 24 * 3_600_000) continue;
      const { calls: shown, next_token, is_all, limit } = answer!.body;
      const [from, to] = [parseHostTime(query.start!), parseHostTime(query.end!)];
      const all = calls.filter(({ organization_id, event_type, timestamp }) => {
        const at = Date.parse(timestamp);
        const isType = query.event_type === undefined || query.event_type === event_type;
        return (
          organization_id === organizationId &&
          isType &&
          at >= from &&
          at <= to &&
          at <= answer!.at + world.clockErrorMs
        );
      });
      const start = positions.get(query.next_token ?? '') ?? 0;
      const isSure = ({ timestamp }: StoredItem) =>
        Date.parse(timestamp) <= sentAt - world.requestMs - world.clockErrorMs;
      const requiredCount = all.filter(isSure).length;
      const sure = all
        .slice(start, Math.max(start, Math.min(start + shown.length, requiredCount)))
        .map(callView);
      const younger = new Set(
        all.slice(Math.max(start, requiredCount)).map((call) => sortedJson(callView(call))),
      );
      const isThere = shown.slice(sure.length).every((call: object) => younger.has(sortedJson(call)));
      const most = Number(query.limit ?? 1000);
      const isRight =
        isThere && isSame(shown.slice(0, sure.length), sure) && shown.length <= most && limit === most;
      const isEnd = most === 0 || !is_all || start + shown.length >= requiredCount;
      if (!isRight || !isEnd || is_all !== (next_token === ''))
        report(
          `${nameOf(exchange)} with ${JSON.stringify(query)} shows ${shown.length} from ${start} of ${all.length}`,
        );
      if (next_token) positions.set(next_token, start + shown.length);
    }
  },
};

export const reportRules = [reportsAsList, callsAsAList];
