import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handler as authorize } from '../../functions/authorizer.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { makeScheduledChanges } from '../../shared/actions/scheduled-changes.ts';
import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { allShards, shardOf } from '../../shared/shards.ts';
import { getItem, putItem } from '../../shared/table/client.ts';
import { tableFormat, UnsupportedFormat } from '../../shared/table/format.ts';
import { apiKeyKey, type Key, organizationKey, settingsKey } from '../../shared/table/keys.ts';
import { admin } from '../support/admin.ts';
import { invoke } from '../support/invoke.ts';
import { useOwnTable } from '../support/own-table.ts';
import { makeUser } from '../support/round-trips.ts';

const other = 'The table has data of format 2, but this release supports only format 1. Nothing was changed.';

beforeAll(() => useOwnTable('format'));

let organizationId: string;
let apiKey: string;
beforeEach(async () => {
  const context = { operator: 'test', now: Date.now() };
  ({ organization_id: organizationId, api_key: apiKey } = await createOrganization(
    'Format',
    'local',
    context,
  ));
  return () => rewrite(organizationKey(organizationId), tableFormat);
});

/** Changes the format number of an item, as the migration to a later format would. */
const rewrite = async (key: Key, format: number) => putItem({ ...(await getItem(key)), ...key, format });

test('a new organization has the release’s format', async () => {
  const keys = [organizationKey(organizationId), apiKeyKey(apiKey.split('_')[2]!)];
  for (const key of [...keys, ...allShards.map((shard) => settingsKey(organizationId, shard))])
    expect(await getItem(key)).toMatchObject({ format: 1 });
});

describe('in a table of another format', () => {
  test('the authorizer refuses all requests with an API key', async () => {
    await rewrite(apiKeyKey(apiKey.split('_')[2]!), 2);
    const asked = authorize({ headers: { Authorization: `Bearer ${apiKey}` }, methodArn: 'a/b/c' } as never);
    await expect(asked).rejects.toThrow(other);
  });

  test('no game can be played', async () => {
    const user_id = await makeUser(organizationId, 5);
    const play = () => invoke('games/play', { organizationId, path: { user_id }, body: {} });
    expect((await play()).status).toBe(200);
    await rewrite(settingsKey(organizationId, shardOf(user_id)), 2);
    expect((await play()).status).toBe(500);
  });

  test('no spin run starts', async () => {
    await rewrite(organizationKey(organizationId), 2);
    const now = Date.now();
    await expect(
      startSpinRun({ now: new Date(now).toISOString() }, now, makeScheduledChanges),
    ).rejects.toThrow(UnsupportedFormat);
  });

  test('commands change nothing and explain why', async () => {
    await rewrite(organizationKey(organizationId), 2);
    const before = await getItem(organizationKey(organizationId));
    for (const args of [
      ['org', 'suspend', '--why', 'trouble'],
      ['game', 'limits', '--daily-cash', '7'],
      ['key', 'create'],
    ]) {
      const { code, error } = await admin(...args, '--org', organizationId);
      expect(code).toBe(1);
      expect(error).toContain(other);
    }
    expect(await getItem(organizationKey(organizationId))).toEqual(before);
  });
});
