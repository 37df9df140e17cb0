/** Changes a user: read the user, decide in a pure function, write if the user's version is unchanged. */
import { canonicalJson, isId, newUlid, sha256, timeOfUlid } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { orReadResult, RETRY, retry, Stale, staleAfterMs, stopwatch } from '../retry.ts';
import {
  type FailedWrites,
  getItem,
  getItems,
  type Item,
  type TableWrite,
  transact,
  withOldItem,
} from '../table/client.ts';
import { type IdempotencyScope, idempotencyItemKey, type Key, userKey } from '../table/keys.ts';
import { requireActive } from './active.ts';
import { holderWrites } from './holders.ts';
import { milestonesOf, timeOfNextRecord, type UserRecord } from './records.ts';
import { readUserOrErased, type User } from './user.ts';

const firstUse = 'attribute_not_exists(pk)';
const unchanged = 'version = :version';

type Reads = Record<string, Key>;
/** Items that a change has read: the user, and the items of `Reads`. A missing item is undefined. */
export type ReadItems<R extends Reads = Reads> = { user: User } & { [name in keyof R]: Item | undefined };

/** Result of `decide`: the changes to write, and the reply. If `user` is absent, nothing is written. */
export type Decision<T = unknown> = {
  user?: User;
  records?: UserRecord[];
  writes?: Record<string, TableWrite>;
  /** Stored with the idempotency key, to answer a repeated request. */
  reply: T;
};

/** `now` is the time of the request in epoch milliseconds. */
export type Idempotency = {
  resource: IdempotencyScope;
  key: string;
  now: number;
  /** Parameters that a repeated request must not change. `firstUse`: time of the first record (epoch ms). */
  parameters: (firstUse: number) => Item;
};

export type UserChange<R extends Reads, P, D extends Decision> = {
  organizationId: string;
  userId: string;
  idempotency?: Idempotency;
  /** True for a change by an operator, which is allowed even while the user is frozen. */
  byOperator?: true;
  /** True if the user's organization is suspended. A repeated request still gets its stored reply. */
  suspended?: boolean | undefined;
  /** Keys of further items, which are read in the same round trip as the user. */
  reads?: R;
  /** Called in every attempt between reading the items and `decide`. */
  prepare?: (items: ReadItems<R>) => P | Promise<P>;
  /** Decides the change, or throws a Refusal. Must be pure, because every attempt calls `decide` again. */
  decide: (items: ReadItems<R>, prepared: P) => D;
  /** Called with the writes whose conditions failed. Throws a refusal, or returns to start another attempt. */
  onFailed?: (failed: FailedWrites<string>) => void;
};

export type Committed<T, D = Decision<T>> = {
  reply: T;
  /** True if the reply is the stored reply to an earlier request with the same idempotency key. */
  replayed: boolean;
  /** Absent if the reply is a stored reply. */
  decision?: D;
};

/** Changes a user, with retries for 10 s. After any refusal except `outcome_unknown`, the change was not written. */
export async function commit<D extends Decision, R extends Reads = Record<never, Key>, P = undefined>(
  change: UserChange<R, P, D>,
): Promise<Committed<D['reply'], D>> {
  const nonce = newUlid(change.idempotency?.now ?? Date.now());
  const elapsed = stopwatch();
  return orReadResult<Committed<D['reply'], D>>(
    // Each attempt reads the items again, because another request may have changed them since the last attempt.
    () => retry(() => attempt(change, nonce, elapsed)),
    () => earlierUse(change, nonce),
  );
}

async function earlierUse(
  { organizationId, userId, idempotency }: Place,
  nonce: string,
): Promise<Committed<never, never> | undefined> {
  if (!idempotency) return undefined;
  const used = await getItem(
    idempotencyItemKey(organizationId, userId, idempotency.resource, idempotency.key),
  );
  return used && replayOf(used, idempotency, nonce);
}

