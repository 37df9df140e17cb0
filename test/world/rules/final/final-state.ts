/** Prepares a world's final state for the rules. */
import type { Journal, StoredItem } from '../../journal.ts';
import { type ItemType, idOf, toldOf, typeOf } from '../item-types.ts';
import type { Allowances, ReportViolation } from '../rule.ts';

export type History = {
  user: StoredItem;
  /** All of the user's records, in order of their sequence numbers. */
  records: StoredItem[];
};

/** A world's final items, indexed, with the journal of its requests. */
export type World = Allowances & {
  /** Time at the end of the run in epoch milliseconds, without the clock skew of function instances. */
  now: number;
  journal: Journal;
  items: readonly StoredItem[];
  of: (type: ItemType) => StoredItem[];
  item: (pk: string, sk: string) => StoredItem | undefined;
  /** The users with their histories, by user id. */
  histories: ReadonlyMap<string, History>;
  /** Returns the record with this outcome, order or transaction id. */
  record: (id: string) => StoredItem | undefined;
};

/** A rule of a world's final state, when all queues are empty and no work is pending. */
export type EndRule = { rule: string; check: (world: World, report: ReportViolation) => void };

/** The final items of the table, the journal and the time, from which a `World` is made. */
export type End = { items: Iterable<StoredItem>; journal: Journal; now: number } & Allowances;

/** Indexes the table's final items by type, key and user. */
export function readWorld({ items, ...end }: End): World {
  const all = [...items];
  const byType = new Map<ItemType, StoredItem[]>();
  const byKey = new Map<string, StoredItem>();
  for (const item of all) {
    const type = typeOf(item);
    if (!byType.has(type)) byType.set(type, []);
    byType.get(type)!.push(item);
    byKey.set(`${item.pk}\n${item.sk}`, item);
  }
  const of = (type: ItemType) => byType.get(type) ?? [];
  const records = new Map(
    of('record').flatMap((record) => [idOf(record), toldOf(record)].map((name) => [name, record] as const)),
  );
  return {
    ...end,
    items: all,
    of,
    item: (pk, sk) => byKey.get(`${pk}\n${sk}`),
    histories: historiesOf(of('user'), of('record')),
    record: (id) => records.get(id),
  };
}

function historiesOf(users: StoredItem[], records: StoredItem[]): Map<string, History> {
  const histories = new Map(users.map((user) => [user.user_id as string, { user, records: [] } as History]));
  for (const record of records) histories.get(record.user_id)?.records.push(record);
  for (const history of histories.values()) history.records.sort((a, b) => a.sequence - b.sequence);
  return histories;
}
