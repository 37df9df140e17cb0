/** The check of draws: each is made again, from the revealed secret of its day and the prizes that were in it. */
import { hasStock, isStocked } from '../../games/budgets.ts';
import { type DrawSet, drawFrom, drawSetOf } from '../../games/draw.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { gameStatusOf } from '../../games/prizes.ts';
import { prizesInDraw } from '../../games/rules.ts';
import { seedOfOutcome } from '../../games/seeds.ts';
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

/**
 * The server seed of an outcome, in hex, by the secret of its day; undefined, with a finding, if that is not
 * revealed.
 */
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
  checkBudgetsNamed(leaf, prizes, report);
  checkPrize(leaf, prizes, report);
  const set = setOfOutcome(drawing, leaf, prizes);
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
 * The set of prizes that an outcome was drawn from; undefined if none of them has any weight. Many limits
 * leave the same prizes in the draw: of cash, only the highest prize that it covers matters.
 */
export function setOfOutcome(
  { sets }: Pick<Drawing, 'sets'>,
  { prize_table_version, budgets, debug }: Pick<OutcomeLeaf, 'prize_table_version' | 'budgets' | 'debug'>,
  prizes: readonly Prize[],
): DrawSet | undefined {
  const { cash, stock, wins } = budgets ?? {};
  let most = -1;
  for (const { kind, amount } of prizes) {
    const isCovered = !cash || amount <= cash.limit - cash.granted;
    if (kind === 'cash_usd' && isCovered && amount > most) most = amount;
  }
  const winsUsedUp = wins && wins.granted >= wins.limit;
  const key = [prize_table_version, most, winsUsedUp, stock?.out?.join(), debug].join('|');
  if (!sets.has(key)) {
    const inDraw = prizesInDraw(prizes, budgets, debug);
    sets.set(key, inDraw.some(({ weight }) => weight > 0) ? drawSetOf(inDraw) : undefined);
  }
  return sets.get(key);
}

/**
 * Checks that an outcome names the budgets that its table and its rules ask for, and the number of a prize of
 * a stock.
 */
function checkBudgetsNamed(leaf: OutcomeLeaf, prizes: readonly Prize[], report: Report) {
  const { debug, prize_id, budgets } = leaf;
  const isBudgeted = debug !== 'jackpot';
  const won = prizes.find(({ id }) => id === prize_id);
  const mustCount = isBudgeted && won !== undefined && isStocked(won);
  if ((budgets !== undefined) !== isBudgeted) {
    report.finding('limits_do_not_follow', `Its budgets are ${budgets ? '' : 'not '}said.`);
  } else if (
    (budgets?.stock !== undefined) !== (isBudgeted && hasStock(prizes)) ||
    (budgets?.stock?.number !== undefined) !== mustCount
  ) {
    report.finding('limits_do_not_follow', `Its stock is ${budgets?.stock ? '' : 'not '}said.`);
  }
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
