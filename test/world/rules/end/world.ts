/** A world at its end, as rules look at it: what is in the table, and what was sent and seen. */
import type { Journal, StoredItem } from '../../journal.ts';
import type { Allowances, Say } from '../rule.ts';
import { type ItemType, idOf, typeOf } from '../stored.ts';

/** All that is recorded of a user. */
export type History = {
  user: StoredItem;
  /** All of its records, in their order. */
  records: StoredItem[];
};

/** A world at its end. */
export type World = Allowances & {
  /** The true time, in epoch milliseconds. */
  now: number;
  journal: Journal;
  items: readonly StoredItem[];
  of: (type: ItemType) => StoredItem[];
  /** An item by its key. */
  item: (pk: string, sk: string) => StoredItem | undefined;
  /** A user's history by the user's id. */
  histories: ReadonlyMap<string, History>;
  /** A record by its id. */
  record: (id: string) => StoredItem | undefined;
};

/** A rule that holds at the end, when all that was begun has been done. */
export type EndRule = { rule: string; check: (world: World, say: Say) => void };

/** What a world has come to. */
export type End = { items: Iterable<StoredItem>; journal: Journal; now: number } & Allowances;

/** Sorts what is in the table. */
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
