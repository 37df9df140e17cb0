import type { Lang } from './view.ts';

type Plural = { one: string; other: string };

const locales: Record<Lang, string> = { en: 'en-US', es: 'es-US' };

const localeOf = (lang: Lang) => locales[lang];

/** Replaces each placeholder `{name}` in a text by the value with that name. */
export const fillIn = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

export const plural = (lang: Lang, forms: Plural, n: number) =>
  fillIn(new Intl.PluralRules(localeOf(lang)).select(n) === 'one' ? forms.one : forms.other, {
    n: formatNumber(lang, n),
  });

const numbers: Partial<Record<Lang, Intl.NumberFormat>> = {};

export const formatNumber = (lang: Lang, n: number) => {
  // Reuses formatters, because a phone needs longer than an animation frame to create one.
  numbers[lang] ??= new Intl.NumberFormat(localeOf(lang));
  return numbers[lang].format(n);
};

/** Formats a number with at most one decimal below 10, and without decimals from 10 on. */
export const formatRounded = (lang: Lang, n: number) =>
  new Intl.NumberFormat(localeOf(lang), { maximumFractionDigits: n < 10 ? 1 : 0 }).format(n);

/** Shows cents only if the amount is not a whole number of dollars. */
export const formatDollars = (lang: Lang, amount: number) =>
  new Intl.NumberFormat(localeOf(lang), {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);

export const formatPercent = (lang: Lang, share: number) =>
  new Intl.NumberFormat(localeOf(lang), {
    style: 'percent',
    maximumSignificantDigits: 3,
  }).format(share);

/** Formats a calendar day (`YYYY-MM-DD`). */
export const formatDay = (lang: Lang, day: string) =>
  new Intl.DateTimeFormat(localeOf(lang), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/** Uses the reader's time zone if `timeZone` is absent. */
export const formatTime = (lang: Lang, iso: string, timeZone?: string) =>
  new Intl.DateTimeFormat(localeOf(lang), {
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(iso));
