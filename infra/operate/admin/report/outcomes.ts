import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import type { DrawSet } from '../../../../shared/games/draw.ts';
import { cachedDrawSet } from '../../../../shared/games/draw-sets.ts';
import { readPrizeTable } from '../../../../shared/games/organization-tables.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { type WonPrize, wonPrizeIn } from '../../../../shared/prizes/won-prize.ts';
import { type Bounds, recordsBetween } from './records.ts';

/** A cache of prize tables by version, because reading and verifying a table is slow. */
export type Tables = Map<string, readonly Prize[]>;

export async function prizesOf(
  { organization_id, game, prize_table_version: version }: OutcomeRecord,
  tables: Tables,
): Promise<readonly Prize[]> {
  const prizes = tables.get(version) ?? (await readPrizeTable(organization_id, game, version)).prizes;
  tables.set(version, prizes);
  return prizes;
}

/** Returns undefined for a test play, and for tickets and entries. */
export const wonIn = async (outcome: OutcomeRecord, tables: Tables): Promise<WonPrize | undefined> =>
  outcome.debug ? undefined : wonPrizeIn(outcome, await prizesOf(outcome, tables));

export async function setDrawnFrom(outcome: OutcomeRecord, tables: Tables): Promise<DrawSet | undefined> {
  const prizes = await prizesOf(outcome, tables);
  return cachedDrawSet(prizes, outcome.budgets, outcome.debug);
}

/** Calls `add` with each outcome between two times. Returns their number. */
export async function eachOutcome(
  organizationId: string,
  bounds: Bounds,
  add: (outcome: OutcomeRecord) => void | Promise<void>,
): Promise<number> {
  let read = 0;
  for await (const outcome of recordsBetween(organizationId, ['outcomes'], bounds)) {
    read++;
    await add(outcome);
  }
  return read;
}
