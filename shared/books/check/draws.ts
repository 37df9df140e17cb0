/** The check of draws: each is made again, from the revealed secret of its day and the prizes that were in it. */
import { type DrawSet, drawFrom, drawSetOf } from '../../games/draw.ts';
import { leftAt } from '../../games/fairness.ts';
import { eligiblePrizes, type Limits } from '../../games/limits.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { gameStatusOf } from '../../games/prizes.ts';
import { rulesOf } from '../../games/rules.ts';
import { seedOfOutcome } from '../../games/seeds.ts';
import { hasStock, isStocked } from '../../games/stock.ts';
import type { PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/** What draws of a day are checked against: the revealed secrets by their day in hex, and the tables by version. */
export type Drawing = {
  secrets: Readonly<Record<string, string>>;
  tables: Readonly<Record<string, readonly Prize[]>>;
  /** Sets that were met before. */
  sets: Map<string, DrawSet | undefined>;
};

/** What the draws of a day are checked against. */
export const newDrawing = (secrets: Drawing['secrets'], tables: Drawing['tables']): Drawing => ({
  secrets,
  tables,
  sets: new Map(),
});

/** The server seed of an outcome, in hex, by the secret of its day; undefined, with a finding, if that is not revealed. */
export function findSeed(leaf: OutcomeLeaf, { secrets }: Drawing, report: Report): string | undefined {
  const { secret_day: day } = leaf;
  const secret = Object.hasOwn(secrets, day) ? secrets[day] : undefined;
  if (secret) return seedOfOutcome(Buffer.from(secret, 'hex'), leaf);
  report.finding('secret_missing', `It was drawn with the secret of ${day}.`);
  return undefined;
}

/**
 * Draws an outcome again from its server seed, its table and what was left for it, and checks all that follows. Returns
 * the set of prizes it was drawn from; undefined if its table is not known.
 */
export function checkDraw(
  leaf: OutcomeLeaf,
  serverSeed: string,
  drawing: Drawing,
  report: Report,
): DrawSet | undefined {
  const { client_seed: clientSeed, spin_index: spinIndex, prize_table_version: version } = leaf;
  const prizes = Object.hasOwn(drawing.tables, version) ? drawing.tables[version] : undefined;
  if (!prizes) report.finding('table_missing', `It was drawn from “${version}”.`);
  if (!prizes) return undefined;
  const limits = rulesOf(leaf.debug).limits(prizes, leftAt(leaf));
  checkLimits(leaf, limits, report);
  checkStockSaid(leaf, prizes, report);
  checkPrize(leaf, prizes, report);
  const set = setOfOutcome(drawing, leaf, prizes, limits);
  if (!set) {
    report.finding('limits_do_not_follow', 'No prize was left to be drawn.');
    return undefined;
  }
  const prize = drawFrom(set, { serverSeed, clientSeed, spinIndex });
  if (prize.id !== leaf.prize_id) {
    report.finding('prize_not_drawn', `The prize is “${leaf.prize_id}”, and its seeds give “${prize.id}”.`);
  }
  return set;
}

/**
 * The set of prizes that an outcome was drawn from; undefined if none of them has any weight. Of many limits the same
 * prizes are in the draw: what matters is the highest cash prize that they leave.
 */
export function setOfOutcome(
  { sets }: Pick<Drawing, 'sets'>,
  { prize_table_version, debug }: Pick<OutcomeLeaf, 'prize_table_version' | 'debug'>,
  prizes: readonly Prize[],
  limits: Limits,
): DrawSet | undefined {
  let most = -1;
  for (const { kind, amount } of prizes) {
    const isLeft = limits.cashLeftUsd === null || amount <= limits.cashLeftUsd;
    if (kind === 'cash_usd' && isLeft && amount > most) most = amount;
  }
  const { ticketsOnly, winsUsedUp = false, out = [] } = limits;
  const key = [prize_table_version, most, ticketsOnly, winsUsedUp, out.join(), debug].join('|');
  if (!sets.has(key)) {
    const inPlay = rulesOf(debug).inPlay(prizes);
    const hasWeight = eligiblePrizes(inPlay, limits).some(({ weight }) => weight > 0);
    sets.set(key, hasWeight ? drawSetOf(inPlay, limits) : undefined);
  }
  return sets.get(key);
}

function checkLimits(leaf: OutcomeLeaf, { ticketsOnly }: Limits, report: Report) {
  const isOutside = leaf.debug === 'jackpot';
  if (leaf.tickets_only !== ticketsOnly) {
    report.finding('limits_do_not_follow', `Its “tickets_only” is ${leaf.tickets_only}.`);
  } else if ((leaf.cash_left_usd === null) !== isOutside) {
    report.finding('limits_do_not_follow', `Its “cash_left_usd” is ${leaf.cash_left_usd}.`);
  }
}

/** Whether an outcome says how the stock of its table stood, if it has one, and the number of a prize of it. */
function checkStockSaid(leaf: OutcomeLeaf, prizes: readonly Prize[], report: Report) {
  const isBudgeted = leaf.debug !== 'jackpot';
  const won = prizes.find(({ id }) => id === leaf.prize_id);
  const mustSay = isBudgeted && hasStock(prizes);
  const mustCount = isBudgeted && won !== undefined && isStocked(won);
  const says = leaf.stock_sequence !== undefined;
  if (says === mustSay && (leaf.stock_number !== undefined) === mustCount) return;
  report.finding('limits_do_not_follow', `Its stock is ${says ? '' : 'not '}said.`);
}

function checkPrize(leaf: OutcomeLeaf, prizes: readonly Prize[], report: Report) {
  const [kind] = Object.keys(leaf.prize) as PrizeKind[];
  const said = prizes.find(({ id }) => id === leaf.prize_id);
  if (!said || kind !== said.kind || leaf.prize[kind] !== said.amount) {
    const given = JSON.stringify(leaf.prize);
    report.finding('prize_not_as_in_table', `The prize “${leaf.prize_id}” is given as ${given}.`);
  }
  if (!kind || gameStatusOf[kind] !== leaf.game_status) {
    report.finding('game_status_differs', `Its status is “${leaf.game_status}”.`);
  }
}
