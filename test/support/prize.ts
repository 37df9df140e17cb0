import type { Prize } from '../../shared/games/prize-tables.ts';
import type { PrizeKind } from '../../shared/vocabulary.ts';

/** Returns a prize for a test's prize table, with an id and labels made from its kind and amount. */
export const prizeOf = (kind: PrizeKind, amount: number, weight: number): Prize => ({
  id: `${kind.replaceAll('_', '-')}-${amount}`,
  kind,
  amount,
  weight,
  label: { en: `${kind} ${amount}`, es: `${kind} ${amount}` },
});
