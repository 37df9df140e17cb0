import type { Game } from '../../../../shared/vocabulary.ts';
import type { ListedPrize } from '../view.ts';
import { base64UrlOf, sha256, utf8 } from './digests.ts';

/** Whether the listed prizes are those of the prize table with this version. */
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
 * A copy of the function in `shared/ids.ts`, which a browser cannot load because it imports `node:crypto`.
 */
export const canonicalJson = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
