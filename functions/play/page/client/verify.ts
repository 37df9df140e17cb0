import type { Fairness, ListedPrize } from '../view.ts';

export type Verdict = 'good' | 'seal' | 'draw';

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const hexOf = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The prizes that were in the draw, in the order of the table. */
const eligible = (prizes: readonly ListedPrize[], { tickets_only, cash_left_usd }: Fairness) =>
  prizes.filter(({ kind, amount }) => {
    if (tickets_only) return kind === 'tickets';
    return kind !== 'cash_usd' || cash_left_usd === null || amount <= cash_left_usd;
  });

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => hexOf(await crypto.subtle.digest('SHA-256', bytes));
const utf8 = (text: string) => new TextEncoder().encode(text);

/** What the draw's messages are: since version 2 the prizes that were in it are part of them. */
const messagesOf = async (inDraw: readonly ListedPrize[], { client_seed, draw_version }: Fairness) => {
  if ((draw_version ?? 1) === 1) return (counter: number) => `${client_seed}:0:${counter}`;
  const set = inDraw
    .filter(({ weight }) => weight > 0)
    .map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
  const digest = await sha256(utf8(JSON.stringify(set)));
  return (counter: number) => `${digest}\n0\n${counter}\n${client_seed}`;
};

/** A number below the weights' total, each equally likely: the first of the messages' words that fits. */
const drawTicket = async (inDraw: readonly ListedPrize[], fairness: Fairness) => {
  const total = inDraw.reduce((sum, { weight }) => sum + weight, 0);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytesOf(fairness.server_seed), algorithm, false, ['sign']);
  const message = await messagesOf(inDraw, fairness);
  const bits = 32 - Math.clz32(total - 1);
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  for (let counter = 0; ; counter++) {
    const words = new DataView(await crypto.subtle.sign('HMAC', key, utf8(message(counter))));
    for (let i = 0; i < 8; i++) {
      const ticket = (words.getUint32(i * 4) & mask) >>> 0;
      if (ticket < total) return ticket;
    }
  }
};

/** Draws the prize again from what was revealed; `seal` or `draw` name what does not hold. */
export const verifyDraw = async (
  fairness: Fairness,
  prizes: readonly ListedPrize[],
  sealed: string,
): Promise<Verdict> => {
  const seal = await sha256(bytesOf(fairness.server_seed));
  if (seal !== sealed || seal !== fairness.commitment) return 'seal';
  const inDraw = eligible(prizes, fairness);
  let ticket = await drawTicket(inDraw, fairness);
  const drawn = inDraw.find(({ weight }) => {
    ticket -= weight;
    return ticket < 0;
  });
  return drawn?.id === fairness.prize_id ? 'good' : 'draw';
};
