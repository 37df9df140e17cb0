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

/** The messages of a draw, by their number, as `shared/games/draw.ts` has them. */
const messagesOf = async (inDraw: readonly Prize[], { client_seed }: Fairness) => {
  const set = inDraw
    .filter(({ weight }) => weight > 0)
    .map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
  const digest = await digestOf(JSON.stringify(set));
  return (counter: number) => `${digest}\n0\n${counter}\n${client_seed}`;
};

/** A number below the weights' total, each equally likely: the first of the messages' words that fits. */
const drawTicket = async (inDraw: readonly Prize[], fairness: Fairness) => {
  const total = inDraw.reduce((sum, { weight }) => sum + weight, 0);
  // Nothing is below it, and the search for such a number would not end.
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
 * Whether the limits of a draw follow from what it says of the day's cash, wins and stock: the cash left is the limit, or
 * what its pace had made available, less what was won, and only tickets were in the draw exactly if that covered no
 * prize. Only a debug play can be outside of the day's cash.
 */
const limitsFollow = (prizes: readonly Prize[], fairness: Fairness) => {
  const { cash_left_usd: left, cash_granted_usd: granted, cash_limit_usd: limit } = fairness;
  const { cash_paced_usd: paced = limit, win_limit, wins } = fairness;
  const rules = rulesOf(fairness.debug);
  const { cashLeftUsd, ticketsOnly } = rules.limits(prizes, leftAt(fairness));
  if (cashLeftUsd !== left || ticketsOnly !== fairness.tickets_only) return false;
  if (!rules.isBudgeted) {
    const { stock_sequence, stock_out } = fairness;
    const unsaid = [granted, limit, paced, win_limit, wins, stock_sequence, stock_out];
    return unsaid.every((said) => said === undefined);
  }
  if ((win_limit === undefined) !== (wins === undefined)) return false;
  if (hasStock(prizes) !== (fairness.stock_sequence !== undefined)) return false;
  if (!isOfStock(prizes, fairness)) return false;
  return paced! <= limit! && left === Math.max(0, paced! - granted!);
};

/** Whether only prizes that have a stock were out of it, and a prize that has one says its number. */
const isOfStock = (prizes: readonly Prize[], { stock_out = [], stock_number, prize_id }: Fairness) => {
  const stocked = new Set(prizes.filter(isStocked).map(({ id }) => id));
  return stock_out.every((id) => stocked.has(id)) && stocked.has(prize_id) === (stock_number !== undefined);
};

/** What of a page a draw is checked against. */
type Shown = Pick<
  PageData,
  'game' | 'state' | 'prizes' | 'tickets_only' | 'prize_table_version' | 'commitment'
>;

/** Whether a draw is of a kind that its page could have led to. */
const isOfPage = ({ state, tickets_only, prize_table_version }: Shown, fairness: Fairness) => {
  const { debug, client_seed } = fairness;
  return (
    // A page that was not played yet has shown the player that a debug play draws tickets alone.
    !(state === 'ready' && debug === 'tickets_only' && !tickets_only) &&
    fairness.prize_table_version === prize_table_version &&
    typeof client_seed === 'string'
  );
};

/** Draws the prize again from what was revealed; `seal`, `odds`, `limits` or `draw` name what does not hold. */
export const verifyDraw = async (shown: Shown, outcome: Outcome, fairness: Fairness): Promise<Verdict> => {
  const { game, prizes = [], commitment } = shown;
  const seal = hexOf(await sha256(bytesOf(fairness.server_seed)));
  if (seal !== commitment || seal !== fairness.commitment) return 'seal';
  if (!isOfPage(shown, fairness)) return 'draw';
  if (!(await isTable(game, prizes, fairness.prize_table_version))) return 'odds';
  if (!limitsFollow(prizes, fairness)) return 'limits';
  const inDraw = eligibleOf(prizes, fairness);
  let ticket = await drawTicket(inDraw, fairness);
  const drawn = inDraw.find(({ weight }) => {
    ticket -= weight;
    return ticket < 0;
  });
  return drawn && isPrize(drawn, outcome, fairness) ? 'good' : 'draw';
};

/** Whether it is this prize, by its name and by what it is, that an outcome awarded. */
const isPrize = ({ id, kind, amount }: Prize, { prize }: Outcome, { prize_id }: Fairness) =>
  id === prize_id && JSON.stringify(prize) === JSON.stringify({ [kind]: amount });
