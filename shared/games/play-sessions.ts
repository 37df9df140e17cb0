/**
 * Makes and reads play sessions. A play session is the stored state behind a play URL: one game, one user, at
 * most one outcome.
 */

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

/** Result of a played session. `balance` is the user's number of tickets after the play. */
export type Played = { outcome: Outcome; fairness: Fairness; balance: number };

/**
 * Fields stored in a session when it is played: the outcome's ULID, and two fields of `Played` that are not
 * in the outcome's record. The page of a played session shows the stored server seed, and does not derive the
 * seed again. Otherwise, somebody with write access to the table could mark an unplayed session as played,
 * and the page would reveal the seed of a draw that has not taken place.
 */
type KeptPlay = { ulid: string; server_seed: string; balance: number };

/**
 * A stored play session. Its cost and prize table are fixed when the session is created, even if an operator
 * changes the settings later.
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
  /** True while the play URL is voided by an operator and therefore cannot be played. Otherwise absent. */
  voided?: true;
  /** Epoch seconds after which DynamoDB deletes the item. */
  ttl: number;
  played?: KeptPlay;
};
export type PlayedSession = PlaySession & { played: KeptPlay };

const lifetimeMs = 30 * 60_000;
const dayMs = 24 * 3600_000;
// An unplayed session is kept for 30 days after it expires, so that its page can say that the URL has
// expired.
const keptUnplayedMs = 30 * dayMs;
// A played session is kept for a year, so that its page can show the outcome. The user's history shows the
// outcome forever.
const keptPlayedMs = 365 * dayMs;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

type NewSession = Pick<
  PlaySession,
  'organization_id' | 'user_id' | 'game' | 'lang' | 'cost' | 'prize_table_version'
> & { debug?: DebugResult | undefined };

/**
 * Returns the item to store for a new session, valid for 30 minutes. The item contains the token's hash and
 * the commitment to the server seed, but neither the token nor the seed.
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

/**
 * Returns the session with this token, or undefined. Takes one round trip, or none if the text does not have
 * the form of a token.
 */
export async function readSession(token: string): Promise<PlaySession | undefined> {
  return tokenForm.test(token) ? get<PlaySession>(playKey(sha256(token))) : undefined;
}

/**
 * Server seed of a play, and the fields to store in the play's outcome (`origin`). From these fields, anybody
 * who has the day's secret can derive the seed again.
 */
export type PlaySeed = { serverSeed: string; origin: OriginOfPlay };
type OriginOfPlay = Pick<OutcomeRecord, 'secret_day' | 'token_hash'>;
/**
 * Derives the server seed of a session's play. Calls KMS if this process has not cached the secret of the day
 * on which the session was created.
 */
export async function seedOf(session: PlaySession, token: string): Promise<PlaySeed> {
  const { organization_id, date_created } = session;
  const [secret_day, token_hash] = [dayOf(Date.parse(date_created)), sha256(token)];
  const secret = await daySecret(organization_id, secret_day);
  return { serverSeed: seedOfPlay(secret, token_hash), origin: { secret_day, token_hash } };
}

/** Returns whether `now` (epoch milliseconds) is at or after the session's `expires_at`. */
export function isExpired({ expires_at }: PlaySession, now: number): boolean {
  return now >= Date.parse(expires_at);
}

export const isPlayed = (session: PlaySession): session is PlayedSession => session.played !== undefined;

/** Returns the table key of a played session's outcome. */
export const outcomeKeyOf = ({ organization_id, user_id, played }: PlayedSession): Key =>
  recordKey(organization_id, user_id, 'outcomes', played.ulid);

/**
 * Makes the result of a played session. `record` is the session's outcome as read from the table. Throws if
 * the record is missing.
 */
export function resultOf({ pk, played }: PlayedSession, record: Item | undefined): Played {
  if (!record) throw new Error(`the outcome of ${pk} is missing`);
  return playedOf(record as OutcomeRecord, played.server_seed, played.balance);
}

/**
 * Makes the result of a play: the outcome, the fairness fields to check the draw with, and the user's ticket
 * balance after the play.
 */
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
 * Returns the part of a transaction that marks a session as played and sets its TTL to a year from `now`. The
 * part's condition fails if the session was already played or is voided.
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
