/** Regular plays: issuing a play URL, and playing it once. */

import { commit, type Decision, type Seen } from '../accounts/commit.ts';
import { newSecret } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { type Item, put } from '../table/client.ts';
import { dayOf, startOfToday } from '../time.ts';
import type { DebugResult, Game, Lang } from '../vocabulary.ts';
import type { Budgets } from './budgets.ts';
import { daySecret } from './day-secrets.ts';
import { countPlay, obstaclesOf, readCircumstances } from './eligibility.ts';
import { requireNoHold } from './holds.ts';
import { readPrizeTable } from './organization-tables.ts';
import { spin } from './outcomes.ts';
import {
  isExpired,
  newSession,
  type Played,
  type PlaySeed,
  type PlaySession,
  playedOf,
  playPart,
  readSession,
  seedOf,
} from './play-sessions.ts';
import type { PrizeTable } from './prize-tables.ts';
import { jackpotOf } from './prizes.ts';
import { rulesOf } from './rules.ts';
import { costOf, settingsOf, tableVersionOf } from './settings.ts';
import { grantParts, readBudgets, type SpinReads, spinReads } from './stored-budgets.ts';

type PlayRequest = { organizationId: string; userId: string; game: Game; lang: Lang; now: number };

/**
 * Makes a session for a user's play and returns the token of its URL, which is nowhere stored, and when it expires (ISO).
 * Two round trips, and a call of KMS for a day that this process has not met. Throws `Invalid user ID`, the refusal of
 * what is on hold, or that of a debug jackpot that cannot be won.
 */
export async function createPlay(
  { organizationId, userId, game, lang, now }: PlayRequest,
  debug?: DebugResult,
): Promise<{ token: string; expiresAt: string }> {
  const [{ user, settings }, secret] = await Promise.all([
    readCircumstances(organizationId, userId, now),
    daySecret(organizationId, dayOf(now)),
  ]);
  requireNoHold(settings, [game], user);
  const version = tableVersionOf(settings, game);
  if (debug === 'jackpot') requireJackpot(await readPrizeTable(organizationId, game, version));
  const token = newSecret();
  const fields = {
    organization_id: organizationId,
    user_id: userId,
    game,
    lang,
    cost: rulesOf(debug).cost(costOf(settings, game)),
    prize_table_version: version,
    debug,
  };
  const session = newSession(fields, token, secret, now);
  // Nobody else has this token. If it is there already, a try whose answer was late put it there; one that arrives only
  // after the URL was played must not put it back.
  await put(session, { ConditionExpression: 'attribute_not_exists(pk)' });
  return { token, expiresAt: session.expires_at };
}

function requireJackpot({ prizes }: PrizeTable) {
  if (!jackpotOf(prizes)) throw refusals.invalid('result: The prize table has no cash prize');
}

/**
 * Plays a URL, or returns what it came to when it was played: one outcome, however often. Three round trips. Throws
 * `play_not_found`, `play_voided`, `play_expired`, the hold or the restriction that is in the way, or 429 or 503 as `commit` does.
 */
export async function play(token: string, clientSeed: string, now: number): Promise<Played> {
  const session = await readSession(token);
  if (!session) throw refusals.playNotFound();
  if (session.played) return session.played;
  if (session.voided) throw refusals.playVoided();
  if (isExpired(session, now)) throw refusals.playExpired();
  try {
    return await playNow(session, token, clientSeed, now);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    // Whoever has the URL names no user: that of one who was erased is none.
    const isOfNobody = refusal.code === refusals.userNotFound().code;
    return playedMeanwhile(token, isOfNobody ? refusals.playNotFound() : refusal);
  }
}

/**
 * What a URL came to that is refused now, if it came to something: what is in the way may be this very play, in another
 * tab or by an attempt that got no answer. Throws the refusal if it is not, and `outcome_unknown` if that cannot be seen.
 */
async function playedMeanwhile(token: string, refusal: Refusal): Promise<Played> {
  const isForNow = refusal.status === 429 || refusal.status === 503;
  const session = await readSession(token).catch((error) => {
    throw isForNow ? refusal : refusals.outcomeUnknown(error);
  });
  if (!session?.played) throw refusal;
  return session.played;
}

async function playNow(
  session: PlaySession,
  token: string,
  clientSeed: string,
  now: number,
): Promise<Played> {
  const { organization_id: organizationId, user_id: userId, game } = session;
  const [table, seed] = await Promise.all([
    readPrizeTable(organizationId, game, session.prize_table_version),
    seedOf(session, token),
  ]);
  const drawing = { game, prizes: table.prizes };
  const reads = spinReads(organizationId, userId, now, drawing);
  const { reply } = await commit({
    organizationId,
    userId,
    reads,
    prepare: (seen) => readBudgets(seen.user, drawing, now, reads, seen),
    decide: (seen, before) => decidePlay({ session, table, seed, clientSeed, now }, seen, before),
    onFailed: ({ session: before }) => before && playedBefore(before),
  });
  return reply;
}

// What others were granted in between is not among the reasons here: the play is decided again.
function playedBefore({ played, voided }: Item): Played {
  if (voided) throw refusals.playVoided();
  if (!played) throw refusals.playNotFound();
  return played as Played;
}

type Play = {
  session: PlaySession;
  table: PrizeTable;
  seed: PlaySeed;
  clientSeed: string;
  now: number;
};

function decidePlay(
  { session, table, seed: { serverSeed, origin }, clientSeed, now }: Play,
  { user, organization }: Seen<SpinReads>,
  before: Budgets,
): Decision<Played> {
  const { game, cost, debug } = session;
  const settings = settingsOf(organization);
  requireNoHold(settings, [game], user);
  const { day } = before;
  const { isLimited } = rulesOf(debug);
  const [obstacle] = isLimited ? obstaclesOf(user, cost, settings, day) : [];
  if (obstacle) throw refusals.restricted(obstacle);
  const spun = spin(
    isLimited ? countPlay(user, day) : user,
    {
      game,
      table,
      playType: 'regular',
      seeds: { serverSeed, clientSeed, spinIndex: 0 },
      origin,
      budgets: before,
      winLimit: settings.daily_win_limit,
      cost,
      resultEffectiveDate: startOfToday(now),
      debug,
    },
    now,
  );
  const reply = playedOf(spun.outcome, serverSeed, spun.user.balances.tickets);
  return {
    user: spun.user,
    records: spun.records,
    writes: {
      session: playPart(session, reply, now),
      ...grantParts(user, game, organization, before, spun.budgets),
    },
    reply,
  };
}
