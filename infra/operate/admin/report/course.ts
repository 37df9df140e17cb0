/** The course of a day: what was played and won in each of its hours, and who won last. Pure. */
import type { ChainedRecord } from '../../../../shared/accounts/records.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { isoOf } from '../../../../shared/time.ts';
import type { Row } from './csv.ts';
import type { Bounds } from './records.ts';
import { winnerRow } from './winners.ts';

const hourMs = 3_600_000;

/** An hour from an instant (ISO) on: plays by their type, and the cash that they won in whole USD. */
type Hour = { from: string; regular: number; amoe: number; cash_usd: number };
/** The hours of a day, 23 to 25 of them, and the winners of more than tickets and entries. */
export type Course = { begins: number; hours: Hour[]; winners: Row[] };

/** The course of a day before its first record. */
export function newCourse({ begins, ends }: Bounds): Course {
  const hours = Array.from({ length: (ends - begins) / hourMs }, (_, hour) => ({
    from: isoOf(begins + hour * hourMs),
    regular: 0,
    amoe: 0,
    cash_usd: 0,
  }));
  return { begins, hours, winners: [] };
}

/** Adds a record of the day, an outcome with the prizes of its table; test plays are left out. */
export function addToCourse(
  { begins, hours, winners }: Course,
  record: ChainedRecord,
  prizes: readonly Prize[],
): void {
  if (record.kind !== 'outcomes' || record.debug) return;
  const hour = hours[Math.floor((Date.parse(record.timestamp) - begins) / hourMs)];
  if (!hour) return;
  hour[record.play_type]++;
  hour.cash_usd += record.prize.cash_usd ?? 0;
  const winner = winnerRow(record, prizes, { atLeastUsd: 1, withoutCredits: true });
  if (winner) winners.push(winner);
}

/** The latest winners, up to so many, the latest first. */
export const latestWinners = ({ winners }: Course, most: number): Row[] =>
  winners.sort((a, b) => (String(a.outcome_id) < String(b.outcome_id) ? 1 : -1)).slice(0, most);
