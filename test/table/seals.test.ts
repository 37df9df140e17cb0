import { describe, expect, test } from 'vitest';
import { transact, update, updated } from '../../shared/table/client.ts';
import { type Key, operationKey, recordKey, settingsKey, userKey } from '../../shared/table/keys.ts';
import { opened, requireUpdatable, sealed, Tampered } from '../../shared/table/seals.ts';
import { sealedHere } from '../support/seal.ts';

const [o, u] = ['org_1', 'usr_2'];
const order = recordKey(o, u, 'orders', 'U');

test.each<[Key, string, covered?: string]>([
  [order, 'REMOVE idempotency_key'],
  [order, 'SET num_of_spins = :n', 'num_of_spins'],
  [order, 'SET idempotency_key = :k, due_day = :d', 'due_day'],
  [order, 'REMOVE why', 'why'],
  [operationKey(o, 'U'), 'REMOVE why'],
  [operationKey(o, 'U'), 'REMOVE idempotency_key', 'idempotency_key'],
  [operationKey(o, 'U'), 'REMOVE why ADD #sequence :one', '#sequence'],
  [userKey(o, u), 'SET balances = :b', 'balances'],
  [settingsKey(o, 3), 'SET suspended = :no', 'suspended'],
  [recordKey(o, u, 'tickets', 'U'), 'SET description = :text'],
])('of %o, “%s” changes only fields that no seal covers, or is refused: %s', (key, expression, covered) => {
  const check = () => requireUpdatable(key, expression);
  if (covered === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(`put the whole item: its seal covers ${covered}`);
});

test('every way to update an item is checked', async () => {
  const change = { Key: userKey(o, u), UpdateExpression: 'SET balances = :b' };
  await expect(update(change)).rejects.toThrow('put the whole item');
  await expect(updated(change)).rejects.toThrow('put the whole item');
  await expect(transact({ user: { Update: change } })).rejects.toThrow('put the whole item');
});

describe('a seal', () => {
  const item = { ...order, num_of_spins: 3, idempotency_key: 'k' };

  test('is a MAC of the item under a key that KMS derives from the text `seals`', async () => {
    expect(await sealed(item)).toEqual(sealedHere(item));
    expect(await opened(await sealed(item))).toEqual(item);
  });

  test('covers every field but those that can be erased', async () => {
    const { seal } = await sealed(item);
    expect(await opened({ ...item, idempotency_key: 'other', seal })).toMatchObject({ num_of_spins: 3 });
    await expect(opened({ ...item, num_of_spins: 4, seal })).rejects.toThrow(Tampered);
  });

  test.each([
    ['of another item', (seal: Uint8Array) => seal.map((byte) => byte ^ 1)],
    ['that is too short', (seal: Uint8Array) => seal.subarray(1)],
    ['that is too long', (seal: Uint8Array) => Buffer.concat([seal, seal])],
    ['that is a text', (seal: Uint8Array) => Buffer.from(seal).toString('latin1')],
    ['that is missing', () => undefined],
  ])('%s is wrong: readers refuse, skip or show the item', async (_, change) => {
    const { seal } = await sealed(item);
    const forged = { ...item, seal: change(seal as Uint8Array) };
    await expect(opened(forged)).rejects.toThrow(Tampered);
    expect(await opened(forged, { ifTampered: 'skip' })).toBeUndefined();
    expect(await opened(forged, { ifTampered: 'show' })).toEqual(item);
  });
});
