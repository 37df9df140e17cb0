/** The organization that a stage is tried with: always the same one, which nobody can use between two runs. */
import { changeReference, findUser } from '../../../shared/accounts/references.ts';
import { readUser } from '../../../shared/accounts/user.ts';
import { cancelSpins } from '../../../shared/operations/cancel-spins.ts';
import { createApiKey, revokeApiKey } from '../../../shared/operations/change-keys.ts';
import { changeSettings } from '../../../shared/operations/change-settings.ts';
import { createOrganization } from '../../../shared/operations/create-organization.ts';
import type { By } from '../../../shared/operations/operation-records.ts';
import { listApiKeys } from '../../../shared/organizations/api-keys.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import type { Stage } from '../../../shared/stage.ts';
import { allWebhooks, deleteWebhook } from '../../../shared/webhooks/webhooks.ts';
import { listOrganizations } from '../admin/organization.ts';

// By its name it is found again: no host is called so.
const name = 'Smoke test (npm run smoke)';

/** The reference of a run's user, for as long as the run lasts: by it the next one finds the user of one that was killed. */
export const reference = 'smoke';

/** What a run calls the API with. */
export type Credentials = { organizationId: string; apiKey: string };

/**
 * Opens the organization for a run, or makes it, and ends a run that was killed. It has no cash to win: nobody would pay
 * it.
 */
export async function openOrganization(stage: Stage, by: By): Promise<Credentials> {
  const [found] = (await listOrganizations()).filter((organization) => organization.name === name);
  const made = found ? undefined : await createOrganization(name, stage, by);
  const organizationId = made?.organization_id ?? String(found?.organization_id);
  if (found) await endRun(organizationId, by);
  await changeSettings(organizationId, { suspended: false, daily_cash_limit_usd: 0 }, by);
  return { organizationId, apiKey: made?.api_key ?? (await createApiKey(organizationId, stage, by)) };
}

/** Ends a run, and suspends the organization. What the run did stays on record, as all does. */
export async function closeOrganization({ organizationId }: Credentials, by: By): Promise<void> {
  await endRun(organizationId, by);
  await changeSettings(organizationId, { suspended: true }, by);
}

/** Leaves nothing live of a run: no key, no webhook, no free spins of its user, and no user of its reference. */
async function endRun(organizationId: string, by: By): Promise<void> {
  for (const { key_id, revoked_at } of await listApiKeys(organizationId)) {
    if (revoked_at === undefined) await revokeApiKey(organizationId, key_id, by);
  }
  for (const { webhook_id } of await allWebhooks(organizationId)) {
    await deleteWebhook(organizationId, webhook_id);
  }
  const userId = await userOfRun(organizationId);
  if (userId === undefined) return;
  if ((await readUser(organizationId, userId)).queued_spins > 0) {
    await cancelSpins({ organizationId, userId }, by);
  }
  await changeReference(organizationId, userId, `${reference}-${userId}`);
}

async function userOfRun(organizationId: string): Promise<string | undefined> {
  try {
    return (await findUser(organizationId, reference)).user_id;
  } catch (error) {
    if (error instanceof Refusal && error.code === refusals.userNotFound().code) return undefined;
    throw error;
  }
}
