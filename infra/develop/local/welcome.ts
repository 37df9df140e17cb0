import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { createOrganization } from '../../../shared/operations/create-organization.ts';
import { client } from '../../../shared/table/client.ts';
import type { LocalStage } from './stage.ts';

type Organization = { organization_id: string; api_key: string };

type FirstOrganization = Organization & { user_id: string };

/** The first organization of the local stage, with an API key and a user, and the demo's organization. */
export type Welcome = FirstOrganization & { demo: Organization };

/** Creates the first organization and the demo's organization. Returns kept ones of an earlier run, if any. */
export async function welcome(stage: LocalStage): Promise<Welcome> {
  const kept = await readKept(stage.tableName);
  if (kept?.demo) return { ...kept, demo: kept.demo };
  const created = { ...(kept ?? (await createFirst(stage))), demo: await make('Golondrina') };
  await client.send(new PutCommand({ TableName: stage.tableName, Item: { ...keptKey, ...created } }));
  return created;
}

const make = (name: string): Promise<Organization> =>
  createOrganization(name, 'local', { operator: 'start', now: Date.now() });

async function createFirst(stage: LocalStage): Promise<FirstOrganization> {
  const organization = await make('Local');
  const user = await post(stage, organization, '/users', { external_reference: 'demo-user' });
  const user_id = String(user.user_id);
  await post(stage, organization, `/users/${user_id}/tickets/credit`, {
    amount: 100,
    description: 'Welcome',
    idempotency_key: 'welcome',
  });
  return { ...organization, user_id };
}

/** Creates a play URL of the prize wheel for the first organization's user. The URL is valid for 30 minutes. */
export async function newPlayUrl(stage: LocalStage, created: Welcome): Promise<string> {
  return String((await post(stage, created, `/users/${created.user_id}/games/play`, {})).url);
}

const keptKey = { pk: 'LOCAL', sk: 'WELCOME' };

/** Returns the organizations that an earlier run created, or undefined if no data was kept from an earlier run. */
async function readKept(
  tableName: string,
): Promise<(FirstOrganization & { demo?: Organization }) | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: keptKey }));
  if (!Item) return undefined;
  const { organization_id, api_key, user_id, demo } = Item;
  return { organization_id, api_key, user_id, ...(demo && { demo }) };
}

async function post(
  stage: LocalStage,
  { organization_id, api_key }: Organization,
  path: string,
  body: object,
) {
  const response = await fetch(stage.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'x-organization-id': organization_id },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${answer.message}`);
  return answer;
}
