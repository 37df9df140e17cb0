import type { Game } from '../../../../shared/vocabulary.ts';
import type { ListedPrize } from '../view.ts';
import { base64UrlOf, sha256, utf8 } from './digests.ts';

/** The project's own tables of before versions followed from prizes, by what their versions would be. */
const numbered: Partial<Record<string, string>> = {
  'prizewheel-1': 'prizewheel-nssAwlMmq7NQ',
  'truck-1': 'truck-P29lj8G3DROy',
  'flight-1': 'flight-Msw8U-xHg9PZ',
};
// Versions of before have no more of the digest.
const shortDigits = 12;

/** Whether the prizes that a page lists are those of the table that has this version. */
export const isTable = async (
  game: Game,
  prizes: readonly ListedPrize[],
  version: string,
): Promise<boolean> => {
  const listed = prizes.map(({ available, out_for, ...prize }) => prize);
  const digest = base64UrlOf(await sha256(utf8(canonicalJson(listed))));
  const known = numbered[version] ?? version;
  return known === `${game}-${digest}` || known === `${game}-${digest.slice(0, shortDigits)}`;
};

/** As `shared/ids.ts` has it. */
const canonicalJson = (value: unknown) =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
