import { meanWinnings } from '../../../shared/games/odds.ts';
import type { Prize, PrizeTable } from '../../../shared/games/prize-tables.ts';

type GameRules = { cost: number; table: PrizeTable };
/** The day's cash limit, and the number of plays to expect on a day. */
type CashRules = { limitUsd: number; playsADay: number };

/** Returns the fields that differ: `cost`, `version`, the `order` of the prizes, and `<prize>.<field>`. */
export function gameChanges(before: GameRules, after: GameRules) {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => old[name] !== now[name],
  );
  return changed.map((field) => ({ field, before: old[field] ?? null, after: now[field] ?? null }));
}

/** Keeps six significant digits: fixed decimals would show a chance of one in millions as 0. */
const rounded = (figure: number): number => Number(figure.toPrecision(6));

// The order of the prizes is a field, because draws and the prize wheel depend on it.
const fieldsOf = ({ cost, table: { version, prizes } }: GameRules): Record<string, unknown> => ({
  cost,
  version,
  order: prizes.map(({ id }) => id).join(),
  ...Object.fromEntries(prizes.flatMap(({ id, ...fields }) => Object.entries(fields).flatMap(flat(id)))),
});

/** Lists the values of a prize's field by `id.field`, or `id.field.lang` for each language of a text. */
const flat =
  (id: string) =>
  ([field, value]: [string, unknown]): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([lang, text]) => [`${id}.${field}.${lang}`, text])
      : [[`${id}.${field}`, value]];

export function chancesInPercent(prizes: readonly Prize[]): Record<string, number> {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return Object.fromEntries(prizes.map(({ id, weight }) => [id, rounded((100 * weight) / total)]));
}

export function playFigures(prizes: readonly Prize[]) {
  const { cash, cashVariance, value, tickets } = meanWinnings(prizes);
  return {
    cash_usd: rounded(cash),
    cash_variance: rounded(cashVariance),
    value_usd: rounded(value),
    tickets: rounded(tickets),
  };
}

export function dayFigures(prizes: readonly Prize[], { limitUsd, playsADay }: CashRules) {
  const plays = limitUsd / meanWinnings(prizes).cash;
  return {
    limit_usd: limitUsd,
    plays_yesterday: playsADay,
    ...(Number.isFinite(plays) ? { plays_at_mean_cash: rounded(plays) } : {}),
    ...(Number.isFinite(plays) && playsADay > 0
      ? { hours_at_plays_of_yesterday: rounded((24 * plays) / playsADay) }
      : {}),
  };
}
