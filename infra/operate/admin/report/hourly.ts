/** Collects a day's plays and cash by hour, and its latest winners. */
import type { UserRecord } from '../../../../shared/accounts/records.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { isoOf } from '../../../../shared/time.ts';
import type { CsvRow } from './csv.ts';
import type { TimeRange } from './records.ts';
import { winnerRow } from './winners.ts';

const hourMs = 3_600_000;

/** The figures of one hour, which starts at `from` (ISO). `cash_usd` is whole USD. */
type Hour = { from: string; regular: number; amoe: number; cash_usd: number };
/** The hourly figures of a New York day (23 to 25 hours). `winners` omits tickets, entries and prizes under $1. */
type Hourly = { begins: number; hours: Hour[]; winners: CsvRow[] };

export function newHourlyFigures({ begins, ends }: TimeRange): Hourly {
  const hours = Array.from({ length: (ends - begins) / hourMs }, (_, hour) => ({
    from: isoOf(begins + hour * hourMs),
    regular: 0,
    amoe: 0,
    cash_usd: 0,
  }));
  return { begins, hours, winners: [] };
}

/** Ignores test plays and records other than outcomes. `prizes` is the prize table of the outcome. */
export function addHourlyFigures(
  { begins, hours, winners }: Hourly,
  record: UserRecord,
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

/** Returns up to `maxRows` of the latest winners, newest first. */
export const latestWinners = ({ winners }: Hourly, maxRows: number): CsvRow[] =>
  winners.sort((a, b) => (String(a.outcome_id) < String(b.outcome_id) ? 1 : -1)).slice(0, maxRows);
