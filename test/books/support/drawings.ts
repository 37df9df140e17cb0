/** Announces, closes and draws drawings in a world, as the service does. Implements the list and the draw anew. */
import { localBeacon, signRound } from '../../../infra/develop/local/beacon.ts';
import { dayAt, daysAfter, hexDigest, hmac, midnightOf, newTree, ulidOf } from './plain.ts';
import { act, post, type Rec, type User, type World } from './world.ts';

const hour = 3_600_000;

export type Terms = Record<string, unknown> & {
  drawing_id: string;
  round: number;
  closes: string;
  draws_at: string;
};

/** The announcement of a drawing of truck entries, which closes on the next day. */
export function announce(world: World, changed: Record<string, unknown> = {}): Terms {
  const closes = daysAfter(dayAt(world.now), 1);
  const drawsAt = midnightOf(daysAfter(closes, 3)) + hour;
  const terms = {
    drawing_id: `drw_${ulidOf(world.now, `drawing ${world.actions.sequence}`)}`,
    type: 'truck',
    closes,
    draws_at: new Date(drawsAt).toISOString(),
    round: drawsAt / 3000 + 1,
    winners: 1,
    prize: { en: 'A truck', es: 'Una camioneta' },
    value_usd: 45_000,
    claim_days: 30,
    beacon: {
      public_key: localBeacon.public_key,
      genesis_time: localBeacon.genesis_time,
      period: localBeacon.period,
    },
    ...changed,
  };
  act(world, 'drawing_announced', { drawing: terms });
  return terms;
}

/** Uses up a user's entries. */
export const useUp = (world: World, terms: Terms, user: User, entries = user.balances.truck!): Rec => {
  const { drawing_id } = terms;
  return post(world, user, 'truck', -entries, { description: `Drawing ${drawing_id}`, drawing_id });
};

export type Line = [userId: string, entries: number];

/** The published root, number and sum of a list. */
export function listOf(lines: readonly Line[]) {
  const tree = newTree();
  for (const [userId, entries] of sorted(lines)) tree.add(`${userId} ${entries}`);
  const sum = lines.reduce((total, [, entries]) => total + BigInt(entries), 0n);
  return { root: tree.root().toString('hex'), entrants: lines.length, total_entries: String(sum) };
}
const sorted = (lines: readonly Line[]) => lines.toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Closes a drawing some minutes after its closing day. `list` is published instead of the right one. */
export function close(world: World, terms: Terms, users: readonly User[], list?: readonly Line[]): Line[] {
  world.now = Math.max(world.now, midnightOf(daysAfter(terms.closes, 1)) + 5 * 60_000);
  const lines = users.map((user): Line => [user.id, user.balances.truck!]);
  for (const user of users) useUp(world, terms, user);
  world.wait(1000);
  act(world, 'drawing_closed', { drawing: terms, list: listOf(list ?? lines) });
  return lines;
}

/** Returns the users in the order in which a round draws them, by counting entries one by one. */
export function orderOf(terms: Terms, lines: readonly Line[], round = terms.round): string[] {
  const randomness = hexDigest(Buffer.from(signRound(round), 'hex'));
  let pool = sorted(lines);
  const order: string[] = [];
  for (let number = 1; pool.length > 0; number++) {
    const entries = pool.flatMap(([userId, count]) => Array.from({ length: count }, () => userId));
    const value = BigInt(`0x${hmac(randomness, `${terms.drawing_id}\n${number}`)}`);
    const drawn = entries[Number(value % BigInt(entries.length))]!;
    order.push(drawn);
    pool = pool.filter(([userId]) => userId !== drawn);
  }
  return order;
}

/** Records a win of the first place. */
export function win(world: World, terms: Terms, userId: string, number = 1, round = terms.round) {
  world.now = Math.max(world.now, Date.parse(terms.draws_at) + 1000);
  const about = { user_id: userId, drawing: terms, place: 1, number };
  act(world, 'drawing_won', { ...about, signature: signRound(round) });
}

export const forfeit = (world: World, terms: Terms, userId: string, number: number, reason: string) =>
  act(world, 'drawing_forfeited', { user_id: userId, drawing: terms, place: 1, number, reason });
