/** Closes a day's book. Closing twice, late, concurrently or after a crash gives the same book. */

import { currentStage } from '../environment.ts';
import { daySecret } from '../games/day-secrets.ts';
import { secretFingerprint } from '../games/seeds.ts';
import type { Settings } from '../games/settings.ts';
import { canonicalJson } from '../ids.ts';
import { checkReportsOfDay } from '../reports/upkeep.ts';
import { signNote } from '../sign-note.ts';
import { bookClosingKey } from '../table/book-keys.ts';
import { getItem, type Item, putItem } from '../table/client.ts';
import { timeSortKey } from '../table/keys.ts';
import { addDays } from '../time.ts';
import { leafHash } from '../tree.ts';
import { type Book, type BookHeader, bookFormat, bookText } from './book.ts';
import { leafOf } from './leaf-line.ts';
import { readRecordsOfDay } from './records-of-day.ts';
import { type BookAttributes, storeBook } from './stored-books.ts';
import { addLeafToSums, newSums, type RecordSums } from './sums.ts';
import { storeTiles } from './tile-items.ts';
import { createTileBuilder, type Tile, type TileBuilderState } from './tiles.ts';

/** Stored state of an unfinished closing, from which a later call continues. `after` is the last read ULID. */
type Progress = {
  after?: string;
  size: number;
  tiles: TileBuilderState;
  summed: RecordSums;
  settings: Partial<Settings>;
};

/** Stores a book, unless the day already has a book. */
export type StoreBook = (organizationId: string, day: string, kept: BookAttributes) => Promise<unknown>;

/** The progress is saved after this many records, so a restart reads at most this many again. */
const recordsPerSave = 20_000;

/** Call this at least an hour after the day's end. Returns false if time ran out; then call it again. */
export async function closeBook(
  organizationId: string,
  day: string,
  previous: Book | undefined,
  hasTime: () => boolean,
  recordsBetweenSaves = recordsPerSave,
  store: StoreBook = storeBook,
): Promise<boolean> {
  const begun = await readProgress(organizationId, day);
  const { progress, isWhole } = await readRecords(organizationId, day, begun, {
    hasTime,
    recordsBetweenSaves,
  });
  if (!isWhole) return false;
  if (!(await checkReportsOfDay(organizationId, day, progress.summed.counts, hasTime))) return false;
  const { tiles, root } = createTileBuilder(progress.tiles).finish();
  await storeTiles(organizationId, day, tiles);
  const header = await headerOf(organizationId, day, previous, progress);
  const { note, key } = await signNote(bookText(header, progress.size, root));
  const secrets = await secretsOf(organizationId, day, progress.summed);
  await store(organizationId, day, { note, key, secrets });
  return true;
}

async function readRecords(
  organizationId: string,
  day: string,
  begun: Progress,
  { hasTime, recordsBetweenSaves }: { hasTime: () => boolean; recordsBetweenSaves: number },
) {
  const progress = { ...begun };
  const builder = createTileBuilder(begun.tiles);
  let completeTiles: Tile[] = [];
  let savedAt = begun.size;
  const saveTiles = async () => {
    await storeTiles(organizationId, day, completeTiles);
    completeTiles = [];
    progress.tiles = builder.state();
  };
  for await (const record of readRecordsOfDay(organizationId, day, begun.after)) {
    const ulid = timeSortKey(record);
    // Saves only between different ULIDs: a restart would skip further records with the saved ULID.
    if (progress.size - savedAt >= recordsBetweenSaves && ulid !== progress.after) {
      savedAt = progress.size;
      await saveTiles();
      await putItem({ ...bookClosingKey(organizationId, day), ...storedForm(progress) });
      if (!hasTime()) return { progress, isWhole: false };
    }
    const leaf = leafOf(record);
    completeTiles.push(...builder.add(leafHash(canonicalJson(leaf)), ulid));
    addLeafToSums(progress.summed, leaf);
    if (leaf.kind === 'actions') {
      progress.settings = { ...progress.settings, ...(leaf.after as Partial<Settings>) };
    }
    progress.size++;
    progress.after = ulid;
  }
  await saveTiles();
  return { progress, isWhole: true };
}

const storedForm = ({ summed, ...progress }: Progress): Item => ({
  ...progress,
  summed: { ...summed, secretDays: [...summed.secretDays] },
});

async function readProgress(organizationId: string, day: string): Promise<Progress> {
  const item = await getItem<Progress>(bookClosingKey(organizationId, day));
  if (!item) return { size: 0, tiles: { level: [] }, summed: newSums(), settings: {} };
  return { ...item, summed: { ...item.summed, secretDays: new Set(item.summed.secretDays) } };
}

async function headerOf(
  organizationId: string,
  day: string,
  previous: Book | undefined,
  { summed, settings }: Progress,
): Promise<BookHeader> {
  const { counts, sums } = summed;
  const fingerprintDay = addDays(day, 2);
  return {
    format: bookFormat,
    organization_id: organizationId,
    day,
    stage: currentStage(),
    previous: previous?.digest ?? null,
    counts,
    sums,
    secrets: { [day]: (await daySecret(organizationId, day)).toString('hex') },
    fingerprints: { [fingerprintDay]: secretFingerprint(await daySecret(organizationId, fingerprintDay)) },
    settings: { ...previous?.header.settings, ...settings } as BookHeader['settings'],
  };
}

/** Returns the secrets of earlier days that a day's outcomes used, in hex: those of URLs made before midnight. */
async function secretsOf(
  organizationId: string,
  day: string,
  { secretDays }: RecordSums,
): Promise<Record<string, string>> {
  const earlier = [...secretDays].filter((one) => one !== day).sort();
  const secrets = await Promise.all(earlier.map((one) => daySecret(organizationId, one)));
  return Object.fromEntries(secrets.map((secret, i) => [earlier[i], secret.toString('hex')]));
}
