/** Writes the stored form of an item as a text, of which seals are made. */

/** Returns whether a value is a plain map, and not a set or another object of the SDK. */
export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Returns a text of a stored value that no other stored value has, because each part begins with its type and length.
 * Leaves out the attribute `without` of an item. Throws a TypeError for values that sealed items cannot have, such as
 * sets and inexact numbers.
 */
export function storedText(value: unknown, without?: string): string {
  if (typeof value === 'string') return `s${value.length}:${value}`;
  if (typeof value === 'number') return `n${value};`;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (value === null) return '0';
  if (value instanceof Uint8Array) return `b${value.length}:${latin1Of(value)}`;
  if (Array.isArray(value))
    return textOfParts(
      'l',
      value.filter(isStored).map((one) => storedText(one)),
    );
  if (!isMap(value)) throw new TypeError('a seal cannot cover this kind of value');
  const names = Object.keys(value).filter((name) => name !== without && isStored(value[name]));
  return textOfParts(
    'm',
    names.sort().map((name) => `s${name.length}:${name}${storedText(value[name])}`),
  );
}

const textOfParts = (type: string, parts: string[]): string => `${type}${parts.length}:${parts.join('')}`;

/** Returns whether the SDK stores a value. */
const isStored = (value: unknown): boolean => value !== undefined;

const latin1Of = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');
