/** How values are shown. Pure. */

const zone = 'America/New_York';
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });
const wholeUsd = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const time = new Intl.DateTimeFormat('en-US', {
  timeZone: zone,
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const hour = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
const longDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' });
const shortDay = new Intl.DateTimeFormat('en-CA', { timeZone: zone });

/** A number with thousands apart, and up to four digits after the point. */
export const numberText = (value: number): string => number.format(value);
/** How many there are of a noun that takes an s: `1 row`, `2 rows`. */
export const countText = (value: number, noun: string): string =>
  `${numberText(value)} ${noun}${value === 1 ? '' : 's'}`;
/** An amount of money, with cents only if it has some. */
export const usdText = (value: number): string => (Number.isInteger(value) ? wholeUsd : cents).format(value);
/** A share of 100 as a chance: small ones with more digits. */
export const percentText = (value: number): string =>
  `${value >= 0.01 || value === 0 ? value.toFixed(2) : Number(value.toPrecision(2))} %`;
/** An instant as the clocks in New York show it. */
export const timeText = (iso: string): string => time.format(new Date(iso));
/** The hour of an instant in New York, `00` to `23`. */
export const hourText = (iso: string): string => hour.format(new Date(iso));
/** A calendar day in words. */
export const dayText = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`));
/** The calendar day in New York at a time. */
export const dayAt = (epochMs: number): string => shortDay.format(epochMs);

const acronyms: Record<string, string> = {
  usd: 'USD',
  id: 'ID',
  amoe: 'AMOE',
  api: 'API',
  imt: 'IMT',
  ms: 'ms',
  url: 'URL',
  prizewheel: 'prize wheel',
};
/** Fields whose values are words of the service. */
const wordFields = ['prize', 'kind', 'game', 'play_type', 'account', 'figure', 'paused'];
/** The name of a field as a label: `won_at` as `Won at`; a sum of money needs no unit in its name. */
export function labelOf(name: string): string {
  if (/\d{4}-\d{2}-\d{2}/.test(name)) return name;
  const words = name
    .replace(/^(.+)_usd$/, '$1')
    .replace(/^prize_/, '')
    .split(/[_-]/)
    .map((word) => acronyms[word] ?? word);
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** A value of a field as text, by what its name says that it is. */
export function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') {
    if (/(^|_)usd$/.test(name)) return usdText(value);
    return /percent$/.test(name) ? percentText(value) : numberText(value);
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' && wordFields.includes(name)) return labelOf(value);
  if (typeof value === 'string') return instant.test(value) ? timeText(value) : value;
  return JSON.stringify(value);
}

/** Whether a text is an id or a digest, and shown as such. */
export const isCode = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^([a-z]{2,4}_[0-9A-Za-z]{12,}|[0-9A-Z]{26}|[0-9a-f]{32,}|[A-Za-z0-9+/_-]{40,}=*)$/.test(value);
