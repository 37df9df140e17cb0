/** The organization that a stage is tried with: always the same one, which nobody can use between two runs. */
import { readUser } from '../../shared/accounts/user.ts';
import { cancelSpins } from '../../shared/amoe/cancel-spins.ts';
import { createApiKey, revokeApiKey } from '../../shared/games/change-keys.ts';
import { changeSettings } from '../../shared/games/change-settings.ts';
import { createOrganization } from '../../shared/games/open-organization.ts';
import type { By } from '../../shared/games/operations.ts';
import { listApiKeys } from '../../shared/organizations/api-keys.ts';
import type { Stage } from '../../shared/stage.ts';
import { allWebhooks, deleteWebhook } from '../../shared/webhooks/webhooks.ts';
import { listOrganizations } from '../admin/organization.ts';

// By its name it is found again: no host is called so.
const name = 'Smoke test (npm run smoke)';

/** What a run calls the API with. */
export type Credentials = { organizationId: string; apiKey: string };

/**
 * Opens the organization for a run, or makes it. Keys that a run left live which was killed are revoked. It has no cash
 * to win: nobody would pay it.
 */
export async function openOrganization(stage: Stage, by: By): Promise<Credentials> {
  const [found] = (await listOrganizations()).filter((organization) => organization.name === name);
  const made = found ? undefined : await createOrganization(name, stage, by);
  const organizationId = made?.organization_id ?? String(found?.organization_id);
  if (found) await revokeKeys(organizationId, by);
  await changeSettings(organizationId, { suspended: false, daily_cash_limit_usd: 0 }, by);
  return { organizationId, apiKey: made?.api_key ?? (await createApiKey(organizationId, stage, by)) };
}

/**
 * Ends a run: no free spins of its user wait, no webhook is told of anything, no key is live, and the organization is
 * suspended. What it did stays on record, as all does.
 */
export async function closeOrganization(
  { organizationId, apiKey }: Credentials,
  userId: string | undefined,
  by: By,
): Promise<void> {
  const [, , keyId = ''] = apiKey.split('_');
  await revokeApiKey(organizationId, keyId, by);
  for (const { webhook_id } of await allWebhooks(organizationId)) {
    await deleteWebhook(organizationId, webhook_id);
  }
  if (userId && (await readUser(organizationId, userId)).queued_spins > 0) {
    await cancelSpins({ organizationId, userId }, by);
  }
  await changeSettings(organizationId, { suspended: true }, by);
}

async function revokeKeys(organizationId: string, by: By): Promise<void> {
  for (const { key_id, revoked_at } of await listApiKeys(organizationId)) {
    if (revoked_at === undefined) await revokeApiKey(organizationId, key_id, by);
  }
}
