/**
 * Changes a user: reads, decides in a pure function, and writes one transaction on the condition that the
 * user's version is unchanged.
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

/** Keys of further items that a change reads, by name. */
type Reads = Record<string, Key>;
/** The user and the further items by name. An item is undefined if it does not exist. */
export type Seen<R extends Reads = Reads> = { user: User } & { [name in keyof R]: Item | undefined };

/** Result of a decision. Without `user`, nothing is written. */
export type Decision<T = unknown> = {
  user?: User;
  records?: ChainedRecord[];
  writes?: Record<string, Part>;
  /** Returned to the caller, and stored with the idempotency key for repetitions. */
  reply: T;
};

/** Use of an idempotency key at a time (epoch milliseconds). */
export type Idempotency = {
  resource: Resource;
  key: string;
  now: number;
  /**
   * Returns the parameters that a repetition must share. Takes the time of the key's first use, because
   * defaults can depend on the time.
   */
  parameters: (firstUse: number) => Item;
};

/** A change of a user: the items to read, the decision, and the handling of failed conditions. */
export type Change<R extends Reads, P, D extends Decision> = {
  organizationId: string;
  userId: string;
  idempotency?: Idempotency;
  /** Set for a change by an operator, which is allowed on a frozen user. */
  byOperator?: true;
  /** Further items to read in the same round trip as the user. */
  reads?: R;
  /** Runs once per attempt, after the read and before the decision. Can read more items or call KMS. */
  prepare?: (seen: Seen<R>) => P | Promise<P>;
  /**
   * Pure function of the items read and the prepared data. Can run several times. Throws a Refusal to refuse
   * the change.
   */
  decide: (seen: Seen<R>, prepared: P) => D;
  /** Called with the failed parts of `writes`. Throws a refusal, or returns to retry. */
  onFailed?: (failed: Failed<string>) => void;
};

/** Result of a change. */
export type Committed<T, D = Decision<T>> = {
  reply: T;
  /** Whether the reply comes from an earlier request with the same idempotency key. */
  replayed: boolean;
  /**
   * The decision that was written. Absent if the reply was read from the idempotency key's item: after a
   * repetition, or after a lost response.
   */
  decision?: D;
};

/**
 * Changes an existing user. Used by requests, free spins, balance adjustments and the erasure of a user;
 * operators' other changes use `recordUserAction`. Two round trips per attempt. Retries for 10 s after a lost
 * race. A repeated idempotency key returns the first reply. Throws the decision's refusal, `user_frozen`,
 * `idempotency_key_reused`, or 429 or 503 when the time is up. Only with `outcome_unknown` may the change
 * have been written.
 */
export async function commit<D extends Decision, R extends Reads = Record<never, Key>, P = undefined>(
  change: Change<R, P, D>,
): Promise<Committed<D['reply'], D>> {
  const nonce = ulid(change.idempotency?.now);
  const started = performance.now();
  return orFindOut<Committed<D['reply'], D>>(
    // Each attempt reads again: after a lost race, the items of the last attempt are outdated.
    () => retry(() => attempt(change, nonce, started)),
    () => earlierUse(change, nonce),
  );
}

/** Returns the stored reply of an idempotency key, or undefined if there is no key or it was not used. */
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
  // Checks the idempotency key first: if it was used before, that use can also have caused the other
  // conditions to fail.
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
 * Decides the change. If the decision is refused, but an earlier request with the same idempotency key
 * succeeded, returns that request's reply.
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
 * Returns the part of a transaction that replaces the user, on the condition that the version is unchanged.
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
  // An equal nonce means that this request wrote the item and lost the response: not a replay.
  return { reply: used.reply as never, replayed: used.nonce !== nonce };
}

const hashOf = (parameters: Item) => sha256(canonicalJson(parameters));
