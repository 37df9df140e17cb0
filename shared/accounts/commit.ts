/** How a user changes: read, decide, and one transaction that holds if nothing happened in between. */
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

/** What a change reads beside the user, by names of its own. */
type Reads = Record<string, Key>;
/** What was read: the user, and each further item under its name, or undefined if there is none. */
export type Seen<R extends Reads = Reads> = { user: User } & { [name in keyof R]: Item | undefined };

/** What a decision wants: the changed user (none if nothing changes), its records, other writes, and the reply. */
export type Decision<T = unknown> = {
  user?: User;
  records?: ChainedRecord[];
  writes?: Record<string, Part>;
  /** What the change returns, and what a repetition of its idempotency key returns again. */
  reply: T;
};

/** A use of an idempotency key at a time (epoch milliseconds). */
export type Idempotency = {
  resource: Resource;
  key: string;
  now: number;
  /** What a repetition must share, with the defaults as they were at the key's first use. */
  parameters: (firstUse: number) => Item;
};

/** A change of a user. */
export type Change<R extends Reads, P, D extends Decision> = {
  organizationId: string;
  userId: string;
  idempotency?: Idempotency;
  /** Whether an operator makes it, who may change a frozen user too. */
  byOperator?: true;
  /** Further items to read in the same round trip as the user. */
  reads?: R;
  /** Runs between reading and deciding, once for each attempt; may read or draw. */
  prepare?: (seen: Seen<R>) => P | Promise<P>;
  /**
   * A pure function of what was read and prepared; it may run several times. A Refusal it throws refuses the
   * change.
   */
  decide: (seen: Seen<R>, prepared: P) => D;
  /** Called with the parts of `writes` that failed: throws a refusal, or returns to try again. */
  onFailed?: (failed: Failed<string>) => void;
};

/** What became of a change. */
export type Committed<T, D = Decision<T>> = {
  reply: T;
  /** Whether the reply is that of an earlier request with the same idempotency key. */
  replayed: boolean;
  /**
   * The decision that was written; none if the reply is that of another request, or of an attempt whose
   * answer was lost.
   */
  decision?: D;
};

/**
 * Changes an existing user. Requests, free spins, and operators who adjust a balance or erase a user come through here;
 * operators' other changes of a user through `operateOnUser`. Two round trips. Starts again after a lost race. A
 * repeated idempotency key returns the reply of its first use. Throws the decision's refusal, `user_frozen`,
 * `idempotency_key_reused`, or 429 or 503 if it stops trying, after 10 s; of these only `outcome_unknown` leaves open
 * whether it has succeeded.
 */
export async function commit<D extends Decision, R extends Reads = Record<never, Key>, P = undefined>(
  change: Change<R, P, D>,
): Promise<Committed<D['reply'], D>> {
  const nonce = ulid(change.idempotency?.now);
  const started = performance.now();
  return orFindOut<Committed<D['reply'], D>>(
    // Each attempt reads anew, right before it writes: what it could remember would be old.
    () => retry(() => attempt(change, nonce, started)),
    () => earlierUse(change, nonce),
  );
}

/** What an idempotency key's first use came to; undefined if it was not used, or there is none. */
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
  const seen = await see(change);
  const decided = await decideOrReplay(change, seen, nonce);
  if ('replayed' in decided) return decided;
  const { decision } = decided;
  if (!decision.user) return { reply: decision.reply, replayed: false, decision };
  if (performance.now() - started > staleAfterMs) throw new Stale();
  const failed = await transact(partsOf(change, seen.user, decision, nonce));
  if (!failed) return { reply: decision.reply, replayed: false, decision };
  // Looked at first: if the key was used before, other conditions may have failed because of that use.
  if (failed.idempotency) return replayOf(failed.idempotency, change.idempotency!, nonce);
  change.onFailed?.(failed);
  return RETRY;
}

async function see<R extends Reads, P, D extends Decision>(change: Change<R, P, D>): Promise<Seen<R>> {
  const { organizationId, userId, reads } = change;
  if (!reads) return { user: await readStoredUser(organizationId, userId) } as Seen<R>;
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const [user, ...others] = await getAll([userKey(organizationId, userId), ...Object.values(reads)]);
  if (!user) throw refusals.userNotFound();
  const named = Object.fromEntries(Object.keys(reads).map((name, index) => [name, others[index]]));
  return { ...named, user } as Seen<R>;
}

/** A refusal stands only if its idempotency key is not one that has succeeded before. */
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

/** The part of a transaction that writes a user over the one that it was decided on, if nothing happened in between. */
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
  // With our own nonce it is no replay: this very request was written, and only the answer was lost.
  return { reply: used.reply as never, replayed: used.nonce !== nonce };
}

const hashOf = (parameters: Item) => sha256(canonicalJson(parameters));
