/** Repeats draws with the revealed secret of their day and the prizes that were available. */
import type { OutcomeRecord } from '../../accounts/records.ts';
import type { User } from '../../accounts/user.ts';
import { type Budgets, hasStock, usd } from '../../games/budgets.ts';
import type { DrawSet } from '../../games/draw.ts';
import { decideSpin, NoPrize, type Spin } from '../../games/outcomes.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { isWin } from '../../games/prizes.ts';
import { rulesOf } from '../../games/rules.ts';
import { seedOfOutcome } from '../../games/seeds.ts';
import { dayOf } from '../../time.ts';
import type { PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Code } from './findings.ts';
import { isOfDraw, noPrize } from './replay.ts';
import { type Difference, differencesOf, type FieldCodes } from './user-state.ts';

/** The result of deciding a spin again. `set` is absent if no prize was available. */
export type Redrawn = { user: User; differences: Difference[]; set?: DrawSet };

/** Decides a spin by the service's rules, and compares the result with the outcome's record. */
export function redraw(user: User, spin: Spin, leaf: OutcomeLeaf, now: number): Redrawn {
  try {
    const { user: after, fields, set } = decideSpin(user, spin, now);
    const differences = differencesOf(after, fields, leaf, codesOfOutcome);
    return { user: after, differences, set };
  } catch (error) {
    if (!(error instanceof NoPrize)) throw error;
    const sentence = 'The limits and the prize table leave no prize.';
    return { user, differences: [{ field: noPrize, code: 'limits_differ', sentence }] };
  }
}

const codesOfOutcome: FieldCodes = {
  prize_id: 'prize_not_drawn',
  prize: 'prize_not_as_in_table',
  game_status: 'game_status_differs',
  result_effective_date: 'effective_date_differs',
  budgets: (expected, found, leaf) =>
    codeOfBudgets(expected as Recorded, found as Recorded, leaf as OutcomeLeaf),
};
type Recorded = OutcomeLeaf['budgets'];

/** Returns the code of the first difference between the budgets in an outcome's record and the expected budgets. */
function codeOfBudgets(expected: Recorded, found: Recorded, { prize }: OutcomeLeaf): Code {
  if (!expected || !found) return 'limits_differ';
  if (expected.day !== found.day) return 'budget_of_another_day';
  if (expected.cash.limit !== found.cash.limit) return 'limit_not_in_force';
  if (expected.wins?.limit !== found.wins?.limit) return 'limit_not_in_force';
  const { wins } = expected;
  if (!wins || wins.granted === found.wins?.granted) return 'limits_differ';
  return isWon(prize) && wins.granted >= wins.limit ? 'budget_exceeded' : 'budget_view_differs';
}

/** Returns whether a prize counts towards the user's daily win limit. */
export const isWon = (prize: OutcomeLeaf['prize']): boolean =>
  Object.keys(prize).some((kind) => isWin(kind as PrizeKind));

/**
 * Repeats an outcome's draw with the inputs from its record. Returns the differences from the record. `replayOutcome`
 * compares the inputs with the rules.
 */
export function redrawAsRecorded(user: User, leaf: OutcomeLeaf, secret: Buffer, prizes: readonly Prize[]) {
  const at = Date.parse(leaf.timestamp);
  const day = leaf.budgets?.day ?? dayOf(at);
  const { granted = 0, limit = 0 } = leaf.budgets?.wins ?? {};
  const before = { ...user, wins: { day, count: granted } };
  const cashLimit = leaf.budgets ? leaf.budgets.cash.limit : Number.POSITIVE_INFINITY;
  const budgets = budgetsOf(leaf, prizes, day, cashLimit);
  const spin = { ...spinAsRecorded(leaf, secret, prizes), budgets, winLimit: limit };
  const { differences, set } = redraw(before, spin, leaf, at);
  // Reports only the prize if the prize is wrong, because the amounts and the stock number then differ as a
  // consequence.
  const another = differences.filter(({ field }) => field === 'prize_id');
  const isStockNamed =
    !rulesOf(leaf.debug).isBudgeted || hasStock(prizes) === (leaf.budgets?.stock !== undefined);
  const onlyPrize = another.length > 0 && isStockNamed;
  return { differences: onlyPrize ? another : differences.filter(isOfDrawOrNoPrize), set };
}

const isOfDrawOrNoPrize = (one: Difference) => isOfDraw(one) || one.field === noPrize;

/** Returns a spin's inputs, taken from the outcome's record. */
const spinAsRecorded = (
  leaf: OutcomeLeaf,
  secret: Buffer,
  prizes: readonly Prize[],
): Omit<Spin, 'budgets' | 'winLimit'> => ({
  game: leaf.game,
  table: { version: leaf.prize_table_version, prizes: prizes as Prize[] },
  playType: leaf.play_type,
  seeds: {
    serverSeed: seedOfOutcome(secret, leaf as OutcomeRecord),
    clientSeed: leaf.client_seed,
    spinIndex: leaf.spin_index,
  },
  seedFields: seedFieldsOf(leaf),
  cost: leaf.cost,
  resultEffectiveDate: leaf.result_effective_date,
  debug: leaf.debug,
});

/** Returns the fields of an outcome that its server seed is derived from. */
export function seedFieldsOf(leaf: OutcomeLeaf): Spin['seedFields'] {
  const { secret_day, token_hash, expires_at, order_id, order_sequence, beacon_round, beacon_out } = leaf;
  if (token_hash) return { secret_day, token_hash, expires_at };
  const beacon = beacon_out ? { beacon_out } : { beacon_round };
  return { secret_day, order_id, order_sequence, ...beacon };
}

/**
 * Returns the shared budgets as stated in an outcome's record. Only `checkBudget`, which has all users'
 * outcomes, can verify their state.
 */
export function budgetsOf(
  { budgets, prize_id }: OutcomeLeaf,
  prizes: readonly Prize[],
  day: string,
  limit: number,
): Budgets {
  const { grants = 0, granted = 0 } = budgets?.cash ?? {};
  const sums = { [usd]: granted };
  const cash = { grants, day, granted: sums, grantedOnDay: sums, limit, limitOfDay: limit };
  if (!hasStock(prizes)) return { day, cash };
  const { grants: stockGrants = 0, out = [], number, number_of_day = 1 } = budgets?.stock ?? {};
  const [ever, today]: Record<string, number>[] = [{}, {}];
  for (const { id, stock, stock_per_day } of prizes) {
    if (!out.includes(id)) continue;
    if (stock !== undefined) ever![id] = stock;
    if (stock_per_day !== undefined) today![id] = stock_per_day;
  }
  if (number !== undefined) {
    ever![prize_id] = number - 1;
    today![prize_id] = number_of_day - 1;
  }
  return { day, cash, stock: { grants: stockGrants, day, granted: ever!, grantedOnDay: today! } };
}
