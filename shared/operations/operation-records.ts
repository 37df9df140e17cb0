/**
 * What operators change of an organization: each change is a record that stays as it is, in a chain of the
 * organization's own, written together with what it changes.
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

/** What operators change of a webhook; what is absent was not set. */
export type WebhookState = {
  per_second?: number;
  failing_since?: string;
  disabled_at?: string;
  /** How many replaced secrets still signed. */
  replaced_secrets?: number;
};

/** What an operation was done to, and how much of it. */
export type About = {
  user_id?: string;
  key_id?: string;
  transaction_id?: string;
  account?: Account;
  /** Negative if it was taken. */
  amount?: number;
  /** What an adjusted balance was. */
  balance?: { before: number; after: number };
  /** Of a play URL: the hash of its token. */
  token_hash?: string;
  /** How many spins of which orders. */
  spins?: Record<string, number>;
  /** What is set for a time to come, and the instant. */
  from?: string;
  changes?: Partial<Settings>;
  /** The number of the operation by which a change was set that is made now, or taken back. */
  sequence?: number;
  /** What was set about the play page; of an image in it, the digest. */
  page?: Record<'before' | 'after', Partial<PageSettings>>;
  webhook_id?: string;
  /** What was changed of a webhook. */
  webhook?: Record<'before' | 'after', WebhookState>;
  /** The time whose events were told again. */
  window?: { from: string; to: string };
  /** How many parked messages of which webhooks were sent again. */
  parked?: Record<string, number>;
  /** How many rows of each report were in the row index that was forgotten. */
  indexed_rows?: Record<RecordKind, number>;
  /** The day of the last book, which is absent before the first one. */
  last_book?: { before?: string; after: string };
};

/** What an operation says. */
type Said = {
  /** Who did it: the AWS identity that the change was signed with, or what of the service did it by itself. */
  operator: string;
  action: OperationAction;
  about?: About;
  /** Why, in the operator's words. */
  why?: string;
  /** What stands in the hash for words on a user, which can be taken out some day. */
  texts?: string;
  /** The settings that it changed, as they were and as they are from then on; all of them once it is opened. */
  before: Partial<Settings>;
  after: Partial<Settings>;
  /** A prize table that it put in place. */
  table?: PrizeTable & { game: Game };
  /** Of the secrets of the first days, which no book can have told before. */
  fingerprints?: Record<string, string>;
};

/** The record of an operation. */
export type OperationRecord = Key &
  TimeKey &
  Said & {
    kind: 'operations';
    operation_id: string;
    organization_id: string;
    date_created: string;
    /** Number of the record among those of its organization. */
    sequence: number;
    /** Of the hash before it and all that the record says. */
    hash: string;
  };

/** Who changes something, when (epoch milliseconds), and why. */
export type By = { operator: string; now: number; why?: string | undefined };

/** What an organization's item knows of its operations; nothing before it is opened. */
type Operations = { operations?: number; last_operation?: string; operations_hash?: string };

/** The number and the ULID of an organization's next operation. */
function nextOperation(organizationId: string, organization: Item, now: number) {
  const { operations = 0, last_operation } = organization as Operations;
  const sequence = operations + 1;
  return { sequence, ulid: ulidAfter(last_operation, now, `${organizationId}\noperations\n${sequence}`) };
}

/** The id that the record of an organization's next operation will have, for what has to name it. */
export const nextOperationId = (organizationId: string, organization: Item, now: number): string =>
  idOf('op', nextOperation(organizationId, organization, now).ulid);

/**
 * The record of an operation, and what the organization's item knows after it. Pure. What is said of why a user is
 * concerned (`user`, who has a key for texts) stands in the hash as a digest.
 */
export function operationOf(
  organizationId: string,
  organization: Item,
  said: Omit<Said, 'operator' | 'why' | 'texts'>,
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
    ...said,
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
 * The parts of a transaction that carry an operation out, in the copies of the settings too; `more` are further fields
 * of the organization's item. They fail if there was another operation since it was decided.
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
