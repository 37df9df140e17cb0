/** The terms of a drawing, which cannot change after the announcement. */
import { type BeaconParameters, firstRoundAt, quicknet, timeOfRound } from '../drand/rounds.ts';
import { settledAfterMs } from '../table/settled.ts';
import { addDays, dayOf, maxClockSkewMs, startOfDay } from '../time.ts';
import type { EntryType, Lang } from '../vocabulary.ts';

export type DrawingTerms = {
  drawing_id: string;
  type: EntryType;
  /** The closing day (New York), whose entries still count. */
  closes: string;
  /** ISO instant. The drawing uses the first round of the beacon at or after it. */
  draws_at: string;
  round: number;
  winners: number;
  prize: Record<Lang, string>;
  value_usd: number;
  claim_days: number;
  /** Absent for the public quicknet. */
  beacon?: BeaconParameters;
  /** Set on stages for tests, for a drawing that closes at once. */
  is_test?: true;
};

export const beaconOf = ({ beacon }: DrawingTerms): BeaconParameters => beacon ?? quicknet;
export const roundOf = (terms: DrawingTerms): number =>
  firstRoundAt(beaconOf(terms), Date.parse(terms.draws_at));
/** Epoch milliseconds before which nobody knows the winners. */
export const drawableAt = (terms: DrawingTerms): number => timeOfRound(beaconOf(terms), terms.round);

/** Returns the midnight that ends the closing day, in epoch milliseconds. */
export const closingMidnight = ({ closes }: DrawingTerms): number => startOfDay(addDays(closes, 1));

/** Epoch milliseconds at which the closing begins: by then, all records from before midnight have appeared. */
export const closingStartsAt = (terms: DrawingTerms): number =>
  closingMidnight(terms) + settledAfterMs + 2 * maxClockSkewMs;

/** The latest time at which a list counts as made before its round (epoch milliseconds), although clocks differ. */
export const mustCloseBefore = (terms: DrawingTerms): number => drawableAt(terms) - maxClockSkewMs;

/** Days between the closing day and the day of the draw. In between, the list is published. */
const publishedDays = 2;
/** Days from an announcement to the day of its draw, at most. */
const maxDays = 366;

/** Returns the term that is not possible if a drawing is announced at `now` (epoch milliseconds), and why. */
export function faultInTerms(
  terms: DrawingTerms,
  now: number,
): { term: 'closes' | 'draws_at'; reason: string } | undefined {
  const { closes, draws_at, is_test } = terms;
  if (is_test) return undefined;
  const today = dayOf(now);
  if (closes < today) return { term: 'closes', reason: `${closes} has passed` };
  if (closes === today)
    return {
      term: 'closes',
      reason: `A drawing must be announced before its closing day, but ${closes} is today`,
    };
  const drawn = dayOf(Date.parse(draws_at));
  if (drawn < addDays(closes, publishedDays) || drawn > addDays(today, maxDays))
    return {
      term: 'draws_at',
      reason: `The draw must be at least ${publishedDays} days after the closing day, and within ${maxDays} days`,
    };
  return undefined;
}

/** Adds the draw's number if it differs from the place, because a user who forfeited keeps the id. */
export const drawnPrizeIdOf = (drawingId: string, place: number, number: number): string =>
  `${drawingId}:${place}${number === place ? '' : `:${number}`}`;
