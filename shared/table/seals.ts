/** Seals items. A seal is a MAC over an item's stored form, which nobody can make without access to KMS. */
import { timingSafeEqual } from 'node:crypto';
import { variable } from '../environment.ts';
import { hmac } from '../hmac.ts';
import { macBy } from '../kms.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { cachedPromises } from '../promises.ts';
import { packed, sealName, storedFormOf } from './codec.ts';
import type { Key } from './keys.ts';
import { storedText } from './stored-text.ts';
import { packBytes } from './values.ts';

type Item = Record<string, unknown>;

/** Kinds of items without a seal, by the beginning of `pk sk`. All other items are sealed. */
export const unsealedKinds = {
  // Unsealed, because a prize table must match its version (a digest), and sealed items contain the version.
  'prize table': /^ORG#\S+ GAME#/,
  // Unsealed, because KMS decrypts the item's data key only for its organization, and the count is only a limit.
  'webhook count': /^ORG#\S+ WEBHOOKS$/,
  // Unsealed, because a changed item only hastens deliveries, or delays them by a week at most.
  'time of deliveries': /^PACE#/,
  // Unsealed, because calls are a log: nothing is sent from it.
  'webhook call': /^CALLS#/,
  // Unsealed, because only reports read the row index.
  'row index': /^(ROWS#|ACTIVE )/,
  // Unsealed, because a book has the root of its tiles.
  tile: /^TILES#\S+ TILE#/,
};

const unsealed = Object.values(unsealedKinds);
const nameOf = ({ pk, sk }: Item): string => `${pk} ${sk}`;

/** Returns whether items with this key have a seal. */
export function isSealed(key: Key | Item): boolean {
  const name = nameOf(key as Item);
  return !unsealed.some((pattern) => pattern.test(name));
}

/**
 * Thrown if an item was changed in the table, and not by the service: its seal is missing or wrong, or its values
 * contradict each other, other items or the stage.
 */
export class Tampered extends Error {
  override name = 'Tampered';
  constructor(what: string) {
    super(`${what} was changed in the table, and not by the service`);
    count('TamperedItems', 1);
  }
}

const cachedKey = cachedPromises<Buffer>(1);

/** Returns the key of all seals. Calls KMS once per process. */
export const sealKey = (): Promise<Buffer> =>
  cachedKey('seals', () => macBy(variable('SEAL_KEY_ARN'), 'seals'));

const sealBytes = 16;

/** Returns the seal of an item in its stored form. Ignores the seal that the item may have. */
function sealOf(stored: Item, key: Buffer): Buffer {
  return Buffer.from(hmac(key, storedText(stored, sealName)), 'hex').subarray(0, sealBytes);
}

/** Returns an item with its seal, or unchanged if its kind has none. */
export const sealed = async (item: Item): Promise<Item> =>
  isSealed(item) ? sealedBy(item, await sealKey()) : item;

/** Adds the attribute `seal` to an item, even of an unsealed kind. `key` is the secret key of the MAC. */
export const sealedBy = (item: Item, key: Buffer): Item => ({
  ...item,
  seal: sealOf(packed(item), key),
});

/** How a read treats an item with a wrong seal. `show` skips the check of the seal, for reads that decide nothing. */
export type Reading = { ifTampered?: 'refuse' | 'skip' | 'show' };

/**
 * Removes an item's seal, and returns the item. If the seal is wrong, throws Tampered, or with `skip` logs the error
 * and returns undefined.
 */
export async function opened(
  item: Item | undefined,
  { ifTampered = 'refuse' }: Reading = {},
  mustHaveSeal = item !== undefined && isSealed(item),
): Promise<Item | undefined> {
  if (!item || !mustHaveSeal) return item;
  // Changes the item instead of copying it, because pages have thousands of items.
  delete item.seal;
  if (ifTampered === 'show' || isGenuine(item, await sealKey())) return item;
  const error = new Tampered(nameOf(item));
  if (ifTampered === 'refuse') throw error;
  log.failure('reading an item', error);
  return undefined;
}

function isGenuine(item: Item, key: Buffer): boolean {
  const stored = storedFormOf(item);
  try {
    return (
      stored !== undefined && timingSafeEqual(stored[sealName] as Uint8Array, packBytes(sealOf(stored, key)))
    );
  } catch {
    // The seal is a text or has another length, or the item has a value that `storedText` refuses.
    return false;
  }
}

/** Throws if items with this key have a seal, because an update cannot make a new one. */
export function requireUpdatable(key: Key): void {
  if (isSealed(key))
    throw new Error(`put the whole item, because an update cannot seal ${nameOf(key as Item)}`);
}
