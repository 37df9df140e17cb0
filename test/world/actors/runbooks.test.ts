import { expect, test } from 'vitest';
import { dayMs } from './action-times.ts';
import { createFakeApi } from './fake-api.ts';
import { handleDeadLetters, onCall } from './runbooks.ts';

const lost = (first: string, last: string) =>
  JSON.stringify({
    DDBStreamBatchInfo: { approximateArrivalOfFirstRecord: first, approximateArrivalOfLastRecord: last },
  });
const letters = {
  deliveries: ['{}'],
  'spin-shards': ['{}', '{}'],
  'events/index-rows': [lost('2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z')],
  'events/publish-events': [
    lost('2026-03-01T10:00:00Z', '2026-03-01T10:01:00Z'),
    lost('2026-03-01T09:00:00Z', '2026-03-01T09:01:00Z'),
  ],
};

async function seeTo(exitCode: number) {
  const fake = createFakeApi({ admin: () => ({ exitCode, printed: {} }) });
  for (const [of, bodies] of Object.entries(letters)) fake.deadLetters.set(of, bodies);
  const seen = handleDeadLetters(fake.api);
  await fake.run(seen);
  return {
    ...fake,
    commands: fake.api.journal.operatorCommands.map(({ args }) => args.join(' ')),
    count: await seen,
  };
}

test('the operator redrives parked deliveries, replays lost events, and leaves the rest to schedules', async () => {
  const { commands, deadLetters, count } = await seeTo(0);
  expect(count).toBe(6);
  expect(commands).toEqual([
    'webhooks parked',
    'webhooks redrive',
    'webhooks replay --from 2026-03-01T08:50:00.000Z --to 2026-03-01T10:11:00.000Z',
  ]);
  expect([...deadLetters.keys()]).toEqual(['deliveries']);
});

test('dead letters stay if their replay fails', async () => {
  const { deadLetters } = await seeTo(1);
  expect([...deadLetters.keys()]).toEqual(['deliveries', 'events/publish-events']);
});

test('the operator on call checks every few hours until the end', async () => {
  const fake = createFakeApi();
  const until = fake.api.now() + 3 * dayMs;
  const looks: number[] = [];
  const look = fake.api.deadLetters;
  fake.api.deadLetters = (of) => {
    if (of === 'deliveries') looks.push(fake.api.now());
    return look(of);
  };
  await fake.run(onCall(fake.api, fake.api.random, until));
  expect(looks.length).toBeGreaterThan(10);
  expect(Math.max(...looks)).toBeLessThan(until);
  expect(fake.api.journal.operatorCommands).toEqual([]);
});
