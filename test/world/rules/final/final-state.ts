/** The final state of a world, prepared for rules. */
import type { Journal, StoredItem } from '../../journal.ts';
import { type ItemType, idOf, typeOf } from '../item-types.ts';
import type { Allowances, ReportViolation } from '../rule.ts';

/** A user with all records. */
export type History = {
  user: StoredItem;
  /** All records by sequence number. */
  records: StoredItem[];
};

/** The final state of a world. */
export type World = Allowances & {
  /** True time in epoch milliseconds. */
  now: number;
  journal: Journal;
  items: readonly StoredItem[];
  of: (type: ItemType) => StoredItem[];
  /** Returns the item with a key. */
  item: (pk: string, sk: string) => StoredItem | undefined;
  /** Histories by user id. */
  histories: ReadonlyMap<string, History>;
  /** Returns the record with an id. */
  record: (id: string) => StoredItem | undefined;
};

/** A rule that is checked at the end, when everything is drained. */
export type EndRule = { rule: string; check: (world: World, report: ReportViolation) => void };

/** The input for the final rules. */
export type End = { items: Iterable<StoredItem>; journal: Journal; now: number } & Allowances;

/** Indexes the table's items by type, key and user. */
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
  const records = new Map(of('record').map((record) => [idOf(record), record]));
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
