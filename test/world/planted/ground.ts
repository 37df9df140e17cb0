import type { Bug } from './bug.ts';

/** Bugs that `npm run planted` plants in the code for the basics: time, ids, refusals and retries. */
export const ground: Bug[] = [
  {
    name: 'the default effective date is now instead of the start of today',
    file: 'shared/time.ts',
    from: 'return isoOf(dayAround(now).start);',
    to: 'return isoOf(now);',
  },
  {
    name: 'a date alone is its midnight in UTC',
    file: 'shared/time.ts',
    from: 'if (text.length === dateLength) return startOfDay(text);',
    to: 'if (text.length === dateLength) return Date.parse(text);',
  },
  {
    name: "a time without an offset is New York's",
    file: 'shared/time.ts',
    from: "zoneOfPlain = 'UTC'",
    to: 'zoneOfPlain: string = zone',
  },
  {
    name: 'a day of 23 hours lasts an hour into the next one',
    file: 'shared/time.ts',
    from: 'end: startOf(PlainDate.addDays(date, 1)),',
    to: 'end: startOf(date) + 24 * 3600_000,',
  },
  {
    name: 'records of one millisecond lose their order',
    file: 'shared/ids.ts',
    from: 'decodeTime(last) >= now',
    to: 'decodeTime(last) > now',
  },
  {
    name: 'a hash depends on the order in which fields were written',
    file: 'shared/ids.ts',
    from: '? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))',
    to: '? Object.fromEntries(Object.entries(part))',
  },
  {
    name: 'a 429 or 503 does not say when to come again',
    file: 'shared/refusals.ts',
    from: "const retryLater = { headers: { 'retry-after': '1' } };",
    to: 'const retryLater = { headers: {} };',
  },
  {
    name: 'that an earlier try got no answer is forgotten at the last one',
    file: 'shared/retry.ts',
    from: 'throw unanswered ?? refusal;',
    to: 'throw refusal ?? unanswered;',
  },
  {
    name: 'a connection that breaks counts as a request that was never sent',
    file: 'shared/retry.ts',
    from: '/^(ECONNREFUSED|',
    to: '/^(ECONNREFUSED|ECONNRESET|',
  },
  {
    name: 'what was not answered in time is an error of ours',
    file: 'shared/retry.ts',
    from: '/Timeout|^Unanswered$|',
    to: '/^Unanswered$|',
  },
  {
    name: 'a write without an answer promises that nothing was done',
    file: 'shared/retry.ts',
    from: 'return refusals.outcomeUnknown(error.cause);',
    to: 'return Object.assign(refusals.unavailable(), { cause: error.cause });',
  },
];
