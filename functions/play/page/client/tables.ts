import type { Game } from '../../../../shared/vocabulary.ts';
import type { ListedPrize } from '../view.ts';
import { base64UrlOf, sha256, utf8 } from './digests.ts';

/**
 * Returns whether the listed prizes belong to the prize table with this version. The version is the digest of
 * the prizes.
 */
export const isTable = async (
  game: Game,
  prizes: readonly ListedPrize[],
  version: string,
): Promise<boolean> => {
  const listed = prizes.map(({ available, out_for, ...prize }) => prize);
  const digest = base64UrlOf(await sha256(utf8(canonicalJson(listed))));
  return version === `${game}-${digest}`;
};

/**
 * Serializes a value as JSON with sorted keys. Copied from `shared/ids.ts`, which a browser cannot load
 * because that file imports `node:crypto`.
 */
export const canonicalJson = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
