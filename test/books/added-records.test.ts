import { expect, test, vi } from 'vitest';
import { readUser } from '../../shared/accounts/user.ts';
import { reportAddedRecords } from '../../shared/books/added-records.ts';
import { closeBook } from '../../shared/books/close.ts';
import { dayOf } from '../../shared/time.ts';
import { newOrganization } from '../support/api.ts';
import { transactionOf, writeRecords } from '../support/records.ts';

/** Returns the number of alarms for tampered items during `run`. */
async function alarmsDuring(run: () => Promise<unknown>): Promise<number> {
  vi.stubEnv('METRICS_NAMESPACE', 'test');
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  await run();
  const lines = printed.mock.calls.map(([line]) => JSON.parse(line));
  printed.mockRestore();
  vi.unstubAllEnvs();
  return lines.filter((line) => 'TamperedItems' in line).length;
}

test('a record that somebody has added raises an alarm when its day is closed', async () => {
  const alarms = async (isPlanted: boolean) => {
    const { organizationId, user } = await newOrganization();
    const [, idle] = [await user(5), await readUser(organizationId, await user(5))];
    if (isPlanted) await writeRecords([(await transactionOf(idle, 'tickets', Date.now())).record as never]);
    return alarmsDuring(() => closeBook(organizationId, dayOf(Date.now()), undefined, () => true));
  };
  expect([await alarms(false), await alarms(true)]).toEqual([0, 1]);
});

test.each([
  ['of a missing user', 1, { sequence: 1, hash: '' }, `usr_${'0'.repeat(26)}`],
  ['that the user has', 0, {}],
  ['with another hash', 1, { hash: 'another' }],
  ['with a higher number', 1, { sequence: 99 }],
  ['that later records follow', 0, { sequence: 0, hash: 'earlier' }],
])('a last record %s counts as added %i times', async (_, alarms, changed, someone?: string) => {
  const api = await newOrganization();
  const userId = await api.user(5);
  const { sequence, last_hash: hash } = await readUser(api.organizationId, userId);
  const last = new Map([[someone ?? userId, { sequence, hash: hash!, ...changed }]]);
  expect(await alarmsDuring(() => reportAddedRecords(api.organizationId, last))).toBe(alarms);
});
