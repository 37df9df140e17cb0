import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { dayMs } from './action-times.ts';
import { createFakeApi } from './fake-api.ts';
import { cancelSpins } from './holds.ts';
import { backgroundTasksDone, type Host } from './host.ts';

/**
 * Cancels and restores a user's spins. The restore commands return `results` in order. Returns their number.
 */
async function restoring(...results: { exitCode: number; printed: unknown }[]): Promise<number> {
  let tried = 0;
  const admin = ([, verb]: string[]) =>
    verb === 'restore-spins' ? (results[tried++] ?? { exitCode: 1, printed: 'too many tries' }) : undefined;
  const { api, run } = createFakeApi({ admin });
  const users = [{ id: 'usr_1', reference: 'a', tickets: 0, keys: 0, changes: [] }];
  const caller = { organizationId: 'org_1' };
  const host = { api, caller, users, until: api.now() + 9 * dayMs, backgroundTasks: [] } as unknown as Host;
  const random = createRandom('holds');
  while (host.backgroundTasks.length === 0) await run(cancelSpins(host, random));
  await run(backgroundTasksDone(host));
  return tried;
}

const refused = { exitCode: 1, printed: 'too many requests' };

test('a hold is released, however often the release must be retried', async () => {
  expect(await restoring(refused, refused, { exitCode: 0, printed: {} })).toBe(3);
});

test('a hold on an erased user is not released', async () => {
  expect(await restoring(refused, { exitCode: 1, printed: 'Invalid user ID' })).toBe(2);
});
