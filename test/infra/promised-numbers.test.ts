/** The numbers that guides, READMEs, runbooks and the play page promise are those that the service uses. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorsPage, explanations } from '../../functions/docs/page/errors.ts';
import { textsOf } from '../../functions/play/page/texts/languages.ts';
import { maxHeadBytes, maxBodyBytes as maxStageBytes } from '../../infra/deploy/endpoints.ts';
import { queues, schedules, workers } from '../../infra/deploy/workers.ts';
import { nouns } from '../../infra/operate/admin/cli.ts';
import { repeatableMs } from '../../shared/accounts/references.ts';
import { overdueAfterMs } from '../../shared/amoe/start-spin-run.ts';
import { faultPattern } from '../../shared/api/faults.ts';
import { maxBytes as maxReplyBytes } from '../../shared/api/pack.ts';
import { maxLogoLength } from '../../shared/api/page-fields.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { maxBodyBytes } from '../../shared/api/schemas.ts';
import { closableAt, timestampLateMs } from '../../shared/books/book.ts';
import { lateAfterMs as uncheckedAfterMs } from '../../shared/books/check-all.ts';
import { lateAfterMs as openAfterMs } from '../../shared/books/close-all.ts';
import { askForDays } from '../../shared/books/timestamp-books.ts';
import { lifetimeMs } from '../../shared/games/play-rules.ts';
import { playedRetentionMs } from '../../shared/games/play-sessions.ts';
import { checksPerFalseAlarm } from '../../shared/payouts/evidence.ts';
import { authorizerTtlSeconds } from '../../shared/stage.ts';
import { settledAfterMs } from '../../shared/table/settled.ts';
import { addDays, startOfDay, zone } from '../../shared/time.ts';
import type { Lang } from '../../shared/vocabulary.ts';
import { retentionDays } from '../../shared/webhooks/calls.ts';
import { maxLevels, retentionMs } from '../../shared/webhooks/invocations.ts';
import { timeoutMs } from '../../shared/webhooks/post.ts';
import { fallBehindAfterMs, maxFailureMs, maxWaitMs } from '../../shared/webhooks/receiver.ts';
import { maxRetryAfterSeconds, retryDelays } from '../../shared/webhooks/retry-schedule.ts';
import { rotationMs } from '../../shared/webhooks/webhooks.ts';
import { document } from '../support/document.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const units = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  year: 365 * 86_400_000,
};
type Unit = keyof typeof units;
const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** Writes a duration as the guides do: `an hour`, `five days`, `15 seconds`. */
function span(ms: number, unit: Unit): string {
  const number = ms / units[unit];
  if (number === 1) return `${unit === 'hour' ? 'an' : 'a'} ${unit}`;
  return `${words[number] ?? number} ${unit}s`;
}
const short = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
const listed = (items: string[]) => `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
const shown = (number: number) => number.toLocaleString('en-US');

/** Returns the default of an option of the client, whose module exports nothing but what hosts use. */
const defaultIn = (file: string, option: string) =>
  Number(new RegExp(`${option} = ([\\d_]+)`).exec(read(`shared/client/${file}`))![1]!.replaceAll('_', ''));
/** Returns the interval of a schedule, as in `15 minutes`. */
const intervalOf = (name: string) => {
  const [, number, unit] = /^rate\((\d+) (\w+)s\)$/.exec(schedules[name]!.expression)!;
  return span(Number(number) * units[unit as Unit], unit as Unit);
};
/** Returns the local time of a daily schedule, as in `01:00`. */
const timeOf = (name: string) => {
  const [, minute = '', hour = ''] = /^cron\((\d+) (\d+) /.exec(schedules[name]!.expression)!;
  expect(schedules[name]!.timezone).toBe(zone);
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
};

const day = '2026-05-06';
const place = zone.split('/')[1]!.replace('_', ' ');
const midnightHere = `midnight in ${place}`;
const closed = `${capital(span(closableAt(day) - startOfDay(addDays(day, 1)), 'hour'))} after ${midnightHere}`;
const [toleranceSeconds, tries] = [
  defaultIn('webhooks.ts', 'toleranceSeconds'),
  defaultIn('client.ts', 'tries'),
];
const slowest = Math.max(
  ...Array.from({ length: 100 }, (_, i) => (new RegExp(faultPattern).test(`slow=${i}`) ? i : 0)),
);
const cached = span(authorizerTtlSeconds * 1000, 'minute');
const settled = span(settledAfterMs, 'minute');
const one = (text: string) => text.replace(/^an? /, 'one ');
const lifetime = span(lifetimeMs, 'minute');
const kept = span(retentionDays * units.day, 'day');

/** Returns a row of the measured cost, as in "in all | 25.08 | 6,244", with each number rounded as the guide does. */
function costOf(row: RegExp): string[] {
  const [, ...numbers] = row.exec(read('test/bench/cost/README.md'))!;
  return numbers.map((number) => shown(Number(Number(number.replaceAll(',', '')).toPrecision(2))));
}
const [idle] = costOf(/unused stage costs ([\d.]+) USD/);
const [thousand, million, millions] = costOf(/in all \| ([\d.]+) \| ([\d,]+) \| ([\d,]+) \|/);
const measured = /Measured on (\S+),/.exec(read('test/bench/cost/README.md'))![1]!;
const measuredOn = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
  new Date(measured),
);

/** The sentences of each text that promise a number, built from the constants. */
const promises: Record<string, string[]> = {
  embed: [
    `play one game, once, within ${lifetime}. Afterwards it shows the outcome for ${span(playedRetentionMs, 'year')}.`,
  ],
  events: [
    `every event older than ${settled}. Read newer ones ${settled} later.`,
    `read again ${settled} later`,
  ],
  fairness: [`${closed}, each day is closed into a book`],
  operate: [
    `measured on ${measuredOn}`,
    `| nobody uses it | ${idle} |`,
    `| 1 thousand users | ${thousand} |`,
    `| 1 million users | ${million} |`,
    `| 50 million users | ${millions} |`,
  ],
  repeat: [`up to ${words[tries]} attempts`, `\`slow=12\` responds 12 seconds later (up to ${slowest})`],
  restore: [`until the restore point is ${lifetime} old`, `Pause AMOE until ${midnightHere}`],
  webhooks: [
    `For ${span(rotationMs, 'hour')} after you replace the secret`,
    `**Reject timestamps** more than ${span(toleranceSeconds * 1000, 'minute')} off`,
    `abs(time.time() - int(timestamp)) > ${toleranceSeconds}:`,
    `Math.abs(age) > ${toleranceSeconds})`,
    `respond with 2XX within ${span(timeoutMs, 'second')}`,
    `retried after ${listed(retryDelays.map(short))}.`,
    `extends a wait, up to ${span(maxRetryAfterSeconds * 1000, 'day')}`,
    `tries again at least every ${span(maxWaitMs, 'minute')}`,
    `After ${span(maxFailureMs, 'day')}, the webhook is switched off`,
    `lists the calls of a day in ${place}, for ${kept}`,
  ],
  errors: [
    `Offer the next play after ${midnightHere}.`,
    `A revoked key is refused within ${cached}.`,
    `older than ${lifetime}`,
    `${maxBodyBytes / 1024} KiB of JSON, nested up to ${maxLevels} levels`,
    `${shown(maxHeadBytes)} bytes together`,
  ],
  reference: [
    `more than ${shown(maxHeadBytes)} bytes together`,
    `at most ${maxStageBytes} bytes`,
    `${closed}`,
    `for ${span(repeatableMs, 'day')}, it returns the same user`,
    `once, within ${lifetime}`,
    `shows the outcome for ${span(playedRetentionMs, 'year')}`,
    `the same outcome, for ${span(playedRetentionMs, 'year')}`,
    `For ${span(rotationMs, 'hour')} after a change of the secret`,
    `Within ${span(retentionMs, 'day')}, requests with the same`,
    `Calls are kept for ${kept}`,
    `all events older than ${one(settled)}: newer events appear ${one(settled)} after their time`,
    `until ${settled} after \`end\``,
    `more than ${Math.floor(maxReplyBytes / 1e6)} MB`,
    `extends the wait, up to ${span(maxRetryAfterSeconds * 1000, 'day')}`,
    `switched off after ${span(maxFailureMs, 'day')} of failures`,
    `image of up to ${(maxLogoLength * 3) / 4 / 1000} KB`,
  ],
  runbooks: [
    `the sweep, every ${intervalOf('spin-sweep')}, runs the same spins`,
    `have been due for more than ${span(overdueAfterMs, 'hour')}`,
    `Each sweep, every ${intervalOf('spin-sweep')}, retries`,
    `has failed for ${span(maxFailureMs, 'day')}, so its webhook is switched off`,
    `at most once in ${shown(checksPerFalseAlarm)} hours of a stage`,
    `still open ${span(openAfterMs, 'hour')} after the day ended`,
    `without a timestamp ${span(timestampLateMs, 'hour')} after it could be closed`,
    `after ${span(askForDays * units.day, 'day')}, the book stays without a timestamp`,
    `still unchecked ${span(uncheckedAfterMs, 'day')} after the end of its day`,
  ],
  commands: [
    `waiting free spins run within ${intervalOf('spin-sweep')}`,
    `or within ${intervalOf('spin-sweep')} if it has begun`,
    `ended at least ${closed.split(' after')[0]!.toLowerCase()} ago`,
    `that failed for ${span(maxFailureMs, 'day')}`,
    `sign for ${span(rotationMs, 'hour')} after a PUT`,
    `Refuse all changes to an organization, within ${cached}`,
    `Pause a game or AMOE within ${cached}`,
  ],
};

