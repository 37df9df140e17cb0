/** Counts how often each prize was drawn, by prize table and by set of prizes in the draw. */
import type { DrawSet } from '../../games/draw.ts';
import type { PlayType } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';

/** A prize of a set, and how often regular plays and free spins won it. */
export type DrawnPrize = { id: string; weight: number } & { [type in PlayType]: number };
/** The draws from one set of a table's prizes. */
export type DrawnSet = { table: string; digest: string; prizes: DrawnPrize[] };
/** Drawn sets by table version and digest of the set. */
export type Odds = Map<string, DrawnSet>;

/** Counts an outcome, unless its result was forced. */
export function noteDraw(odds: Odds, leaf: OutcomeLeaf, set: DrawSet): void {
  if (leaf.debug) return;
  const key = `${leaf.prize_table_version}|${set.digest}`;
  const drawn = odds.get(key) ?? newSet(leaf.prize_table_version, set);
  odds.set(key, drawn);
  for (const prize of drawn.prizes) if (prize.id === leaf.prize_id) prize[leaf.play_type]++;
}

const newSet = (table: string, { digest, prizes }: DrawSet): DrawnSet => ({
  table,
  digest,
  prizes: prizes.map(({ id, weight }) => ({ id, weight, regular: 0, amoe: 0 })),
});

/** Adds the draws counted by another check. */
export function addOdds(to: Odds, from: Odds): void {
  for (const [key, drawn] of from) {
    const known = to.get(key);
    if (!known) to.set(key, structuredClone(drawn));
    else {
      for (const [i, prize] of known.prizes.entries()) {
        prize.regular += drawn.prizes[i]?.regular ?? 0;
        prize.amoe += drawn.prizes[i]?.amoe ?? 0;
      }
    }
  }
}
