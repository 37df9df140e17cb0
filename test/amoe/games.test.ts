import { beforeEach, expect, test } from 'vitest';
import type { OutcomeRecord } from '../../shared/accounts/records.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { runShardSpins } from '../../shared/amoe/spin-run.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { shardOf } from '../../shared/shards.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { startOfDay } from '../../shared/time.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { newOrganization } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { makeUser } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';
import { expectSound } from './support.ts';

// Far in the future, so that the local stage's schedules do not run the spins.
const ordered = startOfDay('2040-05-01');
const due = '2040-05-02';

let organizationId: string;
let user_id: string;
beforeEach(async () => {
  ({ organizationId } = await newOrganization());
  user_id = await makeUser(organizationId);
});
const ask = (endpoint: 'amoe/queue' | 'amoe/guest-queue' | 'amoe/guest-play', body: object, now = ordered) =>
  invoke(endpoint, { organizationId, path: { user_id }, body, now });
const run = () =>
  runShardSpins(
    { organization_id: organizationId, shard: shardOf(user_id), day: due },
    { now: () => startOfDay(due), timeIsUp: () => false },
  );
const outcomes = async () =>
  (await readRange(recordsOfUser(organizationId, user_id, 'outcomes'), {
    consistent: true,
  })) as unknown as OutcomeRecord[];
const ofTable = (game: Game, { prize_id, prize_table_version }: OutcomeRecord) =>
  prize_table_version === defaultPrizeTables[game].version &&
  defaultPrizeTables[game].prizes.some(({ id }) => id === prize_id);

test.each(games)('free spins of %s draw from the table of its plays', async (game) => {
  const spins = { num_of_spins: 3, game };
  const queued = await ask('amoe/queue', { ...spins, idempotency_key: `queue ${game}` });
  expect(queued.status).toBe(200);
  await ask('amoe/guest-queue', { ...spins, idempotency_key: `guest queue ${game}` });
  expect(await run()).toMatchObject({ spins: 6, failed: 0 });
  const { body } = await ask('amoe/guest-play', { ...spins, idempotency_key: game }, startOfDay(due));
  expect(body.items).toHaveLength(3);
  const drawn = await outcomes();
  expect(drawn).toHaveLength(9);
  expect(drawn.every((one) => one.game === game && ofTable(game, one))).toBe(true);
  await expectSound(organizationId, user_id);
});

test('a key of free spins cannot be used again for another game', async () => {
  const body = { num_of_spins: 1, game: 'truck', idempotency_key: 'one game' };
  expect((await ask('amoe/queue', body)).status).toBe(200);
  expect((await ask('amoe/queue', { ...body, game: 'flight' })).body.code).toBe('idempotency_key_reused');
  expect((await ask('amoe/queue', { ...body, game: 'chess' })).status).toBe(422);
});

test('free spins of a paused game wait, and those of other games run', async () => {
  const context = { ...testContext(), why: 'a doubt', now: Date.now() };
  await ask('amoe/queue', { num_of_spins: 2, game: 'truck', idempotency_key: 'waits' });
  await ask('amoe/queue', { num_of_spins: 2, game: 'flight', idempotency_key: 'runs' });
  await changeSettings(organizationId, { paused: 'truck' }, context);
  const { body } = await invoke('games/check-eligibility', { organizationId, path: { user_id } });
  expect(body.games.map((one: { free_playable: boolean }) => one.free_playable)).toEqual([true, false, true]);
  const refused = await ask('amoe/queue', { num_of_spins: 2, game: 'truck', idempotency_key: 'refused' });
  expect(refused.body.code).toBe('game_paused');
  expect(await run()).toMatchObject({ spins: 2, held: 1, failed: 0 });
  await changeSettings(organizationId, { paused: '' }, context);
  expect(await run()).toMatchObject({ spins: 2, held: 0 });
  expect((await readUser(organizationId, user_id)).queued_spins).toBe(0);
});
