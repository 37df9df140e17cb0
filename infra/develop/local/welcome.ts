import { styleText } from 'node:util';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { createOrganization } from '../../../shared/actions/create-organization.ts';
import { tableClient } from '../../../shared/table/client.ts';
import type { LocalStage } from './stage.ts';

type Organization = { organization_id: string; api_key: string };

export type StartData = Organization & { user_id: string; demo: Organization };

const keptKey = { pk: 'LOCAL', sk: 'WELCOME' };

export async function createStartData(stage: LocalStage): Promise<StartData> {
  const TableName = stage.tableName;
  const { Item } = await tableClient.send(new GetCommand({ TableName, Key: keptKey }));
  const kept = Item as StartData | undefined;
  const { organization_id, api_key } = kept ?? (await make('Local'));
  const demo = kept?.demo ?? (await make('Golondrina'));
  const user_id = await firstUser(askAs(stage, { organization_id, api_key }), kept?.user_id);
  const current = { organization_id, api_key, user_id, demo };
  await tableClient.send(new PutCommand({ TableName, Item: { ...keptKey, ...current } }));
  return current;
}

const make = (name: string): Promise<Organization> =>
  createOrganization(name, 'local', { operator: 'start', now: Date.now() });

/** Returns the id of the kept user, or of a new user with 100 tickets if the kept one is unknown to the API. */
async function firstUser(ask: Ask, kept: string | undefined): Promise<string> {
  if (kept !== undefined && (await ask('GET', `/users/${kept}`)).code !== 'user_not_found') return kept;
  const created = await ask('POST', '/users', { external_reference: 'demo-user' });
  const isTaken = created.code === 'external_reference_taken';
  const found = isTaken ? await ask('GET', '/users?external_reference=demo-user') : created;
  // Falls back to the kept user, because the API refuses new users of a suspended organization.
  const { user_id = kept, message } = found;
  if (user_id === undefined) throw new Error(`The API refused the first user: ${message}`);
  const tickets = { amount: 100, description: 'Welcome', idempotency_key: 'welcome' };
  await ask('POST', `/users/${user_id}/tickets/credit`, tickets);
  return user_id;
}

export async function playLine(stage: LocalStage, { user_id, ...organization }: StartData): Promise<string> {
  const { url, message } = await askAs(stage, organization)('POST', `/users/${user_id}/games/play`, {});
  if (url === undefined) return `Play URL: refused (${message})`;
  return `Play the prize wheel (valid for 30 minutes): ${styleText('cyan', url)}`;
}

type Ask = (method: string, path: string, body?: object) => Promise<Record<string, string | undefined>>;

const askAs =
  ({ baseUrl }: LocalStage, { organization_id, api_key }: Organization): Ask =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${api_key}`, 'x-organization-id': organization_id };
    const options = body ? { method, headers, body: JSON.stringify(body) } : { method, headers };
    return (await fetch(baseUrl + path, options)).json() as ReturnType<Ask>;
  };
