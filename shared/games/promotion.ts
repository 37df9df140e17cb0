/** A promotion: its period, in which more than tickets can be won, its rules, and its cap. */
import { timeOfUlid, ulidOf } from '../ids.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../time.ts';
import type { Lang } from '../vocabulary.ts';

/** Days are in New York; the last one is included. */
type Period = {
  first_day: string;
  last_day: string;
  /** Maximum cash won in the period, in whole USD. */
  cash_limit_usd?: number | undefined;
};
/** `sha256` is the hex digest that the document had when the promotion was set. */
type Rules = { url: string; sha256: string };
export type Promotion = Period & {
  name: string;
  rules: { [lang in Lang]?: Rules };
  /** The promotion before. Free spins that were ordered on its last day run a day later. */
  previous?: Period | undefined;
};

export const isDuring = ({ first_day, last_day }: Period, day: string): boolean =>
  first_day <= day && day <= last_day;

/** Terms for a draw: tickets only outside the period (`outside`), and inside it the promotion's cap. */
export type PeriodTerms = {
  outside?: true | undefined;
  promotion?: { first_day: string; limit?: number | undefined } | undefined;
};

/** `day` is the day on which the play counts, or the day of a free spin's order. */
export function periodTerms(promotion: Promotion | null, day: string): PeriodTerms {
  if (!promotion) return {};
  const { previous } = promotion;
  const period = previous && isDuring(previous, day) ? previous : promotion;
  if (!isDuring(period, day)) return { outside: true };
  const { first_day, cash_limit_usd: limit } = period;
  return { promotion: { first_day, ...(limit === undefined ? {} : { limit }) } };
}

export const dayOfOrder = (orderId: string): string => dayOf(timeOfUlid(ulidOf(orderId)));

export type PromotionTimes = { name: string; starts_at: string; ends_at: string };

export const promotionTimes = (promotion: Promotion | null): PromotionTimes | null =>
  promotion && {
    name: promotion.name,
    starts_at: isoOf(startOfDay(promotion.first_day)),
    ends_at: isoOf(startOfDay(addDays(promotion.last_day, 1))),
  };
