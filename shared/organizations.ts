import { paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Stage } from './api/route.ts';
import { newApiKey } from './api-keys.ts';
import { newId } from './ids.ts';
import { client, tableName, transact } from './table/client.ts';
import { organizationKey } from './table/keys.ts';
import { isoOf } from './time.ts';

/** Makes an organization with its first API key; the key's text can't be had again. */
export async function createOrganization(
  name: string,
  stage: Stage,
  now: number,
): Promise<{ organization_id: string; api_key: string }> {
  const organizationId = newId('org', now);
  const { text, item } = newApiKey(organizationId, stage, now);
  const organization = {
    ...organizationKey(organizationId),
    organization_id: organizationId,
    name,
    date_created: isoOf(now),
    live_keys: 1,
  };
  await transact({
    organization: { Put: { Item: organization, ConditionExpression: 'attribute_not_exists(pk)' } },
    key: { Put: { Item: item } },
  });
  return { organization_id: organizationId, api_key: text };
}

/** The ids of all organizations. It reads through the whole table: for an operator's rare question alone. */
export async function allOrganizations(): Promise<string[]> {
  const pages = paginateScan(
    { client },
    {
      TableName: tableName(),
      FilterExpression: 'sk = :organization',
      ExpressionAttributeValues: { ':organization': organizationKey('').sk },
      ProjectionExpression: 'organization_id',
    },
  );
  const ids: string[] = [];
  for await (const { Items = [] } of pages) ids.push(...Items.map(({ organization_id }) => organization_id));
  return ids;
}
