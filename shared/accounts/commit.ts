import { randomUUID } from 'node:crypto';
import { canonicalJson, isId, sha256 } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { again, retry } from '../retry.ts';
import { type Failed, get, getAll, type Item, type Part, transact, withOldItem } from '../table/client.ts';
import { idempotencyItemKey, type Key, type Resource, userKey } from '../table/keys.ts';
import { type HistoryRecord, milestonesOf } from './records.ts';
import { readUser, type User } from './user.ts';

const firstUse = 'attribute_not_exists(pk)';
const unchanged = 'version = :version';

/** What `commit()` lets a decision see. */
export type Seen = { user: User; also: (Item | undefined)[] };
/** What a decision wants: the changed user (none where nothing changes), records, other writes, the answer. */
export type Decision<T> = {
  user?: User;
  records?: HistoryRecord[];
  also?: Record<string, Part>;
  reply: T;
};
/**
 * A use of an idempotency key; the parameters are those that a repetition must share. Where a default depends
 * on the time, `sameAs` has the other way of saying the same now, so that a repetition may use either for good.
 */
export type Idempotency = { resource: Resource; key: string; parameters: Item; sameAs?: Item | undefined };

type Commit<T> = {
  organizationId: string;
  userId: string;
  idempotency?: Idempotency;
  /** Further items to read in the same round trip. */
  alsoRead?: Key[];
  /** What the caller knows from a change of its own a moment ago: the first attempt does not read. */
  known?: Seen | undefined;
  /** A pure function of what was read; it may run several times. A Refusal refuses the change. */
  decide: (seen: Seen) => Decision<T>;
  /** Called with the parts of `also` that failed: throw a refusal, or answer, or return to try again. */
  onFailed?: (failed: Failed<string>) => T | undefined;
};
/** The answer of a change, and whether it is an earlier request's. */
export type Committed<T> = { reply: T; replayed: boolean };

/**
 * The only way in which a user changes: read, decide, and one transaction that holds if nothing happened in
 * between. Two round trips. Starts again after a lost race; a repeated idempotency key answers what its first
 * use answered. Throws the decision's refusal, `idempotency_key_reused`, or 503 when the race is lost for 10 s.
 */
export async function commit<T>(change: Commit<T>): Promise<Committed<T>> {
  const nonce = randomUUID();
  let { known } = change;
  return retry(async () => {
    // Every other attempt reads anew, right before it writes: what it could remember would be old.
    const seen = known ?? (await see(change));
    known = undefined;
    return (await attempt(change, seen, nonce)) ?? again;
  });
}

async function attempt<T>(change: Commit<T>, seen: Seen, nonce: string): Promise<Committed<T> | undefined> {
  const decision = await decideOr(change, seen, nonce);
  if ('replayed' in decision) return decision;
  if (!decision.user) return { reply: decision.reply, replayed: false };
  const failed = await transact(partsOf(change, seen.user, decision, nonce));
  if (!failed) return { reply: decision.reply, replayed: false };
  // Looked at first: where the key was used before, other conditions may have failed because of that use.
  if (failed.idempotency) return replayOf(failed.idempotency, change.idempotency!, nonce);
  const answer = change.onFailed?.(failed);
  return answer === undefined ? undefined : { reply: answer, replayed: false };
}

async function see<T>({ organizationId, userId, alsoRead = [] }: Commit<T>): Promise<Seen> {
  if (alsoRead.length === 0) return { user: await readUser(organizationId, userId), also: [] };
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const [user, ...also] = await getAll([userKey(organizationId, userId), ...alsoRead]);
  if (!user) throw refusals.userNotFound();
  return { user: user as User, also };
}

/** A refusal stands only if its idempotency key is not one that has succeeded before. */
async function decideOr<T>(
  change: Commit<T>,
  seen: Seen,
  nonce: string,
): Promise<Decision<T> | Committed<T>> {
  try {
    return change.decide(seen);
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || !change.idempotency) throw refusal;
    const { resource, key } = change.idempotency;
    const used = await get(idempotencyItemKey(change.organizationId, change.userId, resource, key));
    if (!used) throw refusal;
    return replayOf(used, change.idempotency, nonce);
  }
}

/** The user as a decision over `before` is stored. */
export const next = (before: User, decided: User): User => ({ ...decided, version: before.version + 1 });

function partsOf<T>(change: Commit<T>, before: User, decision: Decision<T>, nonce: string) {
  const parts: Record<string, Part> = {};
  if (change.idempotency) parts.idempotency = idempotencyPart(change, decision.reply, nonce);
  parts.user = {
    Put: {
      Item: next(before, decision.user!),
      ConditionExpression: unchanged,
      ExpressionAttributeValues: { ':version': before.version },
    },
  };
  const records = decision.records ?? [];
  [...records, ...records.flatMap(milestonesOf)].forEach((item, index) => {
    parts[`record${index}`] = { Put: { Item: item } };
  });
  return Object.assign(parts, decision.also);
}

function idempotencyPart<T>(
  { organizationId, userId, idempotency }: Commit<T>,
  reply: T,
  nonce: string,
): Part {
  const { resource, key, parameters, sameAs } = idempotency!;
  const item = {
    ...idempotencyItemKey(organizationId, userId, resource, key),
    parameters: [parameters, sameAs].filter((form) => form !== undefined).map(hashOf),
    reply,
    nonce,
  };
  return { Put: { Item: item, ConditionExpression: firstUse, ...withOldItem } };
}

function replayOf<T>(used: Item, { parameters }: Idempotency, nonce: string): Committed<T> {
  if (!(used.parameters as string[]).includes(hashOf(parameters))) throw refusals.idempotencyKeyReused();
  // With our own nonce it is no replay: this very request was written, and only the answer was lost.
  return { reply: used.reply as T, replayed: used.nonce !== nonce };
}

const hashOf = (parameters: Item) => sha256(canonicalJson(parameters));
