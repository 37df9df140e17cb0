import { type ApiKeyOwner, maxLiveKeys, newApiKey, revocationWrite } from '../organizations/api-keys.ts';
import type { Stage } from '../stage.ts';
import { getItem } from '../table/client.ts';
import { apiKeyKey } from '../table/keys.ts';
import type { ActionContext } from './action-records.ts';
import { recordAction } from './record-action.ts';

/** Throws if the organization already has two live keys. */
export async function createApiKey(
  organizationId: string,
  stage: Stage,
  context: ActionContext,
): Promise<string> {
  let made = '';
  await recordAction(
    organizationId,
    (organization, { now }) => {
      const live = Number(organization.live_keys);
      if (live >= maxLiveKeys) throw new Error(`${organizationId} has two live keys: revoke one first`);
      const { text, item } = newApiKey(organization as ApiKeyOwner, stage, now);
      made = text;
      return {
        ...sameSettings,
        action: 'key_created',
        about: { key_id: String(item.key_id) },
        fields: { live_keys: live + 1 },
        writes: { key: { Put: { Item: item } } },
      };
    },
    context,
  );
  return made;
}

/** API Gateway's cache can accept the key for one more minute. */
export async function revokeApiKey(
  organizationId: string,
  keyId: string,
  context: ActionContext,
): Promise<void> {
  await recordAction(
    organizationId,
    async ({ live_keys }, { now }) => {
      const key = await getItem(apiKeyKey(keyId));
      const isLive = key?.organization_id === organizationId && key.revoked_at === undefined;
      if (!isLive) throw new Error(`no live key ${keyId} in organization ${organizationId}`);
      return {
        ...sameSettings,
        action: 'key_revoked',
        about: { key_id: keyId },
        fields: { live_keys: Number(live_keys) - 1 },
        writes: { key: revocationWrite(key, now) },
      };
    },
    context,
  );
}

const sameSettings = { before: {}, after: {} };