async function attempt<R extends Reads, P, D extends Decision>(
  change: UserChange<R, P, D>,
  nonce: string,
  elapsed: () => number,
): Promise<Committed<D['reply'], D> | typeof RETRY> {
  const items = await readItems(change);
  const decided = await decideOrReplay(change, items, nonce);
  if ('replayed' in decided) return decided;
  const { decision } = decided;
  if (!decision.user) return { reply: decision.reply, replayed: false, decision };
  if (elapsed() > staleAfterMs) throw new Stale();
  const failed = await transact(partsOf(change, items.user, decision, nonce));
  if (!failed) return { reply: decision.reply, replayed: false, decision };
  // Checks the idempotency key first, because the request that stored the key may also have caused the other failures.
  if (failed.idempotency) return replayOf(failed.idempotency, change.idempotency!, nonce);
  change.onFailed?.(failed);
  return RETRY;
}

async function readItems<R extends Reads, P, D extends Decision>(
  change: UserChange<R, P, D>,
): Promise<ReadItems<R>> {
  const { organizationId, userId, reads } = change;
  if (!reads) return { user: await readUserOrErased(organizationId, userId) } as ReadItems<R>;
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const [user, ...others] = await getItems([userKey(organizationId, userId), ...Object.values(reads)]);
  if (!user) throw refusals.userNotFound();
  const named = Object.fromEntries(Object.keys(reads).map((name, index) => [name, others[index]]));
  return { ...named, user } as ReadItems<R>;
}

/**
 * If the change is refused, returns the reply stored with the idempotency key, or throws the refusal if none is stored.
 */
async function decideOrReplay<R extends Reads, P, D extends Decision>(
  change: UserChange<R, P, D>,
  items: ReadItems<R>,
  nonce: string,
): Promise<{ decision: D } | Committed<D['reply'], D>> {
  const { prepare, decide } = change;
  try {
    requireActive(items.user, change);
    return { decision: decide(items, (await prepare?.(items)) as P) };
  } catch (refusal) {
    const earlier = refusal instanceof Refusal ? await earlierUse(change, nonce) : undefined;
    if (!earlier) throw refusal;
    return earlier;
  }
}

type Place = { organizationId: string; userId: string; idempotency?: Idempotency };

function partsOf({ idempotency }: Place, before: User, decision: Decision, nonce: string) {
  const parts: Record<string, TableWrite> = {};
  if (idempotency) parts.idempotency = idempotencyPart(before, idempotency, decision.reply, nonce);
  parts.user = userWrite(before, decision.user!);
  const records = decision.records ?? [];
  [...records, ...records.flatMap(milestonesOf)].forEach((item, index) => {
    parts[`record${index}`] = { Put: { Item: item } };
  });
  return Object.assign(parts, holderWrites(before, decision.user!), decision.writes);
}

export const userWrite = (before: User, after: User): TableWrite => ({
  Put: {
    Item: { ...after, version: before.version + 1 },
    ConditionExpression: unchanged,
    ExpressionAttributeValues: { ':version': before.version },
  },
});

function idempotencyPart(
  user: User,
  { resource, key, now, parameters }: Idempotency,
  reply: unknown,
  nonce: string,
): TableWrite {
  const recordedAt = timeOfNextRecord(user, now);
  const item = {
    ...idempotencyItemKey(user.organization_id, user.user_id, resource, key),
    parameters: hashOf(parameters(recordedAt)),
    reply,
    nonce,
    // By another machine's clock, the user's next record can be on the day after the request.
    ...(recordedAt > now && { recorded_at: recordedAt }),
  };
  return { Put: { Item: item, ConditionExpression: firstUse, ...withOldItem } };
}

function replayOf(used: Item, { parameters }: Idempotency, nonce: string): Committed<never, never> {
  const usedAt = Number(used.recorded_at ?? timeOfUlid(used.nonce as string));
  if (used.parameters !== hashOf(parameters(usedAt))) throw refusals.idempotencyKeyReused();
  // The same nonce means that an earlier attempt of this call stored the reply, so the reply is not a replay.
  return { reply: used.reply as never, replayed: used.nonce !== nonce };
}

const hashOf = (parameters: Item) => sha256(canonicalJson(parameters));
