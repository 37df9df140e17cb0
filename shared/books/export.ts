/** A book and its records as files, by which anybody can check them. */
import { stageBeacon } from '../amoe/stage-beacon.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import type { Prize } from '../games/prize-tables.ts';
import { get } from '../table/client.ts';
import { beaconRoundKey } from '../table/keys.ts';
import { games } from '../vocabulary.ts';
import { bookFormat, type RecordsHead, recordsHeadLine } from './book.ts';
import { leafLineOf } from './leaf-line.ts';
import { recordsOfDay } from './records-of-day.ts';
import type { StoredBook } from './stored-books.ts';

/** The lines of the file of a book's records, without their ends: what it takes to check them, then each of them. */
export async function* linesOfRecords(
  organizationId: string,
  { day, key, book }: StoredBook,
): AsyncGenerator<string, undefined> {
  const head: RecordsHead = {
    format: bookFormat,
    organization_id: organizationId,
    day,
    key,
    tables: await tablesOf(organizationId, day),
    ...(await beaconOf(book.header.rounds)),
  };
  yield recordsHeadLine(head);
  for await (const record of recordsOfDay(organizationId, day)) yield leafLineOf(record);
}

/** The prizes of the tables that a day's outcomes were drawn from, by their versions. */
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

/** The stage's beacon, and its signatures of some rounds. */
async function beaconOf(rounds: number[]): Promise<Pick<RecordsHead, 'beacon' | 'rounds'>> {
  const stage = stageBeacon();
  if (!stage) return { beacon: null, rounds: {} };
  const { relays, ...beacon } = stage;
  const signatures = rounds.map(async (round) => {
    const item = await get<{ signature: string }>(beaconRoundKey(beacon.chain, round));
    return [round, item?.signature];
  });
  return { beacon, rounds: Object.fromEntries(await Promise.all(signatures)) };
}
