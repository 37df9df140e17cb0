import { lastSequenceOf, type OrderRecord, type OutcomeRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { eligibilityByGame, readPlayerState } from '../games/eligibility.ts';
import { playsLeftOf } from '../games/play-rules.ts';
import { countsAsWin } from '../games/prizes.ts';
import { promotionTimes } from '../games/promotion.ts';
import { leastUlid } from '../ids.ts';
import { between, recordsOfUser } from '../table/keys.ts';
import { queryOnce } from '../table/ranges.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../time.ts';
import type { PrizeKind } from '../vocabulary.ts';

// A summary reads at most this many records of a kind, in one query.
const recordsRead = 50;

/** Throws `userNotFound` for a missing or erased user. */
export async function readUserSummary(organizationId: string, userId: string, now: number) {
  const circumstances = await readPlayerState(organizationId, userId, now);
  const { user, settings, budgets } = circumstances;
  const [games, queued_spins, wins] = await Promise.all([
    eligibilityByGame(circumstances),
    queuedSpins(user, now),
    recentWins(user),
  ]);
  const left = playsLeftOf(user, settings, budgets.day);
  return {
    user_id: user.user_id,
    external_reference: user.external_reference,
    sequence: lastSequenceOf(user),
    balances: user.balances,
    plays_left: left?.plays ?? null,
    plays_reset_at: left ? isoOf(startOfDay(addDays(left.day, 1))) : null,
    games,
    promotion: promotionTimes(settings.promotion),
    queued_spins,
    wins,
  };
}

async function newestRecords(user: User, kind: 'outcomes' | 'orders', from: string) {
  const { organization_id, user_id, last_ulid } = user;
  if (last_ulid === undefined || last_ulid < from) return [];
  const range = between(recordsOfUser(organization_id, user_id, kind), from, last_ulid);
  const options = { limit: recordsRead, newestFirst: true, consistent: true };
  return (await queryOnce(range, options)).items;
}

async function queuedSpins(user: User, now: number) {
  const { queued_spins: total } = user;
  const today = dayOf(now);
  // Only today's orders run at the next midnight.
  const orders = total > 0 ? await newestRecords(user, 'orders', leastUlid(startOfDay(today))) : [];
  const ordered = (orders as OrderRecord[])
    .filter(({ run, due_day }) => run === 'queued' && due_day > today)
    .reduce((sum, { num_of_spins }) => sum + num_of_spins, 0);
  // The total can be lower, because operators may have cancelled some of the ordered spins.
  const next = Math.min(total, ordered);
  return { total, due: total - next, run_at: next > 0 ? isoOf(startOfDay(addDays(today, 1))) : null };
}

/** Returns the prizes in the user's newest outcomes that no balance contains, such as cash. */
async function recentWins(user: User) {
  const count = user.counts?.outcomes ?? 0;
  const outcomes = (count > 0 ? await newestRecords(user, 'outcomes', '0') : []) as OutcomeRecord[];
  return {
    since: outcomes.length < count ? outcomes.at(-1)!.timestamp : user.date_created,
    prizes: outcomes
      .filter(({ prize }) => Object.keys(prize).some((kind) => countsAsWin(kind as PrizeKind)))
      .map(({ id, prize, timestamp }) => ({ outcome_id: id, prize, timestamp })),
  };
}
