import { beforeEach, expect, test } from 'vitest';
import { pauseGame } from '../../infra/operate/admin/games.ts';
import { applyDeployedSettings } from '../../shared/actions/change-settings.ts';
import { settingsSchema } from '../../shared/books/fields.ts';
import { type Settings, settingsOf } from '../../shared/games/settings.ts';
import { allShards } from '../../shared/shards.ts';
import { getItem, type Item, putItem } from '../../shared/table/client.ts';
import { actionsByTime, organizationKey, prizeTableKey, settingsKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { expectError } from '../support/expectations.ts';
import { testContext } from '../support/test-context.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
  // Removes the game `flight`, as if a release without this game had created the organization.
  const { organizationId } = api;
  const keys = [
    organizationKey(organizationId),
    ...allShards.map((shard) => settingsKey(organizationId, shard)),
  ];
  for (const key of keys) {
    const { cost_flight: _cost, prize_table_flight: _table, ...item } = (await getItem(key)) as Item;
    await putItem(item);
  }
});

const stored = async () => (await getItem(organizationKey(api.organizationId)))!;
const play = async (game: string) => api.post(`/users/${await api.user(100)}/games/play`, { game });

test('a new game is paused for organizations that existed before it, and their other games can be played', async () => {
  expectError(await play('flight'), 409, 'game_paused', 'game is paused');
  expect((await play('truck')).status).toBe(200);
});

test('the first night after a deploy, the service records the new game’s cost, prize table and pause', async () => {
  await applyDeployedSettings(api.organizationId, Date.now());
  await applyDeployedSettings(api.organizationId, Date.now());
  const after = { cost_flight: 10, prize_table_flight: expect.any(String), paused: 'flight' };
  const actions = await readRange(actionsByTime(api.organizationId));
  expect(actions.slice(1)).toMatchObject([{ operator: 'deploy', before: { paused: '' }, after }]);
  expect(await stored()).toMatchObject(after);
  const version = (await stored()).prize_table_flight as string;
  expect(await getItem(prizeTableKey(api.organizationId, 'flight', version))).toMatchObject({ version });
});

test('an operator who resumes the new game puts its cost and table on record', async () => {
  await pauseGame(api.organizationId, 'flight', false, { ...testContext(), why: 'A new game' });
  const [action] = (await readRange(actionsByTime(api.organizationId))).slice(1);
  expect(action).toMatchObject({ after: { cost_flight: 10, prize_table_flight: expect.any(String) } });
  expect((await play('flight')).status).toBe(200);
});

test('a pause of another game stays, and any other missing setting is an error', async () => {
  await pauseGame(api.organizationId, 'truck', true, { ...testContext(), why: 'A test' });
  expect(settingsOf(await stored()).paused).toBe('flight truck');
  const { daily_spin_limit: _, ...item } = await stored();
  expect(() => settingsOf(item)).toThrow(/lack daily_spin_limit/);
});

test('a book from before the game is readable, and one of a paused game with a long name', async () => {
  const { organization_id: _, ...item } = settingsOf(await stored()) as Settings & Item;
  const { cost_flight: _cost, prize_table_flight: _table, ...before } = item;
  expect(settingsSchema.safeParse({ ...before, paused: '' }).success).toBe(true);
  expect(settingsSchema.safeParse({ ...item, paused: 'lucky_anchor truck' }).success).toBe(true);
  expect(settingsSchema.safeParse({ ...item, paused: 'Lucky-anchor' }).success).toBe(false);
});
