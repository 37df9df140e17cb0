import { createHash, createHmac } from 'node:crypto';
import type { Fairness, ListedPrize } from '../../../functions/play/page/view.ts';

type Seeds = Pick<Fairness, 'server_seed' | 'client_seed'>;

export const commitmentOf = (serverSeed: string) =>
  createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');

/** The prize that the seeds give among those available, by rejection sampling of HMAC-SHA-256. */
export const draw = ({ server_seed, client_seed }: Seeds, prizes: readonly ListedPrize[]): ListedPrize => {
  const inDraw = prizes.filter(({ available }) => available);
  const total = inDraw.reduce((sum, { weight }) => sum + weight, 0);
  let mask = 1;
  while (mask < total - 1) mask = mask * 2 + 1;
  for (let counter = 0; ; counter++) {
    const digest = createHmac('sha256', Buffer.from(server_seed, 'hex'))
      .update(`${client_seed}:0:${counter}`)
      .digest();
    for (let i = 0; i < 8; i++) {
      const ticket = (digest.readUInt32BE(i * 4) & mask) >>> 0;
      if (ticket >= total) continue;
      let upTo = 0;
      for (const prize of inDraw) {
        upTo += prize.weight;
        if (ticket < upTo) return prize;
      }
    }
  }
};
