/** Makes and reads play sessions: the state behind a play URL, with at most one outcome. */

import { type OutcomeRecord, pickFields } from '../accounts/records.ts';
import { sha256, ulidOf } from '../ids.ts';
import { getItem, type Item, type TableWrite } from '../table/client.ts';
import { type Key, playKey, recordKey, ttlAt } from '../table/keys.ts';
import { dayOf, isoOf } from '../time.ts';
import type { DebugResult, Game, Lang } from '../vocabulary.ts';
import { daySecret } from './day-secrets.ts';
import { commitmentTo } from './draw.ts';
import { type Fairness, fairnessFields } from './fairness.ts';
import { type Outcome, outcomeOf } from './outcomes.ts';
import { playUrlLifetimeMs } from './play-rules.ts';
import { seedOfPlay } from './seeds.ts';

/** `balance` is the user's number of tickets after the play. */
export type PlayResult = { outcome: Outcome; fairness: Fairness; balance: number };

/** Pages show the stored seed instead of deriving seeds, so no page can reveal the seed of an unplayed session. */
type StoredPlay = { ulid: string; server_seed: string; balance: number };

/** Later changes of settings do not affect the session's cost and prize table. */
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
  played?: StoredPlay;
};
export type PlayedSession = PlaySession & { played: StoredPlay };

const dayMs = 24 * 3600_000;
// Sessions stay stored for 30 days after their expiry, so that the play page can report an expired URL.
const unplayedRetentionMs = 30 * dayMs;
// Played sessions stay stored for a year for the play page. The user's history shows the outcome forever.
const playedRetentionMs = 365 * dayMs;
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

type NewSession = Pick<
  PlaySession,
  'organization_id' | 'user_id' | 'game' | 'lang' | 'cost' | 'prize_table_version'
> & { debug?: DebugResult | undefined; validMs: number };

export function newPlaySession(fields: NewSession, token: string, secret: Buffer, now: number): PlaySession {
  const { debug, validMs, ...rest } = fields;
  const tokenHash = sha256(token);
  const promised = { ...rest, expires_at: isoOf(now + validMs), ...(debug ? { debug } : {}) };
  return {
    ...playKey(tokenHash),
    ...promised,
    commitment: commitmentTo(seedOfPlay(secret, tokenHash, promised)),
    date_created: isoOf(now),
    ...ttlAt(now + playUrlLifetimeMs + unplayedRetentionMs),
  };
}

/** Reads nothing if the text cannot be a token. */
export async function readPlaySession(token: string): Promise<PlaySession | undefined> {
  return tokenForm.test(token) ? getItem<PlaySession>(playKey(sha256(token))) : undefined;
}

/** Anybody with the secret of the day `secret_day` can derive the seed from `seedFields`. */
export type PlaySeed = { serverSeed: string; seedFields: PlaySeedFields };
type PlaySeedFields = Pick<OutcomeRecord, 'secret_day' | 'token_hash' | 'expires_at'>;
/** Derives a session's seed. Throws if it differs from the commitment, because the stored session was changed. */
export async function derivePlaySeed(session: PlaySession, token: string): Promise<PlaySeed> {
  const { organization_id, date_created, expires_at, commitment } = session;
  const [secret_day, token_hash] = [dayOf(Date.parse(date_created)), sha256(token)];
  const serverSeed = seedOfPlay(await daySecret(organization_id, secret_day), token_hash, session);
  if (commitmentTo(serverSeed) !== commitment) throw new Error(`${session.pk} does not match its commitment`);
  return { serverSeed, seedFields: { secret_day, token_hash, expires_at } };
}

export function isPlayExpired({ expires_at }: PlaySession, now: number): boolean {
  return now >= Date.parse(expires_at);
}

export const isPlayed = (session: PlaySession): session is PlayedSession => session.played !== undefined;

export const outcomeKeyOf = ({ organization_id, user_id, played }: PlayedSession): Key =>
  recordKey(organization_id, user_id, 'outcomes', played.ulid);

/** Throws if the record is missing. */
export function storedPlayResult({ pk, played }: PlayedSession, record: Item | undefined): PlayResult {
  if (!record) throw new Error(`the outcome of ${pk} is missing`);
  return playResultOf(record as OutcomeRecord, played.server_seed, played.balance);
}

export function playResultOf(record: OutcomeRecord, serverSeed: string, balance: number): PlayResult {
  const fairness = {
    commitment: commitmentTo(serverSeed),
    server_seed: serverSeed,
    ...pickFields(record, fairnessFields),
  };
  return { balance, outcome: outcomeOf(record), fairness };
}

const playable = 'attribute_exists(pk) AND attribute_not_exists(played) AND attribute_not_exists(voided)';

/** The transaction fails if the session is already played or voided. */
export function playedSessionWrite(session: PlaySession, result: PlayResult, now: number): TableWrite {
  const { outcome, fairness, balance } = result;
  const played: StoredPlay = { ulid: ulidOf(outcome.id), server_seed: fairness.server_seed, balance };
  const Item = { ...session, played, ...ttlAt(now + playedRetentionMs) };
  return { Put: { Item, ConditionExpression: playable } };
}
