/** Rules of each user's whole history, from the first record to the last. */
import { balanceRules } from '../balances.ts';
import { chain, identities, milestones, numbering, textDigests } from '../records.ts';
import { queuedSpins } from '../spins.ts';
import { readStep } from '../step.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';

/** Yields one artificial write per user with all the user's items, for rules that check writes. */
function* whole(world: World) {
  const due = groupBy(world.of('due'), ({ user_id }) => user_id);
  const milestones = groupBy(world.of('milestone'), ({ pk }) => pk);
  for (const { user, records } of world.histories.values()) {
    const items = [user, ...records, ...(due.get(user.user_id) ?? []), ...(milestones.get(user.pk) ?? [])];
    yield readStep({
      at: world.now,
      writer: 'all',
      changes: items.map((after) => ({ before: undefined, after })),
    });
  }
}

/** Rules for single writes, applied to a user's whole history as if it were one write. */
const wholeHistoryRules: EndRule[] = [
  ...balanceRules,
  numbering,
  chain,
  textDigests,
  identities,
  milestones,
  queuedSpins,
].map(({ rule, start }) => ({
  rule: `${rule}, over the whole history`,
  check(world, report) {
    const check = start(report, world);
    for (const step of whole(world)) check(step);
  },
}));

/** Every record and every due item belongs to an existing user. */
const recordsOfUsers: EndRule = {
  rule: 'every record belongs to a user',
  check(world, report) {
    for (const { pk, sk, user_id } of [...world.of('record'), ...world.of('due')])
      if (!world.histories.has(user_id)) report(`${pk} ${sk} belongs to no user`);
  },
};

export const historyRules = [...wholeHistoryRules, recordsOfUsers];
