/** Closes a drawing: uses up entries and publishes the list. Steps can be repeated, also concurrently. */
import { commit } from '../accounts/commit.ts';
import { postTransaction } from '../accounts/post.ts';
import type { User } from '../accounts/user.ts';
import { type Drawing, openDrawingsIn, readDrawing, readEntrantList } from '../drawings/drawings.ts';
import { summarizeEntrants } from '../drawings/list.ts';
import { closingMidnight, drawableAt, mustCloseBefore } from '../drawings/terms.ts';
import { timeOfUlid, ulidTimePart } from '../ids.ts';
import { concurrently } from '../promises.ts';
import { Refusal } from '../refusals.ts';
import { allShards } from '../shards.ts';
import { putItem, type TableWrite } from '../table/client.ts';
import {
  entrantKey,
  entrantsInShard,
  holdersInShard,
  shardDoneKey,
  shardsDone,
} from '../table/drawing-keys.ts';
import { between, recordsOfUser } from '../table/keys.ts';
import { batches, readRange } from '../table/ranges.ts';
import { isoOf } from '../time.ts';
import type { ActionContext } from './action-records.ts';
import { recordDrawingStep } from './record-drawing.ts';

/** A worker's clock (epoch milliseconds) and time limit. `pace` waits after a change, to keep the rate. */
export type DrawingClock = {
  now: () => number;
  timeIsUp: () => boolean;
  pace?: (changes: number) => Promise<void>;
};

const usersAtOnce = 8;
const usersPerQuery = 100;

/**
 * Debits all holders of a shard, or gives everything back if the drawing is called off. Returns false if time ran out,
 * or if the drawing was called off meanwhile.
 */
export async function moveShardEntries(
  drawing: Drawing,
  shard: number,
  clock: DrawingClock,
): Promise<boolean> {
  const { organization_id, terms, state } = drawing;
  const { drawing_id, type } = terms;
  const users =
    state === 'called_off'
      ? entrantsInShard(organization_id, drawing_id, shard)
      : holdersInShard(organization_id, type, shard);
  for await (const items of batches(users, { limit: usersPerQuery, consistent: true })) {
    // A drawing that is called off during its closing must not debit users for much longer.
    if ((await readDrawing(organization_id, drawing_id)).state !== state) return false;
    let isCut = false;
    await concurrently(usersAtOnce, items, async ({ sk }) => {
      isCut ||= clock.timeIsUp();
      if (isCut) return;
      await moveEntries(drawing, `usr_${sk}`, clock.now());
      await clock.pace?.(1);
    });
    if (isCut) return false;
  }
  await putItem(shardDoneKey(organization_id, drawing_id, state, shard));
  return true;
}

/** Returns whether all shards are closed, or have given everything back. */
export async function areAllShardsDone({ organization_id, terms, state }: Drawing): Promise<boolean> {
  const done = shardsDone(organization_id, terms.drawing_id, state);
  return (await readRange(done, { consistent: true })).length === allShards.length;
}

/** Debits a user's entries and adds the user to the list, or reverses both, unless that is done already. */
async function moveEntries(drawing: Drawing, userId: string, now: number): Promise<void> {
  const { organization_id: organizationId, terms, state } = drawing;
  const { drawing_id, type } = terms;
  const key = entrantKey(organizationId, drawing_id, userId);
  const isReturn = state === 'called_off';
  const moved = commit({
    organizationId,
    userId,
    byOperator: true,
    reads: { entrant: key },
    prepare: ({ user }) => (isReturn ? 0 : balanceAtMidnight(drawing, user)),
    decide: ({ user, entrant }, atMidnight) => {
      const entries = Math.min(atMidnight, user.balances[type]);
      const amount = isReturn ? Number(entrant?.entries ?? 0) : entrant ? 0 : -entries;
      if (amount === 0) return { reply: undefined };
      const description = `Drawing ${drawing_id}${isReturn ? ' was called off' : ''}`;
      const { user: after, record } = postTransaction(
        user,
        { account: type, amount, description, drawing_id },
        now,
      );
      const line: TableWrite = isReturn
        ? { Delete: { Key: key, ConditionExpression: 'attribute_exists(pk)' } }
        : { Put: { Item: { ...key, entries }, ConditionExpression: 'attribute_not_exists(pk)' } };
      return { user: after, records: [record], writes: { line }, reply: undefined };
    },
  });
  await moved.catch((error: unknown) => {
    // An erased user has no entries any more.
    if (!(error instanceof Refusal && error.code === 'user_not_found')) throw error;
  });
}

/** Returns the entries at the closing midnight, of a test drawing those of now. Reads only if they may differ. */
async function balanceAtMidnight({ terms }: Drawing, user: User): Promise<number> {
  const { type, is_test } = terms;
  const midnight = closingMidnight(terms);
  if (is_test || user.last_ulid === undefined || timeOfUlid(user.last_ulid) < midnight)
    return user.balances[type];
  const entries = recordsOfUser(user.organization_id, user.user_id, `entries#${type}`);
  const before = between(entries, '0', ulidTimePart(midnight));
  const [last] = await readRange(before, { limit: 1, newestFirst: true, consistent: true });
  return Number(last?.balance_after ?? 0);
}

/**
 * Publishes the list. Call it when all shards are closed. Returns undefined if the drawing is closed already. Throws if
 * the round may be known already: the drawing can only be called off then.
 */
export async function finishClosing(drawing: Drawing, context: ActionContext): Promise<Drawing | undefined> {
  const { terms } = drawing;
  // Reads the list before the action: with a million entrants, reading takes longer than an action may.
  const list = summarizeEntrants(await readEntrantList(drawing));
  return recordDrawingStep(
    drawing,
    (stored, { now }) => {
      if (stored.state !== 'announced') return undefined;
      if (!terms.is_test && now >= mustCloseBefore(terms))
        throw new Error(`${terms.drawing_id} must be called off: its round may be known before its list`);
      const state = list.entrants > 0 ? 'closed' : 'drawn';
      const next: Drawing = { ...stored, state, list: { ...list, closed_at: isoOf(now) } };
      const work = state === 'closed' ? { from: now, by: drawableAt(terms) } : undefined;
      return { action: 'drawing_closed', about: { list }, next, work };
    },
    context,
  );
}

export const finishReturningEntries = (
  drawing: Drawing,
  context: ActionContext,
): Promise<Drawing | undefined> =>
  recordDrawingStep(
    drawing,
    (next, _, organization) => {
      const isOpen = openDrawingsIn(organization).some((one) => one.drawing_id === next.terms.drawing_id);
      return isOpen ? { action: 'drawing_returned', next } : undefined;
    },
    context,
  );
