import { userRecordKinds } from '../../../shared/accounts/records.ts';
import { readUserOrErased, type User } from '../../../shared/accounts/user.ts';
import { readActionsOnUser } from '../../../shared/actions/actions-about.ts';
import { readOpenOrders } from '../../../shared/amoe/open-orders.ts';
import { getItem, getItems, type Item } from '../../../shared/table/client.ts';
import {
  idempotencyItemsOf,
  type KeyRange,
  playKey,
  recordsOfUser,
  referenceKey,
  withoutKeys,
} from '../../../shared/table/keys.ts';
import { batches, positionOf } from '../../../shared/table/ranges.ts';
import { isoOf } from '../../../shared/time.ts';
import { readCallsNaming } from '../../../shared/webhooks/calls-of-user.ts';
import { writeLines } from './write-lines.ts';

const notIncluded = [
  'Unplayed play URLs: they contain the id of the user but no text, can only be found by their token, and are deleted after 30 days.',
  'Calls to webhooks more than 90 days ago, which are deleted, and queued deliveries, which are recorded as calls once they are made.',
  'Payloads that the organization sent to its webhooks by an invocation, unless they name the user by the id or the current reference, as plain text, a number, or in a URL, HTML or JSON.',
  'Backups of the last 35 days and the table’s stream of the last 24 hours, which contain the same data.',
];

/** Writes a user's stored data to a JSON file, which also says what it lacks. Throws a Problem for an unknown user. */
export async function exportUser(organizationId: string, userId: string, file: string, now: number) {
  const user = await readUserOrErased(organizationId, userId);
  const counts: Record<string, number> = {};
  await writeLines(file, linesOf(user, counts, now));
  return { file, counts };
}

async function* linesOf(user: User, counts: Record<string, number>, now: number): AsyncGenerator<string> {
  const { organization_id, text_key: _, ...shownFields } = user;
  yield '{';
  yield `"exported_at": ${JSON.stringify(isoOf(now))},`;
  yield `"organization_id": ${JSON.stringify(organization_id)},`;
  yield `"user": ${JSON.stringify(withoutKeys(shownFields))},`;
  for (const [name, items] of Object.entries(listsOf(user, now))) {
    counts[name] = 0;
    let before = '';
    yield `"${name}": [`;
    for await (const item of items) {
      if (before) yield `${before},`;
      before = JSON.stringify(withoutKeys(item));
      counts[name]++;
    }
    yield `${before}],`;
  }
  yield `"not_included": ${JSON.stringify(notIncluded)}`;
  yield '}';
}

function listsOf(user: User, now: number): Record<string, AsyncIterable<Item>> {
  const { organization_id: organizationId, user_id: userId } = user;
  const records = userRecordKinds.map(
    (kind) => [kind, inRange(recordsOfUser(organizationId, userId, kind))] as const,
  );
  return {
    references: referencesOf(user),
    ...Object.fromEntries(records),
    due_spins: dueSpinsOf(user),
    play_sessions: sessionsOf(organizationId, userId),
    idempotency_keys: usesOf(organizationId, userId),
    actions: readActionsOnUser(organizationId, userId),
    webhook_calls: readCallsNaming(organizationId, user, now),
  };
}

async function* inRange(range: KeyRange): AsyncGenerator<Item, undefined> {
  for await (const items of batches(range, { consistent: true })) yield* items;
}

async function* dueSpinsOf(user: User) {
  for (const { order, remaining } of await readOpenOrders(user)) {
    yield { order_id: order.order_id, due_day: order.due_day, remaining };
  }
}

async function* referencesOf({ organization_id, external_reference, user_id }: User) {
  const item = external_reference && (await getItem(referenceKey(organization_id, external_reference)));
  if (item && item.user_id === user_id) yield item;
}

const maxPerRead = 100;

async function* sessionsOf(organizationId: string, userId: string): AsyncGenerator<Item, undefined> {
  const outcomes = recordsOfUser(organizationId, userId, 'outcomes');
  for await (const items of batches(outcomes, { limit: maxPerRead, fields: ['token_hash'] })) {
    const hashes = items.flatMap(({ token_hash }) => (token_hash ? [String(token_hash)] : []));
    const sessions = hashes.length > 0 ? await getItems(hashes.map(playKey)) : [];
    yield* sessions.filter((session) => session !== undefined);
  }
}

async function* usesOf(organizationId: string, userId: string): AsyncGenerator<Item, undefined> {
  const range = idempotencyItemsOf(organizationId, userId);
  for await (const item of inRange(range)) yield { used_for: positionOf(range, item), ...item };
}
