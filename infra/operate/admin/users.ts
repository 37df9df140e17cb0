import { lastSequenceOf, type RecordOfKind, type UserRecord } from '../../../shared/accounts/records.ts';
import { findUser } from '../../../shared/accounts/references.ts';
import { readUserOrErased } from '../../../shared/accounts/user.ts';
import type { ActionRecord } from '../../../shared/actions/action-records.ts';
import { playsOnDay } from '../../../shared/games/play-rules.ts';
import { isUlid, ulidOf, ulidTimePart } from '../../../shared/ids.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import { getItems } from '../../../shared/table/client.ts';
import {
  actionKey,
  actionsOf,
  between,
  recordLists,
  recordsInShards,
  recordsOfUser,
  timeSortKey,
  withoutKeys,
} from '../../../shared/table/keys.ts';
import { readPage, readRange } from '../../../shared/table/ranges.ts';
import { dayOf } from '../../../shared/time.ts';
import { BadUsage, parseInteger } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { cancelledSpinsByOrder, spinChanges } from './cancelled-spins.ts';
import { type OperatorAndReason, type RecordContext, recordSentence } from './record-sentences.ts';

type NamedUser = { user?: string | undefined; reference?: string | undefined };

export async function showUser(organizationId: string, { user, reference }: NamedUser, now: number) {
  if ((user === undefined) === (reference === undefined)) throw new BadUsage('Give --user or --reference.');
  const userId = user ?? (await userIdOf(organizationId, reference!));
  const found = await readUserOrErased(organizationId, userId);
  const {
    text_key: _key,
    last_hash: _hash,
    last_ulid: _ulid,
    version: _version,
    plays: _plays,
    sequence: record_number,
    ...shown
  } = found;
  const numbers = { sequence: lastSequenceOf(found), record_number };
  return { ...withoutKeys(shown), ...numbers, plays_today: playsOnDay(found, dayOf(now)) };
}

async function userIdOf(organizationId: string, reference: string): Promise<string> {
  try {
    return (await findUser(organizationId, reference)).user_id;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== refusals.userNotFound().code) throw error;
    throw new Problem(`No user of ${organizationId} has the reference "${reference}".`);
  }
}

const maxLatest = 20;

/** Returns the users whose tickets changed last, latest first. */
export async function latestUsers(organizationId: string) {
  const options = { limit: maxLatest, newestFirst: true };
  const ranges = recordsInShards(organizationId, 'tickets');
  const found = await Promise.all(ranges.map((range) => readRange(range, options)));
  const records = found.flat() as unknown as RecordOfKind<'tickets'>[];
  records.sort((a, b) => (a.date_created < b.date_created ? 1 : -1));
  const users = Map.groupBy(records, ({ user_id }) => user_id);
  const latest = [...users.values()].slice(0, maxLatest).map(([last]) => last!);
  return latest.map(({ user_id, external_reference, date_created, balance_after }) => ({
    user_id,
    external_reference,
    last_change: date_created,
    tickets: balance_after,
  }));
}

const maxPerPage = 1000;
const lists = [...recordLists, 'orders'] as const;

/** Returns a page of a user's records, newest first. Throws a BadUsage for an invalid `after` or `limit`. */
export async function showHistory(
  organizationId: string,
  userId: string,
  { after, limit = '100' }: { after?: string | undefined; limit?: string | undefined },
) {
  const maxRecords = parseInteger('--limit', limit, [1, maxPerPage]);
  if (after !== undefined && !isUlid(after))
    throw new BadUsage(`--after is "${after}", which is not the "next" of any page.`);
  await readUserOrErased(organizationId, userId);
  const pages = await Promise.all(
    lists.map((list) =>
      readPage(recordsOfUser(organizationId, userId, list), { limit: maxRecords, after, newestFirst: true }),
    ),
  );
  const found = pages.flatMap(({ items }) => items as UserRecord[]);
  // Sorts by sequence number, because a user's records of all kinds are numbered together.
  const records = found.sort((a, b) => b.sequence - a.sequence).slice(0, maxRecords);
  const isMore = found.length > maxRecords || pages.some(({ last }) => last !== undefined);
  // `found` has each transaction's outcome, whose record comes right before it.
  const playTypes = new Map(
    found.flatMap((record) => (record.kind === 'outcomes' ? [[record.id, record.play_type]] : [])),
  );
  const [actions, cancelled] = await Promise.all([
    actionsNamedIn(organizationId, records),
    cancelledIn(organizationId, records),
  ]);
  return {
    records: records.map((record) =>
      record.kind === 'orders'
        ? shownRecord(record, { cancelled: cancelled.get(record.order_id) })
        : shownRecord(record, {
            madeBy: actions.get(actionIdOf(record)),
            playType: 'outcome_id' in record ? playTypes.get(record.outcome_id ?? '') : undefined,
          }),
    ),
    ...(isMore ? { next: timeSortKey(records.at(-1)!) } : {}),
  };
}

const actionIdOf = (record: UserRecord): string => ('action_id' in record && record.action_id) || '';

async function actionsNamedIn(
  organizationId: string,
  records: UserRecord[],
): Promise<Map<string, OperatorAndReason>> {
  const ids = [...new Set(records.map(actionIdOf).filter(Boolean))];
  const found = await getItems(ids.map((id) => actionKey(organizationId, ulidOf(id))));
  return new Map(
    (found as (ActionRecord | undefined)[]).flatMap((record) => (record ? [[record.action_id, record]] : [])),
  );
}

/** Returns the spins that operators have cancelled of each order. */
async function cancelledIn(organizationId: string, records: readonly UserRecord[]) {
  const ordered = records.flatMap(({ kind, date_created }) =>
    kind === 'orders' ? [Date.parse(date_created)] : [],
  );
  if (ordered.length === 0) return cancelledSpinsByOrder([]);
  const firstUlid = ulidTimePart(Math.min(...ordered) - clockSkewMs);
  const range = between(actionsOf(organizationId), firstUlid, afterAllUlids);
  const actions = (await readRange(range, { consistent: true })) as ActionRecord[];
  return cancelledSpinsByOrder(spinChanges(actions));
}
const clockSkewMs = 60_000;
const afterAllUlids = '~';

function shownRecord(record: UserRecord, related: RecordContext) {
  const shownFields = withoutKeys(record) as RecordOfKind<'tickets'>;
  const { texts: _, hash: _hash, sequence: record_number, event_sequence: sequence, ...others } = shownFields;
  const { madeBy, cancelled } = related;
  const { operator, why } = madeBy ?? cancelled?.record ?? {};
  return {
    sentence: recordSentence(record, related),
    record_number,
    // Orders have no event, and so no sequence.
    ...(sequence === undefined ? {} : { sequence }),
    ...others,
    ...(cancelled ? { cancelled: cancelled.spins } : {}),
    ...(operator === undefined ? {} : { operator }),
    ...(why === undefined ? {} : { why }),
  };
}
