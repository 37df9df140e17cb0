import type { Fairness, ListedPrize } from '../view.ts';
import { eligibleOf } from '../won.ts';
import { bytesOf, digestOf, hexOf, sha256, signerWith } from './digests.ts';

export type Verdict = 'good' | 'seal' | 'limits' | 'draw' | 'missing';

/** What the draw's messages are: since version 2 the prizes that were in it are part of them. */
const messagesOf = async (inDraw: readonly ListedPrize[], { client_seed, draw_version }: Fairness) => {
  if ((draw_version ?? 1) === 1) return (counter: number) => `${client_seed}:0:${counter}`;
  const set = inDraw
    .filter(({ weight }) => weight > 0)
    .map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
  const digest = await digestOf(JSON.stringify(set));
  return (counter: number) => `${digest}\n0\n${counter}\n${client_seed}`;
};

/** A number below the weights' total, each equally likely: the first of the messages' words that fits. */
const drawTicket = async (inDraw: readonly ListedPrize[], fairness: Fairness) => {
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

/** Whether what was left of the day's cash is its limit less what was won of it, and denied no cash that was left. */
const limitsFollow = (fairness: Fairness, prizes: readonly ListedPrize[]) => {
  const {
    cash_left_usd: left,
    cash_granted_usd: granted,
    cash_limit_usd: limit,
    tickets_only,
    debug,
  } = fairness;
  if (left === null || granted === undefined || limit === undefined) return true;
  const cash = prizes.filter(({ kind }) => kind === 'cash_usd');
  const isNone = cash.length > 0 && cash.every(({ amount }) => amount > left);
  return (
    left === Math.max(0, limit - granted) && (debug ? debug === 'tickets_only' : tickets_only === isNone)
  );
};

/** Draws the prize again from what was revealed; `seal`, `limits` or `draw` name what does not hold. */
export const verifyDraw = async (
  fairness: Fairness,
  prizes: readonly ListedPrize[],
  sealed: string,
): Promise<Verdict> => {
  const seal = hexOf(await sha256(bytesOf(fairness.server_seed)));
  if (seal !== sealed || seal !== fairness.commitment) return 'seal';
  if (!limitsFollow(fairness, prizes)) return 'limits';
  const inDraw = eligibleOf(prizes, fairness);
  let ticket = await drawTicket(inDraw, fairness);
  const drawn = inDraw.find(({ weight }) => {
    ticket -= weight;
    return ticket < 0;
  });
  return drawn?.id === fairness.prize_id ? 'good' : 'draw';
};
