import { ulidTimePart } from '../ids.ts';
import type { Item } from '../table/client.ts';
import {
  actionsByTime,
  between,
  type KeyRange,
  recordLists,
  recordsInShards,
  type TimeKey,
} from '../table/keys.ts';
import { mergeRanges } from '../table/merged.ts';
import { addDays, startOfDay } from '../time.ts';
import { type LeafKind, leafKinds } from '../vocabulary.ts';

const lists = [...recordLists, 'orders'] as const;

/** A record as stored, with its key in the index `byTime`. */
export type StoredRecord = Item & TimeKey & { kind: string };

/** Yields a day's records by ULID, those after `after`. Call it an hour after the day: the index `byTime` lags. */
export async function* readRecordsOfDay(
  organizationId: string,
  day: string,
  after?: string,
): AsyncGenerator<StoredRecord, undefined> {
  const [from, to] = [day, addDays(day, 1)].map((day) => ulidTimePart(startOfDay(day)));
  // `!` sorts before all characters of a ULID, so the range starts just after all keys with this ULID.
  const least = after === undefined ? from! : `${after}!`;
  const ranges = leafKinds.flatMap((kind) => rangesOf(organizationId, kind));
  const spans = ranges.map((range) => between(range, least, to!));
  for await (const { items } of mergeRanges(spans)) yield* items.map(({ item }) => item as StoredRecord);
}

function rangesOf(organizationId: string, kind: LeafKind): KeyRange[] {
  if (kind === 'actions') return [actionsByTime(organizationId)];
  const ofKind = lists.filter((list) => list.split('#')[0] === kind);
  return ofKind.flatMap((list) => recordsInShards(organizationId, list));
}
