import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrizeTable } from '../games/organization-tables.ts';
import type { Prize } from '../games/prize-tables.ts';
import { inBase64 } from '../timestamps/timestamp.ts';
import { games } from '../vocabulary.ts';
import { bookFormat, type RecordsHead, recordsHeadLine } from './book.ts';
import { leafLineOf } from './leaf-line.ts';
import { readRecordsOfDay } from './records-of-day.ts';
import type { StoredBook } from './stored-books.ts';

/** Writes a book's files `.book` and `.records`, and returns their paths. */
export async function writeBookFiles(
  organizationId: string,
  stored: StoredBook,
  folder: string,
): Promise<string[]> {
  const [book, records] = ['book', 'records'].map((kind) =>
    join(folder, `${organizationId}.${stored.day}.${kind}`),
  );
  await writeFile(records!, inBlocks(linesOfRecords(organizationId, stored)));
  await writeFile(book!, stored.note);
  return [book!, records!];
}

const blockCharacters = 1 << 20;

/** Joins lines to large texts, because writing each line to a file by itself is slow. */
async function* inBlocks(lines: AsyncGenerator<string>): AsyncGenerator<string, undefined> {
  let text = '';
  for await (const line of lines) {
    text += `${line}\n`;
    if (text.length < blockCharacters) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** Yields the lines of a records file, without newlines: data with which to check the records, then these. */
async function* linesOfRecords(
  organizationId: string,
  { day, key, secrets, timestamp }: StoredBook,
): AsyncGenerator<string, undefined> {
  const head: RecordsHead = {
    format: bookFormat,
    organization_id: organizationId,
    day,
    key,
    tables: await tablesOf(organizationId, day),
    ...(timestamp ? { timestamp: inBase64(timestamp) } : {}),
    secrets,
  };
  yield recordsHeadLine(head);
  for await (const record of readRecordsOfDay(organizationId, day)) yield leafLineOf(record);
}

async function tablesOf(organizationId: string, day: string): Promise<Record<string, Prize[]>> {
  const tables: Record<string, Prize[]> = {};
  for await (const record of readRecordsOfDay(organizationId, day)) {
    const version = record.kind === 'outcomes' ? String(record.prize_table_version) : undefined;
    if (version === undefined || tables[version]) continue;
    const game = games.find((game) => record.game === game)!;
    tables[version] = (await readPrizeTable(organizationId, game, version)).prizes;
  }
  return tables;
}
