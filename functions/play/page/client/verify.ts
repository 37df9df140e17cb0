import { leftAt } from '../../../../shared/games/fairness.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { rulesOf } from '../../../../shared/games/rules.ts';
import { hasStock, isStocked } from '../../../../shared/games/stock.ts';
import type { PageData } from '../page-data.ts';
import type { Fairness, Outcome } from '../view.ts';
import { eligibleOf } from '../won.ts';
import { bytesOf, digestOf, hexOf, sha256, signerWith } from './digests.ts';
import { isTable } from './tables.ts';

export type Verdict = 'good' | 'seal' | 'odds' | 'limits' | 'draw' | 'missing' | 'elsewhere';

/** Returns the message of a draw for a counter, as in `shared/games/draw.ts`. */
const messagesOf = async (inDraw: readonly Prize[], { client_seed }: Fairness) => {
  const set = inDraw
    .filter(({ weight }) => weight > 0)
    .map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
  const digest = await digestOf(JSON.stringify(set));
  return (counter: number) => `${digest}\n0\n${counter}\n${client_seed}`;
};

/**
 * Returns the drawn number: uniformly distributed below the sum of the weights, taken from the HMACs of the
 * messages by rejection sampling.
 */
const drawTicket = async (inDraw: readonly Prize[], fairness: Fairness) => {
  const total = inDraw.reduce((sum, { weight }) => sum + weight, 0);
  // No number would be below the total, so the loop would never end.
  if (!(total >= 1)) throw new Error('no prize can be drawn');
  const sign = await signerWith(fairness.server_seed);
  const message = await messagesOf(inDraw, fairness);
  const bits = 32 - Math.clz32(total - 1);
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  for (let counter = 0; ; counter++) {
    const words = new DataView(await sign(message(counter)));
    for (let i = 0; i < 8; i++) {
      const ticket = (words.getUint32(i * 4) & mask) >>> 0;
      if (ticket < total) return ticket;
    }
  }
};

/**
 * Whether the limits of a draw are consistent with the day's cash, wins and stock that it states. The cash
 * left must be the limit, or the paced part of it, minus the cash granted before. If it covers no cash prize,
 * only tickets may be in the draw. A debug play outside the budgets has none of these fields.
 */
const areLimitsConsistent = (prizes: readonly Prize[], fairness: Fairness) => {
  const { cash_left_usd: left, cash_granted_usd: granted, cash_limit_usd: limit } = fairness;
  const { cash_paced_usd: paced = limit, win_limit, wins } = fairness;
  const rules = rulesOf(fairness.debug);
  const { cashLeftUsd, ticketsOnly } = rules.limits(prizes, leftAt(fairness));
  if (cashLeftUsd !== left || ticketsOnly !== fairness.tickets_only) return false;
  if (!rules.isBudgeted) {
    const { stock_sequence, stock_out } = fairness;
    const fields = [granted, limit, paced, win_limit, wins, stock_sequence, stock_out];
    return fields.every((field) => field === undefined);
  }
  if ((win_limit === undefined) !== (wins === undefined)) return false;
  if (hasStock(prizes) !== (fairness.stock_sequence !== undefined)) return false;
  if (!isStockConsistent(prizes, fairness)) return false;
  return paced! <= limit! && left === Math.max(0, paced! - granted!);
};

/**
 * Whether all prizes that were out of stock have a stock, and the drawn prize has a number exactly if it has
 * a stock.
 */
const isStockConsistent = (
  prizes: readonly Prize[],
  { stock_out = [], stock_number, prize_id }: Fairness,
) => {
  const stocked = new Set(prizes.filter(isStocked).map(({ id }) => id));
  return stock_out.every((id) => stocked.has(id)) && stocked.has(prize_id) === (stock_number !== undefined);
};

/** The page's data against which a draw is checked. */
type Shown = Pick<
  PageData,
  'game' | 'state' | 'prizes' | 'tickets_only' | 'prize_table_version' | 'commitment'
>;

/** Whether the page could have led to this draw. */
const isOfPage = ({ state, tickets_only, prize_table_version }: Shown, fairness: Fairness) => {
  const { debug, client_seed } = fairness;
  return (
    // A `tickets_only` debug play must have been announced by the page before the play.
    !(state === 'ready' && debug === 'tickets_only' && !tickets_only) &&
    fairness.prize_table_version === prize_table_version &&
    typeof client_seed === 'string'
  );
};

/**
 * Repeats the draw with the revealed seeds. Returns `good`, or the check that failed: `seal`, `odds`,
 * `limits`, `draw`.
 */
export const verifyDraw = async (shown: Shown, outcome: Outcome, fairness: Fairness): Promise<Verdict> => {
  const { game, prizes = [], commitment } = shown;
  const seal = hexOf(await sha256(bytesOf(fairness.server_seed)));
  if (seal !== commitment || seal !== fairness.commitment) return 'seal';
  if (!isOfPage(shown, fairness)) return 'draw';
  if (!(await isTable(game, prizes, fairness.prize_table_version))) return 'odds';
  if (!areLimitsConsistent(prizes, fairness)) return 'limits';
  const inDraw = eligibleOf(prizes, fairness);
  let ticket = await drawTicket(inDraw, fairness);
  const drawn = inDraw.find(({ weight }) => {
    ticket -= weight;
    return ticket < 0;
  });
  return drawn && isPrize(drawn, outcome, fairness) ? 'good' : 'draw';
};

/** Whether an outcome awarded this prize, by the prize's id as well as by kind and amount. */
const isPrize = ({ id, kind, amount }: Prize, { prize }: Outcome, { prize_id }: Fairness) =>
  id === prize_id && JSON.stringify(prize) === JSON.stringify({ [kind]: amount });
