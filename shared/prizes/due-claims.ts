/** Finds prizes whose deadline passes in a week, so that somebody can hand them over in time. */
import type { OutcomeRecord } from '../accounts/records.ts';
import { readUserOrErased } from '../accounts/user.ts';
import { readDrawings } from '../drawings/drawings.ts';
import { settingsOf } from '../games/settings.ts';
import { ulidTimePart } from '../ids.ts';
import type { Item } from '../table/client.ts';
import { actionsOf, between, recordsInShards } from '../table/keys.ts';
import { batches, readRange } from '../table/ranges.ts';
import { isOwed } from './claim-steps.ts';
import { claimOf, readLastSteps } from './claims.ts';
import { drawnPrizesIn, readWonPrize, type WonPrize } from './won-prize.ts';

const dayMs = 24 * 3_600_000;
const daysAhead = 7;

/**
 * Returns the ids of owed prizes whose last week for a claim begins between `from` and `until` (epoch milliseconds).
 */
export async function findDueClaims(organization: Item, from: number, until: number): Promise<string[]> {
  const organizationId = String(organization.organization_id);
  const isStillOwed = async (won: WonPrize | undefined) => {
    if (!won) return false;
    const steps = await readLastSteps(organizationId, won.user_id);
    if (!isOwed(claimOf(won, steps.get(won.prize_id)))) return false;
    // An erased user's prize takes no step, except the forfeit of a drawing's.
    return (
      won.drawn !== undefined || (await readUserOrErased(organizationId, won.user_id)).erased_at === undefined
    );
  };
  const due: string[] = [];
  for (const won of (await readDrawings(organizationId)).flatMap(drawnPrizesIn)) {
    const { claim_days } = won.drawn!.drawing.terms;
    const at = Date.parse(won.won_at) + Math.max(0, claim_days - daysAhead) * dayMs;
    if (at >= from && at < until && (await isStillOwed(won))) due.push(won.prize_id);
  }
  for (const days of await periodsUsed(organizationId, organization)) {
    const shift = Math.max(0, days - daysAhead) * dayMs;
    const [first, last] = [ulidTimePart(from - shift), ulidTimePart(until - shift)];
    for (const range of recordsInShards(organizationId, 'outcomes'))
      for await (const items of batches(between(range, first, last)))
        for (const outcome of items as OutcomeRecord[])
          if (outcome.claim_days === days && (await isStillOwed(await readWonPrize(outcome))))
            due.push(outcome.id);
  }
  return due;
}

/** Returns all values that `claim_days` has had, because a prize keeps the value of its time. */
async function periodsUsed(organizationId: string, organization: Item): Promise<number[]> {
  const changes = await readRange(actionsOf(organizationId), {
    where: { action: 'changed' },
    fields: ['after'],
  });
  const used = changes.map(({ after }) => Number((after as Item | undefined)?.claim_days ?? 0));
  return [...new Set([settingsOf(organization).claim_days, ...used])].filter((days) => days > 0);
}
