/** How an organization gets API keys and loses them: with a record of who did it. */
import { newSecret } from '../ids.ts';
import { type KeyOwner, liveAtOnce, newApiKey, revokePart } from '../organizations/api-keys.ts';
import type { Stage } from '../stage.ts';
import { get } from '../table/client.ts';
import { apiKeyKey } from '../table/keys.ts';
import type { By } from './operation-records.ts';
import { operate } from './record-action.ts';

/**
 * Makes a further key for an organization and returns its text. At most two are live at once, enough to
 * rotate. Throws an Error that says what to do if there are two, or no such organization.
 */
export async function createApiKey(organizationId: string, stage: Stage, by: By): Promise<string> {
  let made = '';
  await operate(
    organizationId,
    (organization) => {
      const live = Number(organization.live_keys ?? liveAtOnce);
      if (live >= liveAtOnce) throw new Error(`${organizationId} has two live keys: revoke one first`);
      // An organization made before there were such secrets gets one with its next key.
      const token_secret = String(organization.token_secret ?? newSecret());
      const owner = { ...(organization as Partial<KeyOwner>), organization_id: organizationId, token_secret };
      const { text, item } = newApiKey(owner, stage, by.now);
      made = text;
      return {
        ...changingNothing,
        action: 'key_created',
        about: { key_id: String(item.key_id) },
        fields: { token_secret, live_keys: live + 1 },
        parts: { key: { Put: { Item: item } } },
      };
    },
    by,
  );
  return made;
}

/** Revokes an organization's key for good; gateways may honour it for one more minute. Throws if it is not live. */
export async function revokeApiKey(organizationId: string, keyId: string, by: By): Promise<void> {
  await operate(
    organizationId,
    async ({ live_keys }) => {
      const key = await get(apiKeyKey(keyId));
      const isLive = key?.organization_id === organizationId && key.revoked_at === undefined;
      if (!isLive) throw new Error(`no live key ${keyId} in organization ${organizationId}`);
      return {
        ...changingNothing,
        action: 'key_revoked',
        about: { key_id: keyId },
        fields: { live_keys: Number(live_keys) - 1 },
        parts: { key: revokePart(keyId, by.now) },
      };
    },
    by,
  );
}

const changingNothing = { before: {}, after: {} };
