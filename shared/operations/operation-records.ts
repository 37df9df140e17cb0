/**
 * Records of operators' actions. An organization's records form a hash chain; each is written in the
 * transaction that makes the change.
 */
import { chainHash, digestOfTexts } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { type Settings, settingsOf, settingsParts } from '../games/settings.ts';
import { idOf, timeOfUlid, ulidAfter } from '../ids.ts';
import type { PageSettings } from '../organizations/page-settings.ts';
import type { Item, Part } from '../table/client.ts';
import { type Key, operationKey, operationTimeKey, organizationKey, type TimeKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { Account, Game, OperationAction, RecordKind } from '../vocabulary.ts';

/** Fields of a webhook that operators change. A field is absent if it was not set. */
export type WebhookState = {
  per_second?: number;
  failing_since?: string;
  disabled_at?: string;
  /** Number of replaced secrets that still signed. */
  replaced_secrets?: number;
};

/** The object of an action, with amounts. */
export type About = {
  user_id?: string;
  key_id?: string;
  transaction_id?: string;
  account?: Account;
  /** Negative for a debit. */
  amount?: number;
  /** Balance before and after an adjustment. */
  balance?: { before: number; after: number };
  /** For a play URL: the hash of its token. */
  token_hash?: string;
  /** Number of spins by order. */
  spins?: Record<string, number>;
  /** For a scheduled change: the settings, and the instant (ISO) from which they apply. */
  from?: string;
  changes?: Partial<Settings>;
  /** For a change made or withdrawn: the sequence number of the action that scheduled it. */
  sequence?: number;
  /** Changed settings of the play page. An image is recorded as its digest. */
  page?: Record<'before' | 'after', Partial<PageSettings>>;
  webhook_id?: string;
  /** Changed fields of a webhook. */
  webhook?: Record<'before' | 'after', WebhookState>;
  /** Time window whose events were published again. */
  window?: { from: string; to: string };
  /** Number of parked messages sent again, by webhook. */
  parked?: Record<string, number>;
  /** Number of rows in each report's row index before the index was rebuilt. */
  indexed_rows?: Record<RecordKind, number>;
  /** Day of the latest book, before and after the action. `before` is absent if there was no book. */
  last_book?: { before?: string; after: string };
};

/** Fields of an action. */
type ActionFields = {
  /** The operator's AWS identity, or the part of the service that acted: `schedule` or `deploy`. */
  operator: string;
  action: OperationAction;
  about?: About;
  /** The operator's reason. */
  why?: string;
  /**
   * Keyed digest of a reason about a user. The hash covers the digest instead of the reason, so that the
   * reason can be erased.
   */
  texts?: string;
  /** The changed settings before and after the action. The first record has all settings. */
  before: Partial<Settings>;
  after: Partial<Settings>;
  /** A prize table that the action stored. */
  table?: PrizeTable & { game: Game };
  /** Fingerprints of the secrets of the first two days, which no book has published. */
  fingerprints?: Record<string, string>;
};

/** Record of an action. */
export type OperationRecord = Key &
  TimeKey &
  ActionFields & {
    kind: 'operations';
    operation_id: string;
    organization_id: string;
    date_created: string;
    /** Number of the record among those of its organization, from 1. */
    sequence: number;
    /** Hash of the record's content and the previous record's hash. */
    hash: string;
  };

/** Who acts, when (epoch milliseconds), and why. */
export type By = { operator: string; now: number; why?: string | undefined };

/** Fields of an organization's item about its last action. Absent before the first action. */
type Operations = { operations?: number; last_operation?: string; operations_hash?: string };

/** Returns the sequence number and ULID of an organization's next action. */
function nextOperation(organizationId: string, organization: Item, now: number) {
  const { operations = 0, last_operation } = organization as Operations;
  const sequence = operations + 1;
  return { sequence, ulid: ulidAfter(last_operation, now, `${organizationId}\noperations\n${sequence}`) };
}

/** Returns the id of an organization's next action, so that other records can name the action. */
export const nextOperationId = (organizationId: string, organization: Item, now: number): string =>
  idOf('op', nextOperation(organizationId, organization, now).ulid);

/**
 * Returns the record of an action, and the resulting fields of the organization's item. For an action on a
 * user, the hash covers a digest of the reason under the user's key. Pure.
 */
export function operationOf(
  organizationId: string,
  organization: Item,
  fields: Omit<ActionFields, 'operator' | 'why' | 'texts'>,
  { operator, now, why }: By,
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
  const hash = chainHash(operations_hash, content);
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
 * Returns the parts of a transaction that record an action and change the settings and their copies. `more`
 * are further fields of the organization's item. The parts fail if another action was recorded since
 * `organization` was read.
 */
export function operationParts(
  organizationId: string,
  organization: Item,
  { record, fields }: ReturnType<typeof operationOf>,
  more: Item = {},
): Record<string, Part> {
  const changes = Object.entries({ ...record.after, ...more, ...fields });
  const before = (organization as Operations).operations;
  return {
    organization: {
      Update: {
        Key: organizationKey(organizationId),
        UpdateExpression: `SET ${changes.map((_, i) => `#${i} = :${i}`).join(', ')}`,
        ConditionExpression: noneSince,
        ExpressionAttributeNames: Object.fromEntries(changes.map(([name], i) => [`#${i}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(changes.map(([, value], i) => [`:${i}`, value])),
          ':before': before,
        },
      },
    },
    ...(Object.keys(record.after).length > 0
      ? settingsParts(organizationId, settingsOf({ ...organization, ...record.after, ...more }))
      : {}),
    operation: { Put: { Item: record } },
  };
}

const noneSince = 'operations = :before';
