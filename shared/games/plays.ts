/** A play URL belongs to one user and can be played once. */

import { commit, type Decision, type ReadItems } from '../accounts/commit.ts';
import { currentStage } from '../environment.ts';
import { newSecret } from '../ids.ts';
import { faultRefusals, Refusal, refusals } from '../refusals.ts';
import { retry } from '../retry.ts';
import { debugStages } from '../stage.ts';
import { getItems, putItem } from '../table/client.ts';
import { userKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import type { DebugResult, Game, Lang } from '../vocabulary.ts';
import type { Budgets } from './budgets.ts';
import { daySecret } from './day-secrets.ts';
import { eligibilityFor, type GameEligibility, readPlayerState } from './eligibility.ts';
import { requireNoHold } from './holds.ts';
import { readPrizeTable } from './organization-tables.ts';
import { spin } from './outcomes.ts';
import { playTermsOf, playUrlLifetimeMs, preparePlay, requirePlayable } from './play-rules.ts';
import {
  derivePlaySeed,
  isPlayExpired,
  isPlayed,
  newPlaySession,
  outcomeKeyOf,
  type PlayedSession,
  type PlayResult,
  type PlaySeed,
  type PlaySession,
  playedSessionWrite,
  playResultOf,
  readPlaySession,
  storedPlayResult,
} from './play-sessions.ts';
import type { PrizeTable } from './prize-tables.ts';
import { type PromotionTimes, promotionTimes } from './promotion.ts';
import { playRulesOf } from './rules.ts';
import { settingsOf } from './settings.ts';
import { grantWrites, readBudgets, type SpinReadKeys, spinReadKeys } from './stored-budgets.ts';

type PlayRequest = { organizationId: string; userId: string; game: Game; lang: Lang; now: number };

/** Throws a refusal for a missing user, a hold, or a forced prize that is not in the table. */
export async function createPlayUrl(
  { organizationId, userId, game, lang, now }: PlayRequest,
  debug?: DebugResult,
  validMs = playUrlLifetimeMs,
): Promise<{
  token: string;
  expiresAt: string;
  eligibility: GameEligibility;
  promotion: PromotionTimes | null;
}> {
  const [circumstances, secret] = await Promise.all([
    readPlayerState(organizationId, userId, now),
    daySecret(organizationId, dayOf(now)),
  ]);
  const { user, settings } = circumstances;
  requireNoHold(settings, [game], user);
  const terms = playTermsOf(settings, game, debug);
  if (debug && !playRulesOf(debug).isBudgeted) {
    requirePrize(await readPrizeTable(organizationId, game, terms.prize_table_version), debug);
  }
  requireAllowed(debug);
  const token = newSecret();
  const fields = { organization_id: organizationId, user_id: userId, game, lang, ...terms, debug, validMs };
  const session = newPlaySession(fields, token, secret, now);
  // If the session exists, an earlier attempt wrote it, because its token is random. The user may have played it since,
  // and overwriting the session would delete the result.
  const stored = retry(() => putItem(session, { ConditionExpression: 'attribute_not_exists(pk)' }));
  const [eligibility] = await Promise.all([eligibilityFor(game, circumstances), stored]);
  return { token, expiresAt: session.expires_at, eligibility, promotion: promotionTimes(settings.promotion) };
}

/** Throws if a play has a forced result on a stage without debug routes. The service stores no such play there. */
function requireAllowed(debug: DebugResult | undefined): void {
  if (debug && !debugStages.includes(currentStage()))
    throw new Error(`a play with a forced result on ${currentStage()}`);
}

function requirePrize({ prizes }: PrizeTable, debug: DebugResult) {
  if (
    playRulesOf(debug)
      .weighted(prizes)
      .some(({ weight }) => weight > 0)
  )
    return;
  const message = `result: The prize table has no ${debug === 'jackpot' ? 'cash prize' : debug}`;
  const kinds = [...new Set(prizes.map(({ kind }) => kind))].sort();
  throw refusals.invalid(message, 422, `It has ${kinds.join(', ')}`);
}

export async function play(token: string, clientSeed: string, now: number): Promise<PlayResult> {
  const session = await readPlaySession(token);
  if (!session) throw refusals.playNotFound();
  requireAllowed(session.debug);
  if (isPlayed(session)) return readResult(session);
  if (session.voided) throw refusals.playVoided();
  if (isPlayExpired(session, now)) throw refusals.playExpired();
  try {
    // Around midnight, a clock that is ahead may have created the URL on the next day. If the play counted for the day
    // before, that day's book, closed at 01:00, would publish the secret of the URL's day too early.
    const at = Math.max(now, Date.parse(session.date_created));
    return await playNow(session, token, clientSeed, at);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return resultDespiteRefusal(token, refusal.code === userNotFound ? refusals.playNotFound() : refusal);
  }
}

const userNotFound = refusals.userNotFound().code;

/** Throws `play_not_found` if the user was erased. */
async function readResult(session: PlayedSession): Promise<PlayResult> {
  const { organization_id, user_id } = session;
  const [user, record] = await getItems([userKey(organization_id, user_id), outcomeKeyOf(session)]);
  if (user?.erased_at !== undefined) throw refusals.playNotFound();
  return storedPlayResult(session, record);
}

/** Returns the result if another request has played the URL. Otherwise throws the refusal. */
async function resultDespiteRefusal(token: string, refusal: Refusal): Promise<PlayResult> {
  // A refusal with one of these statuses already asks for a repeated request, so a failed read does not replace it.
  const isForNow = refusal.status === 429 || refusal.status === 503;
  const read = async () => {
    const session = await readPlaySession(token);
    return session && isPlayed(session) ? readResult(session) : undefined;
  };
  const played = await read().catch((error) => {
    if (error instanceof Refusal) throw error;
    throw isForNow ? refusal : faultRefusals.outcomeUnknown(error);
  });
  if (!played) throw refusal;
  return played;
}

async function playNow(
  session: PlaySession,
  token: string,
  clientSeed: string,
  now: number,
): Promise<PlayResult> {
  const { organization_id: organizationId, user_id: userId, game } = session;
  const [table, seed] = await Promise.all([
    readPrizeTable(organizationId, game, session.prize_table_version),
    derivePlaySeed(session, token),
  ]);
  const draw = { game, prizes: table.prizes };
  const reads = spinReadKeys(organizationId, userId, now, draw);
  const { reply } = await commit({
    organizationId,
    userId,
    reads,
    prepare: (seen) => readBudgets(seen.user, draw, now, reads, seen),
    decide: (seen, before) => decidePlay({ session, table, seed, clientSeed, now }, seen, before),
    onFailed: ({ session }) => {
      // The URL was voided or played since `play` read the session. If it was played, `resultDespiteRefusal`
      // returns the result instead.
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
  { session, table, seed: { serverSeed, seedFields }, clientSeed, now }: Play,
  { user, organization }: ReadItems<SpinReadKeys>,
  before: Budgets,
): Decision<PlayResult> {
  const settings = settingsOf(organization);
  requirePlayable(user, session, settings, before.day);
  const draw = { table, seedFields, serverSeed, clientSeed };
  const played = preparePlay(user, session, draw, before, settings, now);
  const spun = spin(played.user, played.spin, now);
  const reply = playResultOf(spun.outcome, serverSeed, spun.user.balances.tickets);
  return {
    user: spun.user,
    records: spun.records,
    writes: {
      session: playedSessionWrite(session, reply, now),
      ...grantWrites(user, session.game, organization, before, spun.budgets),
    },
    reply,
  };
}
