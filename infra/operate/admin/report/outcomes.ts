import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import type { DrawSet } from '../../../../shared/games/draw.ts';
import { cachedDrawSet } from '../../../../shared/games/draw-sets.ts';
import { readPrizeTable } from '../../../../shared/games/organization-tables.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { type WonPrize, wonPrizeIn } from '../../../../shared/prizes/won-prize.ts';
import { readRecordsBetween, type TimeRange } from './records.ts';

/** A cache of prize tables by version, because reading and verifying a table is slow. */
export type TableCache = Map<string, readonly Prize[]>;

export async function readPrizesOf(
  { organization_id, game, prize_table_version: version }: OutcomeRecord,
  tables: TableCache,
): Promise<readonly Prize[]> {
  const prizes = tables.get(version) ?? (await readPrizeTable(organization_id, game, version)).prizes;
  tables.set(version, prizes);
  return prizes;
}

/** Returns undefined for a test play, and for tickets and entries. */
export const readWin = async (outcome: OutcomeRecord, tables: TableCache): Promise<WonPrize | undefined> =>
  outcome.debug ? undefined : wonPrizeIn(outcome, await readPrizesOf(outcome, tables));

export async function readDrawSet(outcome: OutcomeRecord, tables: TableCache): Promise<DrawSet | undefined> {
  const prizes = await readPrizesOf(outcome, tables);
  return cachedDrawSet(prizes, outcome.budgets, outcome.debug);
}

/** Calls `add` with each outcome between two times. Returns their number. */
export async function forEachOutcome(
  organizationId: string,
  bounds: TimeRange,
  add: (outcome: OutcomeRecord) => void | Promise<void>,
): Promise<number> {
  let read = 0;
  for await (const outcome of readRecordsBetween(organizationId, ['outcomes'], bounds)) {
    read++;
    await add(outcome);
  }
  return read;
}