/** Promises of the READMEs. */
const readmes: Record<string, string[]> = {
  'README.md': [
    `${timeOf('spin-run')} ${place} ──► start-spin-run`,
    `${timeOf('book-closing')} ${place} ──► close-books`,
  ],
  'infra/deploy/README.md': [
    `They run within ${intervalOf('spin-sweep')} of the resume`,
    `caches the authorizer's result for ${authorizerTtlSeconds} seconds`,
    `has no timestamp after ${timestampLateMs / units.hour} hours`,
  ],
  'infra/operate/admin/README.md': [`stay for ${kept}`],
  'shared/README.md': [`one outcome, ${lifetime}`],
  'shared/amoe/README.md': [`a sweep every ${intervalOf('spin-sweep')} ──► start-spin-run`],
  'shared/api/README.md': [`cached for ${authorizerTtlSeconds} s**`],
  'shared/books/README.md': [
    `${closed}, \`close-books\` closes the day before`,
    `Within ${intervalOf('book-check')}, \`check-books\``,
    `again in later runs for ${span(askForDays * units.day, 'week')}`,
  ],
  'shared/webhooks/README.md': [
    `still failing after ${fallBehindAfterMs / 1000} s`,
    `failing --> off: no success for ${maxFailureMs / units.day} days`,
    `behind --> off: no success for ${maxFailureMs / units.day} days`,
  ],
};

