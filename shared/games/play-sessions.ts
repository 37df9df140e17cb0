/** The session behind a play URL: one game, one user, at most one outcome. */

import { fieldsOf, type OutcomeRecord } from '../accounts/records.ts';
import { sha256, ulidOf } from '../ids.ts';
import { get, type Item, type Part } from '../table/client.ts';
import { definition, type Key, playKey, recordKey, ttlAt } from '../table/keys.ts';
import { dayOf, isoOf } from '../time.ts';
import type { DebugResult, Game, Lang } from '../vocabulary.ts';
import { daySecret } from './day-secrets.ts';
import { commitmentTo } from './draw.ts';
import { type Fairness, fairnessFields } from './fairness.ts';
import { type Outcome, outcomeOf } from './outcomes.ts';
import { seedOfPlay } from './seeds.ts';

/** Result of a played URL. `balance` is the user's tickets after the play. */
export type Played = { outcome: Outcome; fairness: Fairness; balance: number };

/**
 * Stored when a session is played: the outcome's ULID and the fields that the outcome's record lacks. The
 * server seed is stored rather than derived again: otherwise somebody with write access to the table could
 * mark an open session as played, and its page would reveal the seed.
 */
type KeptPlay = { ulid: string; server_seed: string; balance: number };

/**
 * A stored session. It keeps the cost and prize table that its page showed, even if the settings change
 * later.
 */
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
  played?: KeptPlay;
};
/** A session that was played. */
export type PlayedSession = PlaySession & { played: KeptPlay };

const lifetimeMs = 30 * 60_000;
const dayMs = 24 * 3600_000;
// For a month, the page of an unplayed session still says that the URL has expired.
const keptUnplayedMs = 30 * dayMs;
// After a year, only the user's history shows the outcome.
const keptPlayedMs = 365 * dayMs;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

type NewSession = Pick<
  PlaySession,
  'organization_id' | 'user_id' | 'game' | 'lang' | 'cost' | 'prize_table_version'
> & { debug?: DebugResult | undefined };

/**
 * Returns the item of a new session, valid for 30 minutes. Stores the hash of the token and the commitment to
 * the server seed, but neither the token nor the seed.
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

/** Returns the session of a token, or undefined. One round trip; none if the text cannot be a token. */
export async function readSession(token: string): Promise<PlaySession | undefined> {
  return tokenForm.test(token) ? get<PlaySession>(playKey(sha256(token))) : undefined;
}

/** The server seed of a play, and the fields of its outcome from which the seed can be derived again. */
export type PlaySeed = { serverSeed: string; origin: OriginOfPlay };
type OriginOfPlay = Pick<OutcomeRecord, 'secret_day' | 'token_hash'>;
/**
 * Returns the server seed of a session's play. Calls KMS if this process does not know the secret of the
 * session's day.
 */
export async function seedOf(session: PlaySession, token: string): Promise<PlaySeed> {
  const { organization_id, date_created } = session;
  const [secret_day, token_hash] = [dayOf(Date.parse(date_created)), sha256(token)];
  const secret = await daySecret(organization_id, secret_day);
  return { serverSeed: seedOfPlay(secret, token_hash), origin: { secret_day, token_hash } };
}

/** Returns whether a session has expired: `now` is at or after `expires_at`. */
export function isExpired({ expires_at }: PlaySession, now: number): boolean {
  return now >= Date.parse(expires_at);
}

/** Returns whether a session was played. */
export const isPlayed = (session: PlaySession): session is PlayedSession => session.played !== undefined;

/** Returns the key of a played session's outcome. */
export const outcomeKeyOf = ({ organization_id, user_id, played }: PlayedSession): Key =>
  recordKey(organization_id, user_id, 'outcomes', played.ulid);

/** Returns the result of a played session. Throws if the outcome's record is missing. */
export function resultOf({ pk, played }: PlayedSession, record: Item | undefined): Played {
  if (!record) throw new Error(`the outcome of ${pk} is missing`);
  return playedOf(record as OutcomeRecord, played.server_seed, played.balance);
}

/** Returns the result of a play from its record, server seed and balance. */
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
 * Returns the part of a transaction that marks a session as played and keeps it for a year. The part fails if
 * the session was played or voided.
 */
export function playPart({ pk, sk }: PlaySession, result: Played, now: number): Part {
  const { outcome, fairness, balance } = result;
  const played: KeptPlay = { ulid: ulidOf(outcome.id), server_seed: fairness.server_seed, balance };
  return {
    Update: {
      Key: { pk, sk },
      UpdateExpression: 'SET played = :played, #ttl = :ttl',
      ConditionExpression: playable,
      ExpressionAttributeNames: { '#ttl': definition.ttl },
      ExpressionAttributeValues: { ':played': played, ':ttl': ttlAt(now + keptPlayedMs)[definition.ttl] },
    },
  };
}
