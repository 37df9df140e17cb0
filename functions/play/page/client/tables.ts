import type { Game } from '../../../../shared/vocabulary.ts';
import type { ListedPrize } from '../view.ts';
import { base64UrlOf, sha256, utf8Bytes } from './digests.ts';

export const isPrizeTableVersion = async (
  game: Game,
  prizes: readonly ListedPrize[],
  version: string,
): Promise<boolean> => {
  const listed = prizes.map(({ available, out_for, ...prize }) => prize);
  const digest = base64UrlOf(await sha256(utf8Bytes(canonicalJson(listed))));
  return version === `${game}-${digest}`;
};

/**
 * Serializes JSON with sorted keys, like `canonicalJson` in `shared/ids.ts`, which imports `node:crypto` and
 * cannot run in a browser.
 */
export const canonicalJson = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
