import type { Lang } from './view.ts';

type Plural = { one: string; other: string };

const locales: Record<Lang, string> = { en: 'en-US', es: 'es-US' };

/** Returns the locale of a language, the same for server and browser. */
export const localeOf = (lang: Lang) => locales[lang];

/** Replaces `{name}` in a text by the value of that name. */
export const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Returns the plural form for `n`, with `{n}` replaced by the localized number. */
export const plural = (lang: Lang, forms: Plural, n: number) =>
  fill(new Intl.PluralRules(localeOf(lang)).select(n) === 'one' ? forms.one : forms.other, {
    n: number(lang, n),
  });

const numbers: Partial<Record<Lang, Intl.NumberFormat>> = {};

export const number = (lang: Lang, n: number) => {
  // Cached, because creating a formatter takes a phone longer than one frame.
  numbers[lang] ??= new Intl.NumberFormat(localeOf(lang));
  return numbers[lang].format(n);
};

/** Rounds a number: one decimal below 10, none above. */
export const roundNumber = (lang: Lang, n: number) =>
  new Intl.NumberFormat(localeOf(lang), { maximumFractionDigits: n < 10 ? 1 : 0 }).format(n);

/** Formats US dollars, with cents only if there are any. */
export const dollars = (lang: Lang, amount: number) =>
  new Intl.NumberFormat(localeOf(lang), {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);

export const percent = (lang: Lang, share: number) =>
  new Intl.NumberFormat(localeOf(lang), {
    style: 'percent',
    maximumSignificantDigits: 3,
  }).format(share);

/** Formats a day and time, in the reader's own time zone unless one is given. */
export const dayAndTime = (lang: Lang, iso: string, timeZone?: string) =>
  new Intl.DateTimeFormat(localeOf(lang), {
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(iso));
