import type { Prize } from '../../shared/games/prize-tables.ts';
import type { PrizeKind } from '../../shared/vocabulary.ts';

/** A prize for a table of a test's own. */
export const prizeOf = (kind: PrizeKind, amount: number, weight: number): Prize => ({
  id: `${kind.replaceAll('_', '-')}-${amount}`,
  kind,
  amount,
  weight,
  label: { en: `${kind} ${amount}`, es: `${kind} ${amount}` },
});