/** The play page's sentences with numbers, in each language. */
const onPage: Record<Lang, string[]> = {
  en: [`Play links last ${lifetimeMs / units.minute} minutes.`],
  es: [`Los enlaces para jugar duran ${lifetimeMs / units.minute} minutos.`],
};

/** Numbers that are no promise of the service: advice, examples, names, and measurements with their date. */
const others: Record<string, string[]> = {
  embed: ['within ten seconds, offer to load'],
  operate: ['a week before launch', '0.05 s, plus', 'joined a year ago'],
  restore: ['the last 35 days', 'once a year'],
  start: ['in ten minutes'],
  // `test/webhooks/backlog.test.ts` tests this minute by sending events.
  webhooks: ['About a minute after the first success'],
  commands: ['for a year whose threshold'],
  reference: ['`slow` responds 5 s later, `slow=12` 12 s later', '32 bytes', 'ISO 8601, years'],
};

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsIn);
const ofReference: string[] = [];
JSON.parse(JSON.stringify(document), (key, value) => {
  if (/^(description|summary)$/.test(key) && typeof value === 'string') ofReference.push(value);
  return value;
});
const guides = globSync('functions/docs/page/guides/*.md', { cwd: root });
const texts: Record<string, string> = {
  ...Object.fromEntries(guides.map((path) => [basename(path, '.md'), read(path)])),
  errors: [...Object.values(explanations).flat(), errorsPage(allRoutes, document).html].join('\n'),
  reference: ofReference.join('\n'),
  runbooks: stringsIn([workers, queues]).join('\n'),
  commands: stringsIn([...nouns.values()]).join('\n'),
};
const pages = Object.fromEntries(
  Object.entries(textsOf).map(([lang, of]) => [lang, stringsIn(of).join('\n')]),
);

const ofReadmes = Object.fromEntries(Object.keys(readmes).map((path) => [path, read(path)]));

/** Returns the rows of a table, each with the text that has to contain its sentence. */
const rowsOf = (table: Record<string, string[]>, of: Record<string, string>) =>
  Object.entries(table).flatMap(([name, sentences]) =>
    sentences.map((sentence) => [name, sentence, of[name]!] as const),
  );
const promised = [
  ...rowsOf(promises, texts),
  ...rowsOf(others, texts),
  ...rowsOf(readmes, ofReadmes),
  ...rowsOf(onPage, pages),
];
test.each(promised)('%s says what the service does: %s', (_, sentence, text) => {
  expect(text).toContain(sentence);
});

const quantity = String.raw`(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)`;
const unit =
  'ms|s|min|h|seconds?|minutes?|hours?|days?|weeks?|months?|years?|attempts|bytes|KiB|MiB|KB|MB|GB|levels';
const numbers = new RegExp(
  String.raw`(?<![\w-])(?:${quantity}[ -](?:${unit})|an? (?:minute|hour|week|year)|(?:to|for) a day)(?![\w-])`,
  'gi',
);
/** Returns the matches of a pattern that no row has, each with the text around it. */
function unknownIn(text: string, pattern: RegExp, known: string[]): string[] {
  const rest = known.reduce((left, sentence) => left.replaceAll(sentence, '…'), text);
  return [...rest.matchAll(pattern)].map(({ index }) => rest.slice(Math.max(0, index - 40), index + 40));
}

describe('every number with a unit has a row above', () => {
  test.each(Object.keys(texts))('in the text %s', (name) => {
    const text = texts[name]!.replace(/^```.*?^```$/gms, '');
    expect(unknownIn(text, numbers, [...(promises[name] ?? []), ...(others[name] ?? [])])).toEqual([]);
  });

  test.each(Object.keys(textsOf) as Lang[])('on the play page in %s', (lang) => {
    expect(unknownIn(pages[lang]!, /\d+ \p{L}+/gu, [...onPage[lang], textsOf[lang].odds.oneIn])).toEqual([]);
  });
});

test('every midnight is that of New York', () => {
  for (const [name, text] of Object.entries(texts)) {
    const places = text.match(/midnight(?: in)? [A-Z]\w+(?: [A-Z]\w+)?/g) ?? [];
    expect(
      places.filter((place) => place !== midnightHere),
      name,
    ).toEqual([]);
  }
});
