import type { DrawSet } from '../../games/draw.ts';
import type { PlayType } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';

export type PrizeDrawCounts = { id: string; weight: number } & { [type in PlayType]: number };
/** `digest` identifies the prizes in the draw. */
export type DrawSetCounts = { table: string; digest: string; prizes: PrizeDrawCounts[] };
export type DrawCounts = Map<string, DrawSetCounts>;

/** Ignores outcomes with a forced result. */
export function countDraw(odds: DrawCounts, leaf: OutcomeLeaf, set: DrawSet): void {
  if (leaf.debug) return;
  const key = `${leaf.prize_table_version}|${set.digest}`;
  const drawn = odds.get(key) ?? newSet(leaf.prize_table_version, set);
  odds.set(key, drawn);
  for (const prize of drawn.prizes) if (prize.id === leaf.prize_id) prize[leaf.play_type]++;
}

const newSet = (table: string, { digest, prizes }: DrawSet): DrawSetCounts => ({
  table,
  digest,
  prizes: prizes.map(({ id, weight }) => ({ id, weight, regular: 0, amoe: 0 })),
});
