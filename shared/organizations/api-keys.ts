import { timingSafeEqual } from 'node:crypto';
import { newSecret, newUlid, sha256 } from '../ids.ts';
import type { Stage } from '../stage.ts';
import { getItem, getItems, type Item, type TableWrite } from '../table/client.ts';
import { requireFormat, tableFormat } from '../table/format.ts';
import { apiKeyKey, apiKeysOf, apiKeyTimeKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { isoOf } from '../time.ts';

/** Contains the SHA-256 of the key's secret, but not the secret. */
export type ApiKey = {
  key_id: string;
  organization_id: string;
  format: number;
  secret_sha256: string;
  /** The organization's secret for page tokens and previews, copied so that the authorizer need only read the key. */
  token_secret: string;
  /** Absent if the organization was never suspended. */
  suspended?: boolean;
  date_created: string;
  revoked_at?: string;
};

/** Maximum number of live API keys per organization. With two keys, a host can rotate keys without downtime. */
export const maxLiveKeys = 2;
const keyFormat = /^inc_([a-z]+)_([0-9A-Z]{26})_([A-Za-z0-9_-]{43})$/;

export type ApiKeyOwner = {
  organization_id: string;
  token_secret: string;
  suspended?: boolean;
};

/** Returns the key's text, which the operator sees only once, and the item to store. */
export function newApiKey(owner: ApiKeyOwner, stage: Stage, now: number): { text: string; item: Item } {
  const { organization_id, token_secret, suspended } = owner;
  const keyId = newUlid(now);
  const secret = newSecret();
  const item: Item = {
    ...apiKeyKey(keyId),
    ...apiKeyTimeKey(organization_id, keyId),
    key_id: keyId,
    organization_id,
    format: tableFormat,
    secret_sha256: sha256(secret),
    token_secret,
    ...(suspended ? { suspended } : {}),
    date_created: isoOf(now),
  };
  return { text: `inc_${stage}_${keyId}_${secret}`, item };
}

export async function authenticateKey(text: string, stage: string): Promise<ApiKey | undefined> {
  const [, ofStage, keyId = '', secret = ''] = keyFormat.exec(text) ?? [];
  if (ofStage !== stage) return undefined;
  const key = await getItem<ApiKey>(apiKeyKey(keyId));
  if (key) requireFormat(key);
  const expected = Buffer.from(key?.secret_sha256 ?? sha256(''));
  const isRightSecret = timingSafeEqual(Buffer.from(sha256(secret)), expected);
  return key && isRightSecret && key.revoked_at === undefined ? key : undefined;
}

export const revocationWrite = (key: Item, now: number): TableWrite => ({
  Put: { Item: { ...key, revoked_at: isoOf(now) } },
});

/** Returns undefined if the index does not show all live keys yet. */
export async function readLiveKeyWrites(
  { organization_id, live_keys }: Item,
  changed: (key: ApiKey) => Item,
): Promise<Record<string, TableWrite> | undefined> {
  const listed = await readRange(apiKeysOf(String(organization_id)));
  // Reads the live keys again, because the index can have an older state, which must not be written back.
  const live = listed.filter(({ revoked_at }) => revoked_at === undefined);
  const read = (await getItems(live.map(({ key_id }) => apiKeyKey(String(key_id))))) as (
    | ApiKey
    | undefined
  )[];
  const keys = read.filter((key) => key !== undefined && key.revoked_at === undefined) as ApiKey[];
  if (keys.length !== live_keys) return undefined;
  return Object.fromEntries(keys.map((key, index) => [`key${index}`, { Put: { Item: changed(key) } }]));
}

export async function listApiKeys(
  organizationId: string,
): Promise<Omit<ApiKey, 'secret_sha256' | 'token_secret' | 'format'>[]> {
  const items = await readRange(apiKeysOf(organizationId));
  return (items as ApiKey[]).map(({ key_id, organization_id, date_created, revoked_at }) => ({
    key_id,
    organization_id,
    date_created,
    ...(revoked_at ? { revoked_at } : {}),
  }));
}
