/** Exports the records of a book as a file that outsiders can check with the book. */

import { readPrizeTable } from '../games/organization-tables.ts';
import type { Prize } from '../games/prize-tables.ts';
import { games } from '../vocabulary.ts';
import { bookFormat, type RecordsHead, recordsHeadLine } from './book.ts';
import { leafLineOf } from './leaf-line.ts';
import { recordsOfDay } from './records-of-day.ts';
import type { StoredBook } from './stored-books.ts';

/** Yields the lines of a book's records file, without newlines: first the data for checks, then each record. */
export async function* linesOfRecords(
  organizationId: string,
  { day, key, attached }: StoredBook,
): AsyncGenerator<string, undefined> {
  const head: RecordsHead = {
    format: bookFormat,
    organization_id: organizationId,
    day,
    key,
    tables: await tablesOf(organizationId, day),
    ...attached,
  };
  yield recordsHeadLine(head);
  for await (const record of recordsOfDay(organizationId, day)) yield leafLineOf(record);
}

/** Returns the prizes of each prize table that the day's outcomes were drawn from, by the table's version. */
async function tablesOf(organizationId: string, day: string): Promise<Record<string, Prize[]>> {
  const tables: Record<string, Prize[]> = {};
  for await (const record of recordsOfDay(organizationId, day)) {
    const version = record.kind === 'outcomes' ? String(record.prize_table_version) : undefined;
    if (version === undefined || tables[version]) continue;
    const game = games.find((game) => record.game === game)!;
    tables[version] = (await readPrizeTable(organizationId, game, version)).prizes;
  }
  return tables;
}
