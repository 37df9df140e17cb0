/** The session behind a play URL: one game by one user, and its one outcome once it is played. */

import { fieldsOf, type OutcomeRecord } from '../accounts/records.ts';
import { sha256 } from '../ids.ts';
import { get, type Part, withOldItem } from '../table/client.ts';
import { definition, type Key, playKey, ttlAt } from '../table/keys.ts';
import { dayOf, isoOf } from '../time.ts';
import type { DebugResult, Game, Lang } from '../vocabulary.ts';
import { daySecret } from './day-secrets.ts';
import { commitmentTo } from './draw.ts';
import { type Fairness, fairnessFields } from './fairness.ts';
import { type Outcome, outcomeOf } from './outcomes.ts';
import { seedOfPlay } from './seeds.ts';

/** The result of a played URL. `balance` is the user's tickets after the play. */
export type Played = { outcome: Outcome; fairness: Fairness; balance: number };

/** A session as it is stored. The cost and the table are those that the page shows, whatever is set later. */
export type PlaySession = Key & {
  organization_id: string;
  user_id: string;
  game: Game;
  lang: Lang;
  cost: number;
  prize_table_version: string;
  commitment: string;
  date_created: string;
  expires_at: string;
  debug?: DebugResult;
  /** Set while an operator has voided the URL: it cannot be played. */
  voided?: true;
  /** Epoch seconds. */
  ttl: number;
  played?: Played;
};

const lifetimeMs = 30 * 60_000;
const dayMs = 24 * 3600_000;
// Sessions that nobody played are swept away long after they expired; until then the page says so.
const keptUnplayedMs = 30 * dayMs;
// After that an outcome is in the user's history alone.
const keptPlayedMs = 365 * dayMs;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

type NewSession = Pick<
  PlaySession,
  'organization_id' | 'user_id' | 'game' | 'lang' | 'cost' | 'prize_table_version'
> & { debug?: DebugResult | undefined };

/**
 * The item of a new session, for a token and with the secret of the day. It holds the token as a hash only, and of its
 * server seed what that is committed to. Good for 30 minutes.
 */
export function newSession(fields: NewSession, token: string, secret: Buffer, now: number): PlaySession {
  const { debug, ...rest } = fields;
  const tokenHash = sha256(token);
  return {
    ...playKey(tokenHash),
    ...rest,
    ...(debug ? { debug } : {}),
    commitment: commitmentTo(seedOfPlay(secret, tokenHash)),
    date_created: isoOf(now),
    expires_at: isoOf(now + lifetimeMs),
    ...ttlAt(now + lifetimeMs + keptUnplayedMs),
  };
}

/** The session of a play URL's token, or undefined. One round trip, none for what can be no token. */
export async function readSession(token: string): Promise<PlaySession | undefined> {
  return tokenForm.test(token) ? get<PlaySession>(playKey(sha256(token))) : undefined;
}

/** The server seed of a play, and the day and the token's hash that it follows from. */
export type PlaySeed = { serverSeed: string; origin: OriginOfPlay };
type OriginOfPlay = Pick<OutcomeRecord, 'secret_day' | 'token_hash'>;
/** The server seed of a session's play. One call of KMS for a day that this process has not met, else none. */
export async function seedOf(session: PlaySession, token: string): Promise<PlaySeed> {
  const { organization_id, date_created } = session;
  const [secret_day, token_hash] = [dayOf(Date.parse(date_created)), sha256(token)];
  const secret = await daySecret(organization_id, secret_day);
  return { serverSeed: seedOfPlay(secret, token_hash), origin: { secret_day, token_hash } };
}

/** Whether a session's 30 minutes are over: at the last millisecond before they are, it can be played. */
export function isExpired({ expires_at }: PlaySession, now: number): boolean {
  return now >= Date.parse(expires_at);
}

/** What a play URL came to, of its outcome's record, its server seed and the user's tickets after it. */
export function playedOf(record: OutcomeRecord, serverSeed: string, balance: number): Played {
  const fairness = {
    commitment: commitmentTo(serverSeed),
    server_seed: serverSeed,
    ...fieldsOf(record, fairnessFields),
  };
  return { balance, outcome: outcomeOf(record), fairness };
}

const playable = 'attribute_exists(pk) AND attribute_not_exists(played) AND attribute_not_exists(voided)';

/**
 * The part of a transaction that plays a session, which is kept for a year from then on. It fails, and hands back
 * the session, if it is played already, or voided.
 */
export function playPart({ pk, sk }: PlaySession, played: Played, now: number): Part {
  return {
    Update: {
      Key: { pk, sk },
      UpdateExpression: 'SET played = :played, #ttl = :ttl',
      ConditionExpression: playable,
      ExpressionAttributeNames: { '#ttl': definition.ttl },
      ExpressionAttributeValues: { ':played': played, ':ttl': ttlAt(now + keptPlayedMs)[definition.ttl] },
      ...withOldItem,
    },
  };
}
