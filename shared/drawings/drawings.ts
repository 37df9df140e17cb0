import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getItem, type Item } from '../table/client.ts';
import { drawingKey, drawingsOf, entrantsInShards, rootTimestampKey } from '../table/drawing-keys.ts';
import type { Key } from '../table/keys.ts';
import { mergeRanges } from '../table/merged.ts';
import { readRange } from '../table/ranges.ts';
import type { Timestamp } from '../timestamps/timestamp.ts';
import type { DrawingState, EntryType } from '../vocabulary.ts';
import type { Entrant, EntrantListSummary } from './list.ts';
import type { DrawingTerms } from './terms.ts';

/** The result of one draw. Draws are numbered from 1: the winners, then the alternates. */
export type DrawnUser = {
  place: number;
  user_id: string;
  /** ISO instant. */
  won_at: string;
  /** The public reason if the prize is forfeited, and the place is drawn again. */
  forfeited?: string;
  /** ISO instant. */
  forfeited_at?: string;
};

export type Drawing = Key & {
  organization_id: string;
  terms: DrawingTerms;
  announced_at: string;
  state: DrawingState;
  /** Absent before the closing. */
  list?: EntrantListSummary & { closed_at: string };
  /** The signature of the announced round, in hex; absent before the draw. */
  signature?: string;
  /** The drawn users in the order of the draws. */
  drawn: DrawnUser[];
  called_off?: string;
};

/** Throws `drawingNotFound`. */
export async function readDrawing(organizationId: string, drawingId: string): Promise<Drawing> {
  const found = isId('drw', drawingId)
    ? await getItem<Drawing>(drawingKey(organizationId, drawingId))
    : undefined;
  if (!found) throw refusals.drawingNotFound();
  return found;
}

export const readDrawings = async (organizationId: string): Promise<Drawing[]> =>
  (await readRange(drawingsOf(organizationId), { consistent: true })) as Drawing[];

const maxShown = 100;

export const readNewestDrawings = async (organizationId: string): Promise<Drawing[]> => {
  const newest = { limit: maxShown, newestFirst: true, consistent: true };
  return (await readRange(drawingsOf(organizationId), newest)) as Drawing[];
};

/** A drawing with work left, which begins at `from` and is late an hour after `by` (epoch milliseconds). */
export type OpenDrawing = {
  drawing_id: string;
  type: EntryType;
  state: DrawingState;
  prize: DrawingTerms['prize'];
  closes: string;
  draws_at: string;
  /** Absent before the closing. */
  root?: string | undefined;
  from: number;
  by: number;
};

/** Open drawings are in the organization's item, so that a sweep finds them without other reads. */
export const openDrawingsIn = (organization: Item | undefined): OpenDrawing[] =>
  (organization?.drawings ?? []) as OpenDrawing[];

/** Returns the organization's field with the work on a drawing replaced, or removed if `work` is absent. */
export function withOpenDrawing(
  organization: Item,
  { terms: { drawing_id, type, prize, closes, draws_at }, state, list }: Drawing,
  work: Pick<OpenDrawing, 'from' | 'by'> | undefined,
): { drawings: OpenDrawing[] } {
  const others = openDrawingsIn(organization).filter((one) => one.drawing_id !== drawing_id);
  const one = { drawing_id, type, state, prize, closes, draws_at, root: list?.root };
  return { drawings: work ? [...others, { ...one, ...work }] : others };
}

export const placesHeld = (drawn: readonly DrawnUser[]): Set<number> =>
  new Set(drawn.filter(({ forfeited }) => forfeited === undefined).map(({ place }) => place));

/** Returns the places without a winner for which users are left to draw. */
export function openPlaces({ terms, list, drawn }: Drawing): number[] {
  const held = placesHeld(drawn);
  const all = Array.from({ length: terms.winners }, (_, index) => index + 1);
  return all.filter((place) => !held.has(place)).slice(0, (list?.entrants ?? 0) - drawn.length);
}

/** Reads the list of a drawing, sorted by user. It is whole once the drawing is closed. */
export async function readEntrantList({ organization_id, terms }: Drawing): Promise<Entrant[]> {
  const list: Entrant[] = [];
  const ranges = entrantsInShards(organization_id, terms.drawing_id);
  for await (const { items } of mergeRanges(ranges, { consistent: true }))
    for (const { position, item } of items)
      list.push({ user_id: `usr_${position}`, entries: Number(item.entries) });
  return list;
}

export async function readRootTimestamp({ organization_id, terms }: Drawing): Promise<Timestamp | undefined> {
  return getItem<Timestamp>(rootTimestampKey(organization_id, terms.drawing_id));
}
