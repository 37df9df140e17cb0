import { changeUserReference, findUser } from '../../../shared/accounts/references.ts';
import { readUser } from '../../../shared/accounts/user.ts';
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { cancelSpins } from '../../../shared/actions/cancel-spins.ts';
import { createApiKey, revokeApiKey } from '../../../shared/actions/change-keys.ts';
import { changeSettings } from '../../../shared/actions/change-settings.ts';
import { createOrganization } from '../../../shared/actions/create-organization.ts';
import { listApiKeys } from '../../../shared/organizations/api-keys.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import type { Stage } from '../../../shared/stage.ts';
import { deleteWebhook, readWebhooks } from '../../../shared/webhooks/webhooks.ts';
import { listOrganizations } from '../admin/organization.ts';

// The name of the smoke test's organization, by which later runs find it. No host has this name.
const name = 'Smoke test (npm run smoke)';

/** If a run was killed, the next run finds the leftover user by this reference. */
export const smokeUserReference = 'smoke';

export type Credentials = { organizationId: string; apiKey: string };

/** Finds or creates the organization of all runs. Its cash limit is 0, because nobody would pay cash prizes. */
export async function prepareOrganization(stage: Stage, context: ActionContext): Promise<Credentials> {
  const [existing] = (await listOrganizations()).filter((organization) => organization.name === name);
  const created = existing ? undefined : await createOrganization(name, stage, context);
  const organizationId = created?.organization_id ?? String(existing?.organization_id);
  if (existing) await endRun(organizationId, context);
  await changeSettings(organizationId, { suspended: false, daily_cash_limit_usd: 0 }, context);
  return { organizationId, apiKey: created?.api_key ?? (await createApiKey(organizationId, stage, context)) };
}

/** Cleans up after a run, and suspends the organization. The run's records are not deleted. */
export async function cleanUpOrganization(
  { organizationId }: Credentials,
  context: ActionContext,
): Promise<void> {
  await endRun(organizationId, context);
  await changeSettings(organizationId, { suspended: true }, context);
}

/** Revokes keys, deletes webhooks, and renames the user, so that the next run can create the user anew. */
async function endRun(organizationId: string, context: ActionContext): Promise<void> {
  for (const { key_id, revoked_at } of await listApiKeys(organizationId)) {
    if (revoked_at === undefined) await revokeApiKey(organizationId, key_id, context);
  }
  for (const { webhook_id } of await readWebhooks(organizationId)) {
    await deleteWebhook(organizationId, webhook_id);
  }
  const userId = await userOfRun(organizationId);
  if (userId === undefined) return;
  if ((await readUser(organizationId, userId)).queued_spins > 0) {
    await cancelSpins({ organizationId, userId }, context);
  }
  await changeUserReference(organizationId, userId, `${smokeUserReference}-${userId}`);
}

async function userOfRun(organizationId: string): Promise<string | undefined> {
  try {
    return (await findUser(organizationId, smokeUserReference)).user_id;
  } catch (error) {
    if (error instanceof Refusal && error.code === refusals.userNotFound().code) return undefined;
    throw error;
  }
}
