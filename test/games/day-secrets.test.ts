import { createHmac } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { callKms, drawKeyArn } from '../../infra/develop/local/aws/kms.ts';
import { credit } from '../../shared/accounts/ledger.ts';
import { createUser } from '../../shared/accounts/references.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { runShardSpins } from '../../shared/amoe/spin-run.ts';
import { kms } from '../../shared/aws.ts';
import { daySecret } from '../../shared/games/day-secrets.ts';
import { createPlayUrl, play } from '../../shared/games/plays.ts';
import { seedOfOutcome, seedOfPlay } from '../../shared/games/seeds.ts';
import { newId, timeOfUlid } from '../../shared/ids.ts';
import { shardOf } from '../../shared/shards.ts';
import { tableClient } from '../../shared/table/client.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { isoOf, startOfDay } from '../../shared/time.ts';
import { newOrganization } from '../support/api.ts';

const organization = () => newId('org', Date.now());

test('the secret of a day is the MAC of organization and day under the KMS key', async () => {
  const organizationId = organization();
  const Message = Buffer.from(`draws\n${organizationId}\n2026-03-08`).toString('base64');
  const { Mac } = callKms('GenerateMac', {
    KeyId: drawKeyArn,
    MacAlgorithm: 'HMAC_SHA_256',
    Message,
  }) as { Mac: string };
  const secret = await daySecret(organizationId, '2026-03-08');
  expect(secret.toString('base64')).toBe(Mac);
  expect(secret).toHaveLength(32);
  const seedFrom = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const promise = {
    user_id: 'usr_1',
    game: 'truck',
    cost: 5,
    prize_table_version: 'v',
    expires_at: 't',
  } as const;
  expect(seedOfPlay(secret, 'hash', promise)).toBe(seedFrom('play\nhash\nusr_1\ntruck\n5\nv\nt\n'));
  const forced = { ...promise, debug: 'jackpot' } as const;
  expect(seedOfPlay(secret, 'hash', forced)).toBe(seedFrom('play\nhash\nusr_1\ntruck\n5\nv\nt\njackpot'));
  const spin = { ...promise, order_id: 'ord_1', spin_index: 2 };
  expect(seedOfOutcome(secret, spin)).toBe(seedFrom('spin\nord_1\n2'));
  expect(await daySecret(organizationId, '2026-03-09')).not.toEqual(secret);
  expect(await daySecret(organization(), '2026-03-08')).not.toEqual(secret);
});

test('a process asks KMS once for the secret of a day, and again only after a failure', async () => {
  const organizationId = organization();
  vi.stubEnv('DRAW_KEY_ARN', 'arn:aws:kms:us-east-1:0:key/absent');
  await expect(daySecret(organizationId, '2026-03-08')).rejects.toThrow('does not exist');
  vi.unstubAllEnvs();
  const requests = vi.spyOn(kms().config.requestHandler, 'handle');
  const [first, second] = await Promise.all([
    daySecret(organizationId, '2026-03-08'),
    daySecret(organizationId, '2026-03-08'),
  ]);
  expect(await daySecret(organizationId, '2026-03-08')).toBe(first);
  expect(second).toBe(first);
  expect(requests).toHaveBeenCalledOnce();
  requests.mockRestore();
});

test('a stored play session does not contain its seed', async () => {
  const api = await newOrganization();
  const userId = await api.user(1);
  const stored = vi.spyOn(tableClient, 'send');
  const now = Date.now();
  const asked = { organizationId: api.organizationId, userId, game: 'prizewheel', lang: 'en', now } as const;
  await createPlayUrl(asked);
  const { Item } = (stored.mock.lastCall![0] as unknown as { input: { Item: Record<string, unknown> } })
    .input;
  stored.mockRestore();
  expect(Item).toMatchObject({ user_id: userId, commitment: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Item).not.toHaveProperty('server_seed');
});

describe('no outcome is on the day before that of its secret, whose book would publish the secret too early', () => {
  const midnight = startOfDay('2031-07-09');
  const evening = midnight - 3_600_000;

  async function newPlayer() {
    const { organization_id: organizationId } = await createOrganization('Early', 'local', {
      operator: 'test',
      now: evening,
    });
    const { user_id: userId } = await createUser(organizationId, 'anna', evening);
    const change = { amount: 5, description: '', idempotency_key: 'k' };
    await credit({ organizationId, userId, account: 'tickets', change, now: evening });
    return { organizationId, userId };
  }

  const outcomesOf = (organizationId: string, userId: string) =>
    readRange(recordsOfUser(organizationId, userId, 'outcomes'), { consistent: true });

  test('if a play runs on a machine whose clock is behind the one that created its URL', async () => {
    const { organizationId, userId } = await newPlayer();
    const asked = { organizationId, userId, game: 'prizewheel', lang: 'en' } as const;
    const { token } = await createPlayUrl({ ...asked, now: midnight + 1500 });
    await play(token, 'seed', midnight - 100);
    expect(await outcomesOf(organizationId, userId)).toMatchObject([
      { secret_day: '2031-07-09', timestamp: isoOf(midnight + 1500) },
    ]);
  });

  test('if spins run on a machine whose clock is behind', async () => {
    const { organizationId, userId } = await newPlayer();
    const asked = { num_of_spins: 2, idempotency_key: 'a' };
    await queueSpins({ organizationId, userId, asked, now: evening });
    const message = { organization_id: organizationId, shard: shardOf(userId), day: '2031-07-09' };
    const turn = await runShardSpins(message, { now: () => midnight - 100, timeIsUp: () => false });
    expect(turn).toMatchObject({ spins: 2, failed: 0 });
    const spin = { secret_day: '2031-07-09', timestamp: isoOf(midnight) };
    expect(await outcomesOf(organizationId, userId)).toMatchObject([spin, spin]);
  });

  test('so that new transactions and orders count on the day of their time, too', async () => {
    const { organizationId, userId } = await newPlayer();
    const account = 'tickets';
    const change = { amount: 5, description: '', idempotency_key: 'of a clock ahead' };
    await credit({ organizationId, userId, account, change, now: midnight + 1500 });
    const now = midnight - 100;
    const late = { ...change, idempotency_key: 'of a clock behind' };
    await credit({ organizationId, userId, account, change: late, now });
    await queueSpins({ organizationId, userId, asked: { num_of_spins: 2, idempotency_key: 'a' }, now });
    for (const list of ['tickets', 'orders'] as const) {
      const all = await readRange(recordsOfUser(organizationId, userId, list), { consistent: true });
      const today = all.filter(({ sk }) => timeOfUlid(String(sk).split('#')[1]!) >= midnight);
      expect(today.length, list).toBeGreaterThan(0);
      for (const record of today) expect(record.result_effective_date).toBe(isoOf(midnight));
    }
  });
});
