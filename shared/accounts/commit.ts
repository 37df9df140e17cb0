/**
 * Changes a user in three steps: reads the user, decides the change in a pure function, and writes one
 * transaction. The transaction fails if the user's version has changed since the read.
 */
import { ulid } from 'ulid';
import { canonicalJson, isId, sha256, timeOfUlid } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { orFindOut, RETRY, retry, Stale, staleAfterMs } from '../retry.ts';
import { type Failed, get, getAll, type Item, type Part, transact, withOldItem } from '../table/client.ts';
import { idempotencyItemKey, type Key, type Resource, userKey } from '../table/keys.ts';
import { type ChainedRecord, milestonesOf } from './records.ts';
import { readStoredUser, type User, unlessErased } from './user.ts';

const firstUse = 'attribute_not_exists(pk)';
const unchanged = 'version = :version';

/**
 * Table keys, by name, of the items that a change reads in addition to the user. The change's function
 * `decide` receives each item under the name of its key.
 */
type Reads = Record<string, Key>;
/**
 * Items that a change has read: the user, and the items of `Reads` by name. An item is undefined if the table
 * does not contain it.
 */
export type Seen<R extends Reads = Reads> = { user: User } & { [name in keyof R]: Item | undefined };

/** Result of `decide`: the changes to write, and the reply. If `user` is absent, nothing is written. */
export type Decision<T = unknown> = {
  user?: User;
  records?: ChainedRecord[];
  writes?: Record<string, Part>;
  /**
   * Value to return to the caller. Stored with the idempotency key, so that a repeated request gets the same
   * reply.
   */
  reply: T;
};

/** Data of a request with an idempotency key. `now` is the time of the request in epoch milliseconds. */
export type Idempotency = {
  resource: Resource;
  key: string;
  now: number;
  /**
   * Returns the request's parameters. A repeated request must have the same parameters as the first request
   * with the key. Default values that depend on the time are computed for `firstUse`, the time of the first
   * request in epoch milliseconds.
   */
  parameters: (firstUse: number) => Item;
};

/**
 * Defines a change of a user: which items to read, how to decide, and what to do if the transaction fails.
 */
export type Change<R extends Reads, P, D extends Decision> = {
  organizationId: string;
  userId: string;
  idempotency?: Idempotency;
  /** True for a change by an operator, which is allowed even while the user is frozen. */
  byOperator?: true;
  /** Keys of further items, which are read in the same round trip as the user. */
  reads?: R;
  /**
   * Called in every attempt, after the items are read and before `decide` is called. Can read more items or
   * call KMS.
   */
  prepare?: (seen: Seen<R>) => P | Promise<P>;
  /**
   * Decides the change from the items read and the result of `prepare`. Must be pure, because every attempt
   * calls this function again. Throws a Refusal to refuse the change.
   */
  decide: (seen: Seen<R>, prepared: P) => D;
  /**
   * Called when a condition of the transaction has failed. `failed` has a key for each part of the
   * transaction whose condition failed. Throws a refusal, or returns to start another attempt.
   */
  onFailed?: (failed: Failed<string>) => void;
};

export type Committed<T, D = Decision<T>> = {
  reply: T;
  /** True if the reply is that of an earlier request with the same idempotency key. */
  replayed: boolean;
  /**
   * Result of `decide`. Absent if the reply was read from the stored idempotency key: for a repeated request,
   * or after DynamoDB's response to the write was lost.
   */
  decision?: D;
};

/**
 * Changes an existing user. Requests, free spins, balance adjustments and erasures call this function; an
 * operator's other changes use `recordUserAction`. Each attempt takes two round trips. If another request
 * changes the user at the same time, makes further attempts for 10 s. If the idempotency key was used before,
 * returns the stored reply. Throws the refusal of `decide`, `user_frozen`, `idempotency_key_reused`, or after
 * 10 s `too_many_requests`, `unavailable` or `outcome_unknown`. After `outcome_unknown`, the change may have
 * been written. After any other refusal, nothing has been written.
 */
export async function commit<D extends Decision, R extends Reads = Record<never, Key>, P = undefined>(
  change: Change<R, P, D>,
): Promise<Committed<D['reply'], D>> {
  const nonce = ulid(change.idempotency?.now);
  const started = performance.now();
  return orFindOut<Committed<D['reply'], D>>(
    // Each attempt reads the items again, because another request may have changed them since the last
    // attempt.
    () => retry(() => attempt(change, nonce, started)),
    () => earlierUse(change, nonce),
  );
}

/**
 * Returns the reply stored with the change's idempotency key. Returns undefined if the change has no key, or
 * the key was not used before.
 */
