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
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});
const hour = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
const longDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'full' });
const shortDay = new Intl.DateTimeFormat('en-CA', { timeZone: zone });

export const numberText = (value: number): string => number.format(value);
/** Formats a count and its noun: `1 row`, `2 rows`. */
export const countText = (value: number, noun: string): string =>
  `${numberText(value)} ${noun}${value === 1 ? '' : 's'}`;
/** Formats an amount in USD. Shows cents only if the amount is not a whole number. */
export const usdText = (value: number): string => (Number.isInteger(value) ? wholeUsd : cents).format(value);
/** Formats a percentage (0 to 100) with two decimals. A percentage below 0.01 gets two significant digits instead. */
export const percentText = (value: number): string =>
  `${value >= 0.01 || value === 0 ? value.toFixed(2) : Number(value.toPrecision(2))}%`;
/** Formats an ISO time in New York time. */
export const timeText = (iso: string): string => time.format(new Date(iso));
/** Returns the hour of an ISO time in New York, `00` to `23`. */
export const hourText = (iso: string): string => hour.format(new Date(iso));
export const dayText = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`));
/** Returns the calendar day in New York at a time, as YYYY-MM-DD. */
export const dayAt = (epochMs: number): string => shortDay.format(epochMs);

const acronyms: Record<string, string> = {
  usd: 'USD',
  id: 'ID',
  amoe: 'AMOE',
  api: 'API',
  imt: 'international top-up',
  url: 'URL',
  prizewheel: 'prize wheel',
};
/** Fields whose values are names from the API, such as `cash_usd`. */
const wordFields = ['prize', 'kind', 'game', 'play_type', 'account', 'held_by', 'figure', 'paused'];
/** Turns a field's name into words, without `_usd`, because values show a dollar sign. */
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
/** The field's name determines the unit: USD, percent or none. */
export function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  // Listed changes have the stored 0, not `off`.
  if (name === 'daily_win_limit' && value === 0) return 'off';
  if (typeof value === 'number') {
    if (/(^|_)usd$/.test(name)) return usdText(value);
    return /percent$/.test(name) ? percentText(value) : numberText(value);
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string' && wordFields.includes(name) && /^[a-z_ ]+$/.test(value))
    return labelOf(value);
  if (typeof value === 'string') return instant.test(value) ? timeText(value) : value;
  return JSON.stringify(value);
}

export const looksLikeId = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^([a-z]{2,4}_[0-9A-Za-z]{12,}|[0-9A-Z]{26}|[0-9a-f]{32,}|[A-Za-z0-9+/_-]{40,}=*)$/.test(value);
