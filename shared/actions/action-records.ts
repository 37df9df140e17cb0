import { digestOfTexts, recordHash } from '../accounts/record-texts.ts';
import type { User } from '../accounts/user.ts';
import type { ActionDetails } from '../books/leaves.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { type Settings, settingsWrites } from '../games/settings.ts';
import { idOf, timeOfUlid, ulidAfter } from '../ids.ts';
import type { Item, TableWrite } from '../table/client.ts';
import { actionKey, actionTimeKey, type Key, type TimeKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { ActionName, Game } from '../vocabulary.ts';

type ActionFields = {
  /** The operator's AWS identity, `API key` and the key's id, `schedule`, `deploy`, `debug route`; locally `start`. */
  operator: string;
  action: ActionName;
  about?: ActionDetails;
  why?: string;
  /** HMAC of the reason. The record's hash covers it instead of the reason, which can therefore be erased. */
  texts?: string;
  /** The changed settings before and after the action. An organization's first `after` has all settings. */
  before: Partial<Settings>;
  after: Partial<Settings>;
  table?: PrizeTable & { game: Game };
  fingerprints?: Record<string, string>;
  /** Reference of a drawing's winner. The hash does not cover it, and the user's erasure deletes it. */
  external_reference?: string;
};

export type ActionRecord = Key &
  TimeKey &
  ActionFields & {
    kind: 'actions';
    action_id: string;
    organization_id: string;
    date_created: string;
    /** Position of the record among the organization's action records, counted from 1. */
    sequence: number;
    hash: string;
  };

/**
 * Operator, time (epoch milliseconds) and reason of an action. `readAt` is the result of `Date.now()` when `now` was
 * read. Commands set `readAt`, because a command can make an action hours after it read the time.
 */
export type ActionContext = {
  operator: string;
  now: number;
  readAt?: number;
  why?: string | undefined;
  /** Permits a change of odds after a promotion has begun. */
  despiteRules?: boolean | undefined;
};

/** Returns a function that gives the context with the present time: `now` plus the time since it was read. */
export function liveContext({ readAt, ...context }: ActionContext): () => ActionContext {
  let since = readAt;
  return () => {
    const read = Date.now();
    since ??= read;
    return { ...context, now: context.now + read - since };
  };
}

/** The organization's fields about its latest action. Absent before the first. */
type LatestAction = { actions?: number; last_action?: string; actions_hash?: string };

function nextPosition(organizationId: string, organization: Item, now: number) {
  const { actions = 0, last_action } = organization as LatestAction;
  const sequence = actions + 1;
  return { sequence, ulid: ulidAfter(last_action, now, `${organizationId}\nactions\n${sequence}`) };
}

export const nextActionId = (organizationId: string, organization: Item, now: number): string =>
  idOf('act', nextPosition(organizationId, organization, now).ulid);

export function newAction(
  organizationId: string,
  organization: Item,
  fields: Omit<ActionFields, 'operator' | 'why' | 'texts'>,
  { operator, now, why }: ActionContext,
  user?: User,
): { record: ActionRecord; fields: Required<LatestAction> } {
  const { actions_hash = '' } = organization as LatestAction;
  const { sequence, ulid } = nextPosition(organizationId, organization, now);
  const content = {
    kind: 'actions' as const,
    action_id: idOf('act', ulid),
    organization_id: organizationId,
    date_created: isoOf(timeOfUlid(ulid)),
    sequence,
    operator,
    ...fields,
    ...(why === undefined ? {} : { why }),
    ...(why === undefined || !user ? {} : { texts: digestOfTexts(user, { why }) }),
  };
  const hash = recordHash(actions_hash, content);
  const keys = { ...actionKey(organizationId, ulid), ...actionTimeKey(organizationId, ulid) };
  return {
    record: { ...keys, ...content, hash },
    fields: { actions: sequence, last_action: ulid, actions_hash: hash },
  };
}

export function actionWrites(
  organizationId: string,
  organization: Item,
  { record, fields }: ReturnType<typeof newAction>,
  more: Item = {},
): Record<string, TableWrite> {
  const changed = { ...organization, ...record.after, ...more };
  const isCopied = Object.keys(record.after).length > 0 || 'drawings' in more;
  return {
    organization: {
      Put: {
        Item: { ...changed, ...fields },
        ConditionExpression: noActionSince,
        ExpressionAttributeValues: { ':before': (organization as LatestAction).actions },
      },
    },
    ...(isCopied ? settingsWrites(organizationId, changed) : {}),
    action: { Put: { Item: record } },
  };
}

const noActionSince = 'actions = :before';
