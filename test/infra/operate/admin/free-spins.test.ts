import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AwsEndpoint, startAwsEndpoint } from '../../../../infra/develop/local/aws/endpoint.ts';
import { explainFreeSpins } from '../../../../infra/operate/admin/explain/free-spins.ts';
import { cancelSpins, restoreSpins } from '../../../../shared/actions/cancel-spins.ts';
import { changeSettings } from '../../../../shared/actions/change-settings.ts';
import { freezeUser, unfreezeUser } from '../../../../shared/actions/freeze.ts';
import { queueSpins } from '../../../../shared/amoe/spin-orders.ts';
import { sqs } from '../../../../shared/aws.ts';
import { recordsOfUser } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';
import { startOfDay } from '../../../../shared/time.ts';
import { type Api, newOrganization } from '../../../support/api.ts';
import { createManualClock } from '../../develop/local/manual-clock.ts';

// The test's free spins are due far in the future, so that the local stage's schedules do not run them.
const due = '2044-03-02';
const midnight = startOfDay(due);
const minute = 60_000;

let aws: AwsEndpoint;
beforeAll(async () => {
  const names = ['deliveries', 'deliveries-dead', 'spins', 'spins-dead'];
  const queues = names.map((name) => ({ name }));
  aws = await startAwsEndpoint({ queues, invoke: async () => {}, clock: createManualClock() });
  const url = (name: string) => `${aws.url}/000000000000/${name}`;
  vi.stubEnv('QUEUE_URL_DELIVERIES', url('deliveries'));
  vi.stubEnv('DEAD_LETTER_URL_DELIVERIES', url('deliveries-dead'));
  vi.stubEnv('QUEUE_URL_SPIN_SHARDS', url('spins'));
  vi.stubEnv('DEAD_LETTER_URL_SPIN_SHARDS', url('spins-dead'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.close();
});

const freshContext = () => ({ operator: 'ana', now: Date.now(), why: 'a doubt' });
const byAna = {
  action_id: expect.stringMatching(/^act_/),
  at: expect.any(String),
  operator: 'ana',
  why: 'a doubt',
};

let api: Api;
let org: string;
let user: string;
beforeEach(async () => {
  await begin();
});
async function begin() {
  api = await newOrganization();
  org = api.organizationId;
  user = await api.user();
}

const queue = (key = 'a') => {
  const asked = { num_of_spins: 5, idempotency_key: key };
  return queueSpins({ organizationId: org, userId: user, asked, now: midnight - 60 * minute });
};
const explained = async (now: number) => (await explainFreeSpins(org, { user }, now)).orders;
const cause = async (now = midnight + minute) => (await explained(now))[0];

describe('free spins that have not run', () => {
  test('are not due before midnight in New York', async () => {
    await queue();
    expect(await cause(midnight - minute)).toMatchObject({
      cause: 'not_due',
      sentence: `The spins run at midnight in New York as ${due} begins.`,
      remaining: 5,
    });
    expect(await cause(midnight)).toMatchObject({ cause: 'not_started' });
  });

  test('name the operator who cancelled them', async () => {
    await queue();
    const spins = { organizationId: org, userId: user };
    await cancelSpins(spins, freshContext());
    const cancelled = await cause();
    expect(cancelled).toMatchObject({
      cause: 'spins_cancelled',
      sentence: 'An operator cancelled 5 of the 5 spins.',
      to_do: `user restore-spins --order ${cancelled?.order_id} lets them run.`,
      by: byAna,
    });
    await restoreSpins(spins, freshContext());
    expect(await cause()).toMatchObject({ cause: 'not_started' });
  });

  test.each([
    [{ suspended: true }, { suspended: false }, 'organization_suspended', 'org resume'],
    [{ paused: 'amoe' }, { paused: '' }, 'game_paused', 'game resume --game amoe'],
    [
      { paused: 'amoe prizewheel truck' },
      { paused: 'truck' },
      'game_paused',
      'game resume --game prizewheel and game resume --game amoe',
    ],
  ])('wait while %j is set', async (settings, undone, name, command) => {
    await queue();
    await changeSettings(org, settings, freshContext());
    const { to_do = '', ...held } = (await cause())!;
    expect(held).toMatchObject({ cause: name, by: byAna });
    for (const part of command.split(' and ')) expect(to_do).toContain(part);
    expect(to_do).not.toContain('truck');
    await changeSettings(org, undone, freshContext());
    expect(await cause()).not.toHaveProperty('by');
    expect(await cause()).toMatchObject({ cause: 'not_started' });
  });

  test('name the operator of a pause that lasts, and not one who paused a game or has ended the pause', async () => {
    await queue();
    const pause = (operator: string, paused: string) =>
      changeSettings(org, { paused }, { ...freshContext(), operator });
    await pause('ana', 'amoe');
    await pause('ben', 'amoe truck');
    expect(await cause()).toMatchObject({ cause: 'game_paused', by: byAna });
    await pause('ben', 'amoe prizewheel truck');
    await pause('ben', 'amoe truck');
    expect(await cause()).toMatchObject({ cause: 'game_paused', by: byAna });
  });

  test('wait while the user is frozen', async () => {
    await queue();
    await freezeUser(org, user, freshContext());
    expect(await cause()).toMatchObject({ cause: 'user_frozen', sentence: 'The user is frozen.', by: byAna });
    // The 15-minute schedule `spin-sweep` has not run since the user was unfrozen, so the operator must wait.
    await unfreezeUser(org, user, { ...freshContext(), now: midnight + 20 * minute });
    const freed = await cause(midnight + 22 * minute);
    expect(freed).toMatchObject({ cause: 'not_started', to_do: expect.stringContaining('Wait') });
  });

  test('wait for a worker, whose message is queued, dead-lettered or not sent', async () => {
    await queue();
    const send = (QueueUrl = '') => sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    expect(await cause()).toMatchObject({ cause: 'not_started', to_do: expect.stringContaining('Wait') });
    const late = await cause(midnight + 16 * minute);
    expect(late).toMatchObject({ cause: 'not_started', to_do: expect.stringContaining('Run stage alarms') });
    expect(late?.sentence).toContain('due for 16 minutes');
    await send(process.env.DEAD_LETTER_URL_SPIN_SHARDS);
    const failed = await cause();
    expect(failed).toMatchObject({ cause: 'worker_failed' });
    expect(failed?.to_do).toContain(failed?.order_id);
    await send(process.env.QUEUE_URL_SPIN_SHARDS);
    expect(await cause()).toMatchObject({ cause: 'queued' });
    for (const one of aws.queues.all()) one.purge();
  });
});

describe('free spins', () => {
  test('that have run are found by their order id', async () => {
    await api.post(`/users/guest/${user}/game/play`, { num_of_spins: 3, idempotency_key: 'guest' });
    expect(await explained(midnight)).toEqual([]);
    const [order] = await ordersOf(user);
    expect(await explainFreeSpins(org, { order }, midnight)).toMatchObject({
      user_id: user,
      orders: [{ order_id: order, ran: 3, cause: 'none', sentence: 'All 3 spins of the order have run.' }],
    });
  });

  test('are explained order by order', async () => {
    await queue('a');
    await queue('b');
    const [first, second] = await ordersOf(user);
    await cancelSpins({ organizationId: org, userId: user, orderId: second }, freshContext());
    expect((await explained(midnight)).map(({ order_id, cause }) => [order_id, cause])).toEqual([
      [first, 'not_started'],
      [second, 'spins_cancelled'],
    ]);
  });

  test('of an unknown user or order are refused', async () => {
    const other = 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    await expect(explainFreeSpins(org, {}, midnight)).rejects.toThrow('Give --user or --order.');
    for (const order of [other, 'x'])
      await expect(explainFreeSpins(org, { order }, midnight)).rejects.toThrow(`has no order ${order}`);
    await expect(explainFreeSpins(org, { user, order: other }, midnight)).rejects.toThrow('has no order');
  });
});

/** Returns the ids of a user's spin orders, oldest first. */
async function ordersOf(userId: string): Promise<string[]> {
  const orders = await readRange(recordsOfUser(org, userId, 'orders'), { consistent: true });
  return orders.map(({ order_id }) => String(order_id));
}