async function earlierUse(
  { organizationId, userId, idempotency }: Place,
  nonce: string,
): Promise<Committed<never, never> | undefined> {
  if (!idempotency) return undefined;
  const used = await get(idempotencyItemKey(organizationId, userId, idempotency.resource, idempotency.key));
  return used && replayOf(used, idempotency, nonce);
}

async function attempt<R extends Reads, P, D extends Decision>(
  change: Change<R, P, D>,
  nonce: string,
  started: number,
): Promise<Committed<D['reply'], D> | typeof RETRY> {
  const seen = await readItems(change);
  const decided = await decideOrReplay(change, seen, nonce);
  if ('replayed' in decided) return decided;
  const { decision } = decided;
  if (!decision.user) return { reply: decision.reply, replayed: false, decision };
  if (performance.now() - started > staleAfterMs) throw new Stale();
  const failed = await transact(partsOf(change, seen.user, decision, nonce));
  if (!failed) return { reply: decision.reply, replayed: false, decision };
  // Checks the idempotency key before the other conditions. If an earlier request has used the key, this
  // request gets the earlier reply, even if other conditions failed: the earlier write may be the reason.
  if (failed.idempotency) return replayOf(failed.idempotency, change.idempotency!, nonce);
  change.onFailed?.(failed);
  return RETRY;
}

async function readItems<R extends Reads, P, D extends Decision>(change: Change<R, P, D>): Promise<Seen<R>> {
  const { organizationId, userId, reads } = change;
  if (!reads) return { user: await readStoredUser(organizationId, userId) } as Seen<R>;
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const [user, ...others] = await getAll([userKey(organizationId, userId), ...Object.values(reads)]);
  if (!user) throw refusals.userNotFound();
  const named = Object.fromEntries(Object.keys(reads).map((name, index) => [name, others[index]]));
  return { ...named, user } as Seen<R>;
}

/**
 * Decides the change. If the change is refused, but an earlier request with the same idempotency key
 * succeeded, returns the reply of the earlier request.
 */
async function decideOrReplay<R extends Reads, P, D extends Decision>(
  change: Change<R, P, D>,
  seen: Seen<R>,
  nonce: string,
): Promise<{ decision: D } | Committed<D['reply'], D>> {
  const { prepare, decide } = change;
  try {
    unlessErased(seen.user);
    if (seen.user.frozen && !change.byOperator) throw refusals.onHold('user_frozen');
    return { decision: decide(seen, (await prepare?.(seen)) as P) };
  } catch (refusal) {
    const earlier = refusal instanceof Refusal ? await earlierUse(change, nonce) : undefined;
    if (!earlier) throw refusal;
    return earlier;
  }
}

type Place = { organizationId: string; userId: string; idempotency?: Idempotency };

function partsOf(place: Place, before: User, decision: Decision, nonce: string) {
  const parts: Record<string, Part> = {};
  if (place.idempotency) parts.idempotency = idempotencyPart(place, place.idempotency, decision.reply, nonce);
  parts.user = userPart(before, decision.user!);
  const records = decision.records ?? [];
  [...records, ...records.flatMap(milestonesOf)].forEach((item, index) => {
    parts[`record${index}`] = { Put: { Item: item } };
  });
  return Object.assign(parts, decision.writes);
}

/**
 * Returns the part of a transaction that replaces the stored user. The part fails if the user's version has
 * changed since `before` was read.
 */
export const userPart = (before: User, after: User): Part => ({
  Put: {
    Item: { ...after, version: before.version + 1 },
    ConditionExpression: unchanged,
    ExpressionAttributeValues: { ':version': before.version },
  },
});

function idempotencyPart(
  { organizationId, userId }: Place,
  { resource, key, now, parameters }: Idempotency,
  reply: unknown,
  nonce: string,
): Part {
  const item = {
    ...idempotencyItemKey(organizationId, userId, resource, key),
    parameters: hashOf(parameters(now)),
    reply,
    nonce,
  };
  return { Put: { Item: item, ConditionExpression: firstUse, ...withOldItem } };
}

function replayOf(used: Item, { parameters }: Idempotency, nonce: string): Committed<never, never> {
  const usedAt = timeOfUlid(used.nonce as string);
  if (used.parameters !== hashOf(parameters(usedAt))) throw refusals.idempotencyKeyReused();
  // Each call of `commit` has its own nonce. If the idempotency key is stored with the nonce of this call, an
  // earlier attempt of this call wrote it, and DynamoDB's response was lost. The reply is then not a replay.
  return { reply: used.reply as never, replayed: used.nonce !== nonce };
}

const hashOf = (parameters: Item) => sha256(canonicalJson(parameters));
