import { describe, expect, test } from 'vitest';
import { type Item, transact, update, updated } from '../../shared/table/client.ts';
import { packed, unpacked } from '../../shared/table/codec.ts';
import { type Key, operationKey, recordKey, userKey } from '../../shared/table/keys.ts';
import { opened, requireUpdatable, sealed, Tampered } from '../../shared/table/seals.ts';
import { webhookCallKey, webhookKey } from '../../shared/table/webhook-keys.ts';
import { sealedHere } from '../support/seal.ts';

const [o, u] = ['org_1', 'usr_2'];
const order = recordKey(o, u, 'orders', 'U');

test.each<[Key, isSealed: boolean]>([
  [recordKey(o, u, 'tickets', 'U'), true],
  [operationKey(o, 'U'), true],
  [webhookKey(o, 'W'), true],
  [webhookCallKey(o, 'D', 'U', 4), false],
])('an update of %o is refused if the item has a seal: %s', (key, isSealed) => {
  const check = () => requireUpdatable(key);
  if (isSealed)
    expect(check).toThrow(`put the whole item, because an update cannot seal ${key.pk} ${key.sk}`);
  else expect(check).not.toThrow();
});

test('every way to update an item is checked', async () => {
  const change = { Key: userKey(o, u), UpdateExpression: 'SET balances = :b' };
  await expect(update(change)).rejects.toThrow('put the whole item');
  await expect(updated(change)).rejects.toThrow('put the whole item');
  await expect(transact({ user: { Update: change } })).rejects.toThrow('put the whole item');
});

/** Returns an item as the client reads it. */
const read = (item: Item) => unpacked(packed(item));

describe('a seal', () => {
  const item = { ...order, num_of_spins: 3, idempotency_key: 'k' };

  test('is a MAC of the item under a key that KMS derives from the text `seals`', async () => {
    expect(read(await sealed(item))).toEqual(sealedHere(item));
    expect(await opened(read(await sealed(item)))).toEqual(item);
  });

  test('covers every field', async () => {
    const { seal } = await sealed(item);
    await expect(opened(read({ ...item, idempotency_key: 'other', seal }))).rejects.toThrow(Tampered);
    await expect(opened(read({ ...item, more: 1, seal }))).rejects.toThrow(Tampered);
  });

  test('is not believed of an item that was not read from the table', async () => {
    await expect(opened(await sealed(item))).rejects.toThrow(Tampered);
  });

  test.each([
    ['of another item', (seal: Uint8Array) => seal.map((byte) => byte ^ 1)],
    ['that is too short', (seal: Uint8Array) => seal.subarray(1)],
    ['that is too long', (seal: Uint8Array) => Buffer.concat([seal, seal])],
    ['that is a text', (seal: Uint8Array) => Buffer.from(seal).toString('latin1')],
    ['that is missing', () => undefined],
  ])('%s is wrong: readers refuse, skip or show the item', async (_, change) => {
    const { seal } = await sealed(item);
    const forged = read({ ...item, seal: change(seal as Uint8Array) });
    await expect(opened(forged)).rejects.toThrow(Tampered);
    expect(await opened(forged, { ifTampered: 'skip' })).toBeUndefined();
    expect(await opened(forged, { ifTampered: 'show' })).toEqual(item);
  });
});
