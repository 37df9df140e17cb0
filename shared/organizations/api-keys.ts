import { timingSafeEqual } from 'node:crypto';
import { ulid } from 'ulid';
import { newSecret, sha256 } from '../ids.ts';
import type { Stage } from '../stage.ts';
import { get, type Item, type Part } from '../table/client.ts';
import { format, requireFormat } from '../table/format.ts';
import { apiKeyKey, apiKeyTimeKey, keysOf } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { isoOf } from '../time.ts';

/** An API key as it is stored: the SHA-256 of its secret, never the secret. */
export type ApiKey = {
  key_id: string;
  organization_id: string;
  format: number;
  secret_sha256: string;
  /** The organization's secret for page tokens, so that the authorizer need not read it. */
  token_secret: string;
  /** Whether the organization is suspended; absent if it never was. */
  suspended?: boolean;
  date_created: string;
  revoked_at?: string;
};

/** How many keys of an organization can be live: enough to rotate. */
export const liveAtOnce = 2;
const form = /^inc_([a-z]+)_([0-9A-Z]{26})_([A-Za-z0-9_-]{43})$/;

/** An organization as far as its keys need it. */
export type KeyOwner = {
  organization_id: string;
  token_secret: string;
  suspended?: boolean;
};

/** A new key's text, which is shown once, and its item. */
export function newApiKey(owner: KeyOwner, stage: Stage, now: number): { text: string; item: Item } {
  const { organization_id, token_secret, suspended } = owner;
  const keyId = ulid(now);
  const secret = newSecret();
  const item: Item = {
    ...apiKeyKey(keyId),
    ...apiKeyTimeKey(organization_id, keyId),
    key_id: keyId,
    organization_id,
    format,
    secret_sha256: sha256(secret),
    token_secret,
    ...(suspended ? { suspended } : {}),
    date_created: isoOf(now),
  };
  return { text: `inc_${stage}_${keyId}_${secret}`, item };
}

/**
 * The live key that a caller's text proves, or undefined: the right form and stage, known, not revoked, and
 * with the right secret, which is compared in constant time. One round trip. Throws OtherFormat.
 */
export async function authenticate(text: string, stage: string): Promise<ApiKey | undefined> {
  const [, ofStage, keyId = '', secret = ''] = form.exec(text) ?? [];
  if (ofStage !== stage) return undefined;
  const key = await get<ApiKey>(apiKeyKey(keyId));
  if (key) requireFormat(key);
  const expected = Buffer.from(key?.secret_sha256 ?? sha256(''));
  const right = timingSafeEqual(Buffer.from(sha256(secret)), expected);
  return key && right && key.revoked_at === undefined ? key : undefined;
}

/** The part of a transaction that revokes a live key for good. */
export const revokePart = (keyId: string, now: number): Part => ({
  Update: {
    Key: apiKeyKey(keyId),
    UpdateExpression: 'SET revoked_at = :now',
    ExpressionAttributeValues: { ':now': isoOf(now) },
  },
});

/**
 * The parts of a transaction that write fields of an organization, as it was read, to all of its live keys. Undefined
 * while the index, which lags, does not show all of these. One round trip.
 */
export async function liveKeyParts(
  { organization_id, live_keys }: Item,
  fields: Pick<ApiKey, 'suspended'>,
): Promise<Record<string, Part> | undefined> {
  const keys = (await readRange(keysOf(String(organization_id)))).filter(
    ({ revoked_at }) => revoked_at === undefined,
  );
  if (keys.length !== live_keys) return undefined;
  const named = Object.entries(fields);
  const ofKeys = keys.map(({ key_id }, index) => {
    const update = {
      Key: apiKeyKey(String(key_id)),
      UpdateExpression: `SET ${named.map(([name]) => `${name} = :${name}`).join(', ')}`,
      ExpressionAttributeValues: Object.fromEntries(named.map(([name, value]) => [`:${name}`, value])),
    };
    return [`key${index}`, { Update: update }];
  });
  return Object.fromEntries(ofKeys);
}

/** An organization's keys, oldest first, the revoked ones too; without anything secret. */
export async function listApiKeys(
  organizationId: string,
): Promise<Omit<ApiKey, 'secret_sha256' | 'token_secret' | 'format'>[]> {
  const items = await readRange(keysOf(organizationId));
  return (items as ApiKey[]).map(({ key_id, organization_id, date_created, revoked_at }) => ({
    key_id,
    organization_id,
    date_created,
    ...(revoked_at ? { revoked_at } : {}),
  }));
}
