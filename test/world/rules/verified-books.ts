/** Checks all books and drawings of a world with `npm run verify`, the command that outsiders use. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localAuthority, rootFingerprint } from '../../../infra/develop/local/authority.ts';
import { recordsHeadLine } from '../../../shared/books/book.ts';
import { verifyBookFiles } from '../../../shared/books/check/verify.ts';
import type { Drawing } from '../../../shared/drawings/drawings.ts';
import { drawingFileText } from '../../../shared/drawings/file.ts';
import { rootTimestampKey } from '../../../shared/table/drawing-keys.ts';
import { inBase64, type Timestamp } from '../../../shared/timestamps/timestamp.ts';
import type { Game } from '../../../shared/vocabulary.ts';
import type { StoredItem } from '../journal.ts';
import { lineOf, recordsByDay } from './final/books.ts';
import { readWorld, type World } from './final/final-state.ts';
import { prizeTables } from './prize-tables.ts';
import { usualAllowances, type Violation } from './rule.ts';

const rule = 'outsiders can verify the books';

/** Verifies all books and drawings. Writes the files to the folder `kept`, or to a temporary folder. */
export async function verifyBooks(
  items: Iterable<StoredItem>,
  now: number,
  kept?: string,
): Promise<Violation[]> {
  const world = readWorld({ ...usualAllowances, items, now, journal: {} as never });
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'books-'));
  mkdirSync(folder, { recursive: true });
  try {
    const files = world.of('book').flatMap((book) => filesOf(world, book, folder));
    if (files.length === 0) return [];
    const closed = world.of('drawing').filter(({ list }) => list);
    files.push(...closed.map((drawing) => drawingFileOf(world, drawing, folder)));
    const { findings } = verifyBookFiles(files, {
      kept: [],
      authorities: [rootFingerprint(localAuthority)],
    });
    return findings.map((finding) => ({ rule, detail: JSON.stringify(finding).slice(0, 1000) }));
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true });
  }
}

/** Writes a book and its records to two files, as the export command does. Returns their paths. */
function filesOf(world: World, book: StoredItem, folder: string): string[] {
  const organizationId = book.pk.slice('BOOKS#'.length);
  const day = book.sk;
  const records = recordsByDay(world).get(`${organizationId} ${day}`) ?? [];
  const head = recordsHeadLine({
    format: 1,
    organization_id: organizationId,
    day,
    key: book.key,
    tables: tablesOf(world, organizationId, records),
    ...(book.timestamp && { timestamp: inBase64(book.timestamp) }),
    secrets: book.secrets,
  });
  const path = join(folder, `${organizationId}.${day}`);
  writeFileSync(`${path}.book`, book.note);
  writeFileSync(`${path}.records`, `${[head, ...records.map(lineOf)].join('\n')}\n`);
  return [`${path}.book`, `${path}.records`];
}

/** Writes the public file of a drawing, as the export command does. Returns its path. */
function drawingFileOf(world: World, drawing: StoredItem, folder: string): string {
  const { drawing_id } = drawing.terms;
  const { pk, sk } = rootTimestampKey(drawing.organization_id, drawing_id);
  const path = join(folder, `${drawing_id}.drawing`);
  const text = drawingFileText(drawing as StoredItem & Drawing, world.item(pk, sk) as Timestamp | undefined);
  writeFileSync(path, `${text}\n`);
  return path;
}

function tablesOf(world: World, organizationId: string, records: StoredItem[]) {
  const own = new Map(world.of('prize table').map((item) => [`${item.pk} ${item.sk}`, item]));
  const tables = prizeTables(own);
  const versions = new Map<string, Game>();
  for (const { kind, prize_table_version, game } of records)
    if (kind === 'outcomes') versions.set(prize_table_version, game);
  return Object.fromEntries(
    [...versions].map(([version, game]) => [version, [...tables(organizationId, game, version)!]]),
  );
}
