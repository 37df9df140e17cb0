import { hasStock, isStocked } from '../../../../shared/games/budgets.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { playRulesOf } from '../../../../shared/games/rules.ts';
import type { ClientData } from '../page-data.ts';
import type { Fairness, Outcome } from '../view.ts';
import { prizesOfDraw } from '../won.ts';
import { bytesOfHex, hexOf, hmacSigner, sha256, sha256Hex } from './digests.ts';
import { isPrizeTableVersion } from './tables.ts';

export type DrawVerdict = 'good' | 'otherCommitment' | 'odds' | 'draw' | 'missing' | 'elsewhere';

const messagesOf = async (inDraw: readonly Prize[], { client_seed }: Fairness) => {
  const set = inDraw
    .filter(({ weight }) => weight > 0)
    .map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
  const digest = await sha256Hex(JSON.stringify(set));
  return (counter: number) => `${digest}\n0\n${counter}\n${client_seed}`;
};

/** Recomputes a draw's random number, from 0 to the sum of the weights minus 1. */
const drawTicket = async (inDraw: readonly Prize[], fairness: Fairness) => {
  const total = inDraw.reduce((sum, { weight }) => sum + weight, 0);
  // The weights come from the server. If their sum were below 1, no random number would be below the sum, and
  // the loop would never end.
  if (!(total >= 1)) throw new Error('no prize can be drawn');
  const sign = await hmacSigner(fairness.server_seed);
  const message = await messagesOf(inDraw, fairness);
  const bits = 32 - Math.clz32(total - 1);
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  for (let counter = 0; ; counter++) {
    const words = new DataView(await sign(message(counter)));
    for (let i = 0; i < 8; i++) {
      const ticket = (words.getUint32(i * 4) & mask) >>> 0;
      // Skips numbers that are too large, so that each number is equally likely.
      if (ticket < total) return ticket;
    }
  }
};

/** Returns whether the stated budgets fit the prizes. The draw of a forced prize must state none. */
const namesBudgets = (prizes: readonly Prize[], { budgets, debug, prize_id }: Fairness) => {
  if (!budgets || !playRulesOf(debug).isBudgeted) return !budgets && !playRulesOf(debug).isBudgeted;
  const { cash, wins, stock } = budgets;
  const stocked = new Set(prizes.filter(isStocked).map(({ id }) => id));
  return (
    [cash, ...(wins ? [wins] : [])].every(({ granted, limit }) => isCount(granted) && isCount(limit)) &&
    hasStock(prizes) === (stock !== undefined) &&
    (stock?.out ?? []).every((id) => stocked.has(id)) &&
    stocked.has(prize_id) === (stock?.number !== undefined)
  );
};

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

type Shown = Pick<
  ClientData,
  'game' | 'state' | 'prizes' | 'tickets_only' | 'prize_table_version' | 'commitment'
>;

const isOfPage = ({ state, tickets_only, prize_table_version }: Shown, fairness: Fairness) => {
  const { debug, client_seed } = fairness;
  return (
    // A draw forced to `tickets_only` is valid only if this page, loaded before the play, showed `tickets_only`. A page
    // loaded later cannot check this.
    !(state === 'ready' && debug === 'tickets_only' && !tickets_only) &&
    fairness.prize_table_version === prize_table_version &&
    typeof client_seed === 'string'
  );
};

/** Repeats the draw with the revealed seeds. Returns `good`, or the name of the check that failed. */
export const verifyDraw = async (
  shown: Shown,
  outcome: Outcome,
  fairness: Fairness,
): Promise<DrawVerdict> => {
  const { game, prizes = [], commitment } = shown;
  const revealed = hexOf(await sha256(bytesOfHex(fairness.server_seed)));
  if (revealed !== commitment || revealed !== fairness.commitment) return 'otherCommitment';
  if (!isOfPage(shown, fairness)) return 'draw';
  if (!(await isPrizeTableVersion(game, prizes, fairness.prize_table_version))) return 'odds';
  if (!namesBudgets(prizes, fairness)) return 'draw';
  const inDraw = prizesOfDraw(prizes, fairness);
  let ticket = await drawTicket(inDraw, fairness);
  const drawn = inDraw.find(({ weight }) => {
    ticket -= weight;
    return ticket < 0;
  });
  return drawn && isPrize(drawn, outcome, fairness) ? 'good' : 'draw';
};

const isPrize = ({ id, kind, amount }: Prize, { prize }: Outcome, { prize_id }: Fairness) =>
  id === prize_id && JSON.stringify(prize) === JSON.stringify({ [kind]: amount });
