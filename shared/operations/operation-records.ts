/** Makes the records of operators' actions. All action records of an organization form one hash chain. */
import { digestOfTexts, recordHash } from '../accounts/record-texts.ts';
import type { User } from '../accounts/user.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { type Settings, settingsOf, settingsParts } from '../games/settings.ts';
import { idOf, timeOfUlid, ulidAfter } from '../ids.ts';
import type { PageSettings } from '../organizations/page-settings.ts';
import type { Item, Part } from '../table/client.ts';
import { type Key, operationKey, operationTimeKey, type TimeKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { Account, Game, OperationAction } from '../vocabulary.ts';

/** Fields of a webhook that operators can change. A field is absent if the webhook does not have it. */
type WebhookState = {
  failing_since?: string;
  disabled_at?: string;
  /** Number of the webhook's replaced secrets that had not expired at the time of the action. */
  replaced_secrets?: number;
};

/** Details of an action: the user, key, webhook or other object that it changed, and the amounts. */
export type About = {
  user_id?: string;
  key_id?: string;
  transaction_id?: string;
  account?: Account;
  /** Amount of an adjustment in tickets or entries, negative for a debit. */
  amount?: number;
  /** The user's balance before and after an adjustment. */
  balance?: { before: number; after: number };
  /** For an action on a play URL: the hash of the URL's token. */
  token_hash?: string;
  /** Number of cancelled or restored spins by order id. */
  spins?: Record<string, number>;
  /** For a scheduled change: `changes` are the new settings, `from` the ISO instant from which they apply. */
  from?: string;
  changes?: Partial<Settings>;
  /** For an action that makes or cancels a scheduled change: the number of the action that scheduled the change. */
  sequence?: number;
  /** Changed settings of the play page. Contains the digest of an image instead of the image. */
  page?: Record<'before' | 'after', Partial<PageSettings>>;
  webhook_id?: string;
  /** Changed fields of a webhook before and after the action. */
  webhook?: Record<'before' | 'after', WebhookState>;
  /** Time window whose events were published again, as ISO instants. */
  window?: { from: string; to: string };
  /** Day of the latest book before and after the action. `before` is absent for the first book. */
  last_book?: { before?: string; after: string };
};

type ActionFields = {
  /** The operator's AWS identity, `API key` and the key's id, `schedule`, `deploy`, `debug route`; locally `start`. */
  operator: string;
  action: OperationAction;
  about?: About;
  /** The operator's reason for the action. */
  why?: string;
  /** HMAC of the reason for an action on a user. The record's hash covers the HMAC, so the reason can be erased. */
  texts?: string;
  /**
   * Values of the changed settings before and after the action. In the first record of an organization, `after` has
   * all settings.
   */
  before: Partial<Settings>;
  after: Partial<Settings>;
  /** Prize table that the action added to the organization. */
  table?: PrizeTable & { game: Game };
  /** Fingerprints of the first two days' secrets, by day. Only an organization's first record has them. */
  fingerprints?: Record<string, string>;
};

export type OperationRecord = Key &
  TimeKey &
  ActionFields & {
    kind: 'operations';
    operation_id: string;
    organization_id: string;
    date_created: string;
    /** Position of the record among the organization's action records, counted from 1. */
    sequence: number;
    /** Hash of the record's content together with the previous record's hash. */
    hash: string;
  };

/**
 * Operator, time (epoch milliseconds) and reason of an action. `readAt` is the result of `Date.now()` when `now` was
 * read. Commands set `readAt`, because a command can make an action hours after it read the time.
 */
export type ActionContext = { operator: string; now: number; readAt?: number; why?: string | undefined };

/**
 * Returns a function that returns the context with the current time as `now`. Without `readAt`, assumes that `now` was
 * read at the first call.
 */
export function clockOf({ readAt, ...context }: ActionContext): () => ActionContext {
  let since = readAt;
  return () => {
    const read = Date.now();
    since ??= read;
    return { ...context, now: context.now + read - since };
  };
}

/** Fields of an organization's item that describe its last action. Absent before the first action. */
type Operations = { operations?: number; last_operation?: string; operations_hash?: string };

/** Returns the sequence number and ULID for an organization's next action. */
function nextOperation(organizationId: string, organization: Item, now: number) {
  const { operations = 0, last_operation } = organization as Operations;
  const sequence = operations + 1;
  return { sequence, ulid: ulidAfter(last_operation, now, `${organizationId}\noperations\n${sequence}`) };
}

/** Returns the id that an organization's next action will get, for other records in the same transaction. */
export const nextOperationId = (organizationId: string, organization: Item, now: number): string =>
  idOf('op', nextOperation(organizationId, organization, now).ulid);

/** Makes an action's record, and the fields to change in the organization's item. */
export function operationOf(
  organizationId: string,
  organization: Item,
  fields: Omit<ActionFields, 'operator' | 'why' | 'texts'>,
  { operator, now, why }: ActionContext,
  user?: User,
): { record: OperationRecord; fields: Required<Operations> } {
  const { operations_hash = '' } = organization as Operations;
  const { sequence, ulid } = nextOperation(organizationId, organization, now);
  const content = {
    kind: 'operations' as const,
    operation_id: idOf('op', ulid),
    organization_id: organizationId,
    date_created: isoOf(timeOfUlid(ulid)),
    sequence,
    operator,
    ...fields,
    ...(why === undefined ? {} : { why }),
    ...(why === undefined || !user ? {} : { texts: digestOfTexts(user, { why }) }),
  };
  const hash = recordHash(operations_hash, content);
  const keys = {
    ...operationKey(organizationId, ulid),
    ...operationTimeKey(organizationId, ulid),
  };
  return {
    record: { ...keys, ...content, hash },
    fields: { operations: sequence, last_operation: ulid, operations_hash: hash },
  };
}

/**
 * Returns transaction parts that record an action and change settings in all shards. They fail if
 * `organization` is outdated.
 */
export function operationParts(
  organizationId: string,
  organization: Item,
  { record, fields }: ReturnType<typeof operationOf>,
  more: Item = {},
): Record<string, Part> {
  const changed = { ...organization, ...record.after, ...more };
  return {
    organization: {
      Put: {
        Item: { ...changed, ...fields },
        ConditionExpression: noActionSince,
        ExpressionAttributeValues: { ':before': (organization as Operations).operations },
      },
    },
    ...(Object.keys(record.after).length > 0 ? settingsParts(organizationId, settingsOf(changed)) : {}),
    operation: { Put: { Item: record } },
  };
}

const noActionSince = 'operations = :before';
