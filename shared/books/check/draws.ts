/**
 * Checks draws by repeating each draw with the revealed secret of its day and the prizes that were available.
 */
import { hasStock, isStocked } from '../../games/budgets.ts';
import { type DrawSet, drawFrom, drawSetOf } from '../../games/draw.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { gameStatusOf } from '../../games/prizes.ts';
import { prizesInDraw } from '../../games/rules.ts';
import { seedOfOutcome } from '../../games/seeds.ts';
import type { PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/** The context for repeating a day's draws: hex secrets by day, and prizes by table version. */
export type Drawing = {
  secrets: Readonly<Record<string, string>>;
  tables: Readonly<Record<string, readonly Prize[]>>;
  /** Caches the prizes available to a draw, by the prize table and the limits that determine them. */
  sets: Map<string, DrawSet | undefined>;
};

/** Returns the context for repeating a day's draws, with an empty cache. */
export const newDrawing = (secrets: Drawing['secrets'], tables: Drawing['tables']): Drawing => ({
  secrets,
  tables,
  sets: new Map(),
});

/** Returns an outcome's server seed in hex. Reports a finding if the day's secret is not revealed. */
export function findSeed(leaf: OutcomeLeaf, { secrets }: Drawing, report: Report): string | undefined {
  const { secret_day: day } = leaf;
  const secret = Object.hasOwn(secrets, day) ? secrets[day] : undefined;
  if (secret) return seedOfOutcome(Buffer.from(secret, 'hex'), leaf);
  report.finding('secret_missing', `The draw used the secret of ${day}, which is not revealed.`);
  return undefined;
}

/**
 * Repeats an outcome's draw and checks its prize. Returns undefined if the prize table is unknown or no prize
 * was available.
 */
export function checkDraw(
  leaf: OutcomeLeaf,
  serverSeed: string,
  drawing: Drawing,
  report: Report,
): DrawSet | undefined {
  const { client_seed: clientSeed, spin_index: spinIndex, prize_table_version: version } = leaf;
  const prizes = Object.hasOwn(drawing.tables, version) ? drawing.tables[version] : undefined;
  if (!prizes) report.finding('table_missing', `The draw used table “${version}”.`);
  if (!prizes) return undefined;
  checkBudgetsNamed(leaf, prizes, report);
  checkPrize(leaf, prizes, report);
  const set = setOfOutcome(drawing, leaf, prizes);
  if (!set) {
    report.finding('limits_do_not_follow', 'By the recorded limits no prize was available.');
    return undefined;
  }
  const prize = drawFrom(set, { serverSeed, clientSeed, spinIndex });
  if (prize.id !== leaf.prize_id) {
    report.finding(
      'prize_not_drawn',
      `The recorded prize is “${leaf.prize_id}”; the seeds give “${prize.id}”.`,
    );
  }
  return set;
}

/**
 * Returns the prizes that an outcome was drawn from, or undefined if no prize was available. Caches each set
 * in `sets`, with the largest cash prize that is covered in the cache key, not the remaining cash.
 */
export function setOfOutcome(
  { sets }: Pick<Drawing, 'sets'>,
  { prize_table_version, budgets, debug }: Pick<OutcomeLeaf, 'prize_table_version' | 'budgets' | 'debug'>,
  prizes: readonly Prize[],
): DrawSet | undefined {
  const { cash, stock, wins } = budgets ?? {};
  let maxCash = -1;
  for (const { kind, amount } of prizes) {
    const isCovered = !cash || amount <= cash.limit - cash.granted;
    if (kind === 'cash_usd' && isCovered && amount > maxCash) maxCash = amount;
  }
  const winsUsedUp = wins && wins.granted >= wins.limit;
  const key = [prize_table_version, maxCash, winsUsedUp, stock?.out?.join(), debug].join('|');
  if (!sets.has(key)) {
    const inDraw = prizesInDraw(prizes, budgets, debug);
    sets.set(key, inDraw.some(({ weight }) => weight > 0) ? drawSetOf(inDraw) : undefined);
  }
  return sets.get(key);
}

/**
 * Checks that an outcome's record contains exactly the budgets, and the win's number, that its prize table
 * requires.
 */
function checkBudgetsNamed(leaf: OutcomeLeaf, prizes: readonly Prize[], report: Report) {
  const { debug, prize_id, budgets } = leaf;
  const isBudgeted = debug !== 'jackpot';
  const won = prizes.find(({ id }) => id === prize_id);
  const mustCount = isBudgeted && won !== undefined && isStocked(won);
  if ((budgets !== undefined) !== isBudgeted) {
    report.finding(
      'limits_do_not_follow',
      `The record ${budgets ? 'has budgets that it must not have' : 'does not state its budgets'}.`,
    );
  } else if (
    (budgets?.stock !== undefined) !== (isBudgeted && hasStock(prizes)) ||
    (budgets?.stock?.number !== undefined) !== mustCount
  ) {
    report.finding('limits_do_not_follow', 'The record’s stock and prize number do not fit its prize table.');
  }
}

function checkPrize(leaf: OutcomeLeaf, prizes: readonly Prize[], report: Report) {
  const [kind] = Object.keys(leaf.prize) as PrizeKind[];
  const said = prizes.find(({ id }) => id === leaf.prize_id);
  if (!said || kind !== said.kind || leaf.prize[kind] !== said.amount) {
    const given = JSON.stringify(leaf.prize);
    report.finding('prize_not_as_in_table', `The record gives prize “${leaf.prize_id}” as ${given}.`);
  }
  if (!kind || gameStatusOf[kind] !== leaf.game_status) {
    report.finding('game_status_differs', `The game status is “${leaf.game_status}”.`);
  }
}
