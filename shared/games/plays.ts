/** Creates play URLs and plays them. A play URL belongs to one user and can be played once. */

import { commit, type Decision, type Seen } from '../accounts/commit.ts';
import { newSecret } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { getAll, put } from '../table/client.ts';
import { userKey } from '../table/keys.ts';
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
  isPlayed,
  newSession,
  outcomeKeyOf,
  type Played,
  type PlayedSession,
  type PlaySeed,
  type PlaySession,
  playedOf,
  playPart,
  readSession,
  resultOf,
  seedOf,
} from './play-sessions.ts';
import type { PrizeTable } from './prize-tables.ts';
import { jackpotOf } from './prizes.ts';
import { rulesOf } from './rules.ts';
import { costOf, settingsOf, tableVersionOf } from './settings.ts';
import { grantParts, readBudgets, type SpinReads, spinReads } from './stored-budgets.ts';

type PlayRequest = { organizationId: string; userId: string; game: Game; lang: Lang; now: number };

/**
 * Creates a play session. Returns the token for the play URL (only its hash is stored) and the ISO instant at
 * which the session expires. Takes two round trips, and a call to KMS if this process has not cached the
 * day's secret. Throws a refusal if the user does not exist, a hold blocks the play, or a debug jackpot is
 * requested for a prize table without cash prizes.
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
  // The token is random, so a session with this key can only come from an earlier attempt of this put. The
  // condition prevents overwriting the session, which may have been played in the meantime.
  await put(session, { ConditionExpression: 'attribute_not_exists(pk)' });
  return { token, expiresAt: session.expires_at };
}

function requireJackpot({ prizes }: PrizeTable) {
  if (!jackpotOf(prizes)) throw refusals.invalid('result: The prize table has no cash prize');
}

/**
 * Plays a play URL, or returns the result if the URL was played earlier. Takes three round trips for a play,
 * or two to read an earlier result. Calls KMS if this process has not cached the day's secret. Throws
 * `play_not_found`, `play_voided`, `play_expired`, the refusal for a hold or a restriction, or the refusals
 * of `commit` with status 429 or 503.
 */
export async function play(token: string, clientSeed: string, now: number): Promise<Played> {
  const session = await readSession(token);
  if (!session) throw refusals.playNotFound();
  if (isPlayed(session)) return readResult(session);
  if (session.voided) throw refusals.playVoided();
  if (isExpired(session, now)) throw refusals.playExpired();
  try {
    return await playNow(session, token, clientSeed, now);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return resultDespiteRefusal(token, refusal.code === userNotFound ? refusals.playNotFound() : refusal);
  }
}

const userNotFound = refusals.userNotFound().code;

/** Reads the result of a played session in one round trip. Throws `play_not_found` if the user was erased. */
async function readResult(session: PlayedSession): Promise<Played> {
  const { organization_id, user_id } = session;
  const [user, record] = await getAll([userKey(organization_id, user_id), outcomeKeyOf(session)]);
  if (user?.erased_at !== undefined) throw refusals.playNotFound();
  return resultOf(session, record);
}

/**
 * After a play was refused, checks whether a different request has played the URL: another tab, or an earlier
 * attempt whose response was lost. If so, returns the result of that request. Otherwise throws the refusal.
 * If the check itself fails, throws `outcome_unknown`, except for a refusal with status 429 or 503. This
 * refusal is thrown unchanged, because it already asks the caller to repeat the request.
 */
async function resultDespiteRefusal(token: string, refusal: Refusal): Promise<Played> {
  const isForNow = refusal.status === 429 || refusal.status === 503;
  const read = async () => {
    const session = await readSession(token);
    return session && isPlayed(session) ? readResult(session) : undefined;
  };
  const played = await read().catch((error) => {
    if (error instanceof Refusal) throw error;
    throw isForNow ? refusal : refusals.outcomeUnknown(error);
  });
  if (!played) throw refusal;
  return played;
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
    onFailed: ({ session }) => {
      // The condition on the session fails if the play URL was voided or played after the session was read.
      // If the URL was played, `resultDespiteRefusal` returns the play's result instead of this refusal.
      if (session) throw refusals.playVoided();
    },
  });
  return reply;
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
