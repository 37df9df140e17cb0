import { expect } from 'vitest';
import { recordHash } from '../../shared/accounts/record-texts.ts';
import type { OutcomeRecord, UserRecord } from '../../shared/accounts/records.ts';
import { readUser, type User } from '../../shared/accounts/user.ts';
import { userKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';

export async function recordsOf(organizationId: string, userId: string) {
  const partition = userKey(organizationId, userId).pk;
  const items = await readRange({ partition, prefix: '' }, { consistent: true });
  const records = items.filter(({ kind }) => kind !== undefined) as UserRecord[];
  records.sort((a, b) => a.sequence - b.sequence);
  return { user: await readUser(organizationId, userId), records };
}

/** Checks hashes and balances, and that each prize is credited at most once. Returns the outcomes. */
export async function expectSound(organizationId: string, userId: string): Promise<OutcomeRecord[]> {
  const { user, records } = await recordsOf(organizationId, userId);
  expectHashes(user, records);
  const outcomes = records.filter((record) => record.kind === 'outcomes');
  const prizes = outcomes.map(({ prize }) => prize);
  const won = (kind: string) => prizes.reduce((sum, prize) => sum + (prize[kind] ?? 0), 0);
  expect(user.balances).toEqual({
    tickets: won('tickets'),
    truck: won('entry_truck'),
    flight: won('entry_flight'),
  });
  const credited = records.filter((record) => record.kind === 'tickets' || record.kind === 'entries');
  expect(new Set(credited.map(({ outcome_id }) => outcome_id)).size).toBe(credited.length);
  return outcomes;
}

function expectHashes(user: User, records: UserRecord[]) {
  let hash = '';
  for (const [index, record] of records.entries()) {
    expect(record.sequence).toBe(index + 1);
    hash = recordHash(hash, record);
    expect(record.hash).toBe(hash);
  }
  expect([user.sequence, user.last_hash]).toEqual([records.length, hash]);
}
