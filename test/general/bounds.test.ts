/** Each named maximum, minimum and threshold at n - 1, n and n + 1: on the wire, on the command line, in the rules. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { nouns } from '../../infra/operate/admin/cli.ts';
import { milestonesOf, recordsPerMilestone } from '../../shared/accounts/records.ts';
import { compressReport, maxResponseBytes } from '../../shared/api/pack.ts';
import { maxAmount, maxBodyBytes } from '../../shared/api/schemas.ts';
import {
  maxBookCharacters,
  maxRecordsHeadBytes,
  parseBook,
  parseRecordsHead,
} from '../../shared/books/book.ts';
import { createClient } from '../../shared/client/client.ts';
import { playUrlLifetimeMs } from '../../shared/games/play-rules.ts';
import { isPlayExpired } from '../../shared/games/play-sessions.ts';
import { leastUlid, ulidTimePart } from '../../shared/ids.ts';
import { packItem, unpackItem } from '../../shared/table/codec.ts';
import { settledAfterMs, settledBefore } from '../../shared/table/settled.ts';
import { addDays, dayOf } from '../../shared/time.ts';
import { maxTimestampTokenBytes } from '../../shared/timestamps/timestamp.ts';
import { checkTimestampToken } from '../../shared/timestamps/token.ts';
import { isInvocationPayload, maxPayloadLevels } from '../../shared/webhooks/invocations.ts';
import {
  afterFailure,
  pausedAfterMs,
  pausedIfDue,
  replayMarginMs,
  switchedOffAfterMs,
} from '../../shared/webhooks/receiver.ts';
import { maxRetryAfterSeconds, retryDelayAfter } from '../../shared/webhooks/retry-schedule.ts';
import {
  decryptSecrets,
  readWebhook,
  secretRotationMs,
  updateWebhook,
} from '../../shared/webhooks/webhooks.ts';
import { admin } from '../support/admin.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { operations, resolved } from '../support/document.ts';
import { valid } from '../support/from-schema.ts';
import { raw } from '../support/raw.ts';

let api: Api;
let user: string;
let webhook: string;
beforeAll(async () => {
  api = await newOrganization();
  user = await api.user(1_000_000);
  const fields = { callback_url: 'https://hooks.example.com/', secret_key: 'secret' };
  webhook = (await api.post('/webhooks', fields)).body.webhook_id;
});

// biome-ignore lint/suspicious/noExplicitAny: schemas and operations of the document
type Any = any;
type Place = 'query' | 'body';
type Operation = (typeof operations)[number];
type Bound = { place: Place; field: string; inList: boolean; bound: string; n: number };
const bounds = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

const schemasIn = ({ operation }: Operation, place: Place): Record<string, Any> => {
  if (place === 'body')
    return resolved(operation.requestBody?.content['application/json'].schema)?.properties ?? {};
  const named = (operation.parameters ?? []).map(resolved).filter((one: Any) => one.in === 'query');
  return Object.fromEntries(named.map(({ name, schema }: Any) => [name, schema]));
};
const requiredIn = ({ operation }: Operation, place: Place): string[] =>
  place === 'body'
    ? (resolved(operation.requestBody?.content['application/json'].schema)?.required ?? [])
    : (operation.parameters ?? [])
        .map(resolved)
        .flatMap((one: Any) => (one.in === 'query' && one.required ? one.name : []));

const ownBounds = (schema: Any) =>
  bounds.flatMap((bound) => (bound in schema ? [{ bound, n: schema[bound] }] : []));
const boundsOf = (one: Operation): Bound[] =>
  (['query', 'body'] as const).flatMap((place) =>
    Object.entries(schemasIn(one, place)).flatMap(([field, schema]) => [
      ...ownBounds(resolved(schema)).map((of) => ({ ...of, place, field, inList: false })),
      ...ownBounds(resolved(resolved(schema).items ?? {})).map((of) => ({
        ...of,
        place,
        field,
        inList: true,
      })),
    ]),
  );

let made = 0;
const unique = () => `unique-${made++}`;
/** Values of required fields that may be used once, or that depend on the test's data. */
const fixed: Record<string, () => unknown> = {
  idempotency_key: unique,
  external_reference: unique,
  request_id: unique,
  num_of_spins: () => 1,
  callback_url: () => 'https://hooks.example.com/',
  start: () => '2026-01-01',
  end: () => '2026-01-02',
};
const soundFields = (one: Operation, place: Place) =>
  Object.fromEntries(
    requiredIn(one, place).map((field) => {
      const sample = () => fc.sample(valid(schemasIn(one, place)[field]), { seed: 1, numRuns: 1 })[0];
      return [field, (fixed[field] ?? sample)()];
    }),
  );

const origin = (length: number, number = 0) => {
  const host = `${number}`.padEnd(40, 'x');
  return `https://${`${host}.`.repeat(9)}`
    .slice(0, length - 1)
    .replace(/\.$/, 'x')
    .concat('x');
};
/** White on the black accent, black on white: enough contrast. */
const colors: Record<string, string> = { brand_accent_text: '#ffffff', brand_background: '#ffffff' };
/** Makes a value of this size that only its size can make invalid. */
function sized(field: string, bound: string, size: number): unknown {
  if (/imum$/.test(bound)) return size;
  if (/Items$/.test(bound)) return Array.from({ length: size }, (_, index) => origin(60, index));
  if (field === 'frame_origins') return [origin(size)];
  if (size === 0) return '';
  if (field === 'brand_logo') return 'data:image/png;base64,'.padEnd(size, 'A').slice(0, size);
  if (/url/.test(field)) return 'https://hooks.example.com/'.padEnd(size, 'x').slice(0, size);
  if (/^brand_(?!name)/.test(field)) return (colors[field] ?? '#000000').padEnd(size, '0').slice(0, size);
  return unique().padEnd(size, 'x').slice(0, size);
}
/** A URL of one character is no URL, and a logo's base64 has a multiple of four characters after its name. */
const isOtherwiseInvalid = (field: string, size: number) =>
  (/^(callback_url|return_url|(rules|free_entry)_url_..)$/.test(field) && size > 0 && size < 20) ||
  (/^brand_(?!name|logo)/.test(field) && size > 0 && size < 7) ||
  ['next_token', 'after', 'after_sequence'].includes(field) ||
  field === 'brand_logo';

async function send({ path, method }: Operation, query: object, body: object | undefined) {
  const token = path.includes('{token}')
    ? (await api.post(`/users/${user}/games/play`, {})).body.url.split('/').at(-1)
    : '';
  const target = path.replace('{user_id}', user).replace('{webhook_id}', webhook).replace('{token}', token);
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const headers = { authorization: `Bearer ${api.apiKey}`, 'x-organization-id': api.organizationId };
  return raw({ method, target: `${target}?${search}`, headers, ...(body && { body: JSON.stringify(body) }) });
}

const ofBound = /(at most|at least|greater than|less than|must be positive)/;

describe.each(operations.filter((one) => boundsOf(one).length > 0))('$method $path', (one) => {
  test('refuses each field beyond its bounds, and takes it at them', async () => {
    for (const { place, field, bound, n, inList } of boundsOf(one)) {
      for (const size of [n - 1, n, n + 1]) {
        if (size < 0 && !/imum$/.test(bound)) continue;
        // A guest's spins run at once, which takes long.
        if (field === 'num_of_spins' && size === 99) continue;
        const isBeyond = /^min/.test(bound) ? size < n : size > n;
        const takesEither = one.method === 'GET' && place === 'body';
        const ofUser = field === 'after_sequence' ? { user_id: user } : {};
        const fields = { ...soundFields(one, place), ...ofUser, [field]: sized(field, bound, size) };
        const query = place === 'query' ? fields : takesEither ? {} : soundFields(one, 'query');
        const hasBody = one.method !== 'GET' || takesEither;
        const body = place === 'body' ? fields : hasBody ? soundFields(one, 'body') : undefined;
        const answer = await send(one, query, body);
        const { code, message } = answer.body;
        const isRefused = code === 'validation_failed' && ofBound.test(message);
        const about = `${field} ${inList ? 'item ' : ''}${bound} ${n}: ${size} gives ${answer.status} ${message}`;
        expect(isRefused, about).toBe(isBeyond);
        if (!isBeyond && !isOtherwiseInvalid(field, size)) expect(code, about).not.toBe('validation_failed');
      }
    }
  });
});

describe('the command line', () => {
  const max = Number.MAX_SAFE_INTEGER;
  const org = () => ['--org', api.organizationId];
  const ofUser = () => [...org(), '--user', user];
  type Option = { args: () => string[]; option: string; range: [number, number]; isLength?: true };
  const adjust = () => [...ofUser(), '--account', 'tickets', '--why', 'x'];
  const drawing = () => {
    const [closes, draws] = [30, 33].map((days) => addDays(dayOf(Date.now()), days));
    const terms = `--type truck --prize Truck --closes ${closes} --draws ${draws}T20:00 --dry-run`;
    return [...org(), ...terms.split(' ')];
  };
  const cost = () => [...org(), '--game', 'truck', '--dry-run'];
  const options: Record<string, Option> = {
    'user history --limit': { args: ofUser, option: 'limit', range: [1, 1000] },
    'webhooks calls --limit': {
      args: () => [...org(), '--from', new Date(Date.now() - 3_600_000).toISOString()],
      option: 'limit',
      range: [1, 1000],
    },
    'user adjust --amount': { args: adjust, option: 'amount', range: [-maxAmount, maxAmount] },
    'user adjust --once': {
      args: () => [...adjust(), '--amount', '1'],
      option: 'once',
      range: [1, 255],
      isLength: true,
    },
    'drawing announce --value-usd': {
      args: () => [...drawing(), '--winners', '1', '--claim-days', '9'],
      option: 'value-usd',
      range: [0, 1_000_000],
    },
    'drawing announce --winners': {
      args: () => [...drawing(), '--value-usd', '1', '--claim-days', '9'],
      option: 'winners',
      range: [1, 100],
    },
    'drawing forfeit --place': {
      args: () => [...org(), '--drawing', 'drw_none', '--why', 'x'],
      option: 'place',
      range: [1, 100],
    },
    'game set --cost': { args: cost, option: 'cost', range: [0, maxAmount] },
    'game limits --daily-cash': { args: org, option: 'daily-cash', range: [0, maxAmount] },
    'game limits --daily-spins': { args: org, option: 'daily-spins', range: [1, 1_000_000] },
    'game limits --daily-wins': { args: org, option: 'daily-wins', range: [0, 1_000_000] },
    'game unschedule --change': { args: org, option: 'change', range: [1, max] },
    'promotion set --cash-limit': {
      args: () => [
        ...org(),
        '--name',
        'x',
        '--first-day',
        '2099-01-01',
        '--last-day',
        '2099-01-01',
        '--dry-run',
      ],
      option: 'cash-limit',
      range: [0, maxAmount],
    },
    'prize list --limit': { args: org, option: 'limit', range: [1, 10_000] },
    'prize track --claim-days': { args: org, option: 'claim-days', range: [1, 3650] },
    'report winners --at-least': {
      args: () => [...org(), '--from', '2026-01-01', '--to', '2026-01-01'],
      option: 'at-least',
      range: [1, max],
    },
    'report taxes --threshold': {
      args: () => [...org(), '--year', '2025'],
      option: 'threshold',
      range: [1, max],
    },
    'org create --name': { args: () => [], option: 'name', range: [1, 100], isLength: true },
    'org suspend --why': {
      args: () => ['--org', 'org_none'],
      option: 'why',
      range: [1, 500],
      isLength: true,
    },
  };

  test.each(Object.entries(options))(
    'takes %s from its minimum to its maximum',
    async (name, { args, option, range, isLength }) => {
      const [noun = '', verb = ''] = name.split(' ');
      const [least, most] = range;
      for (const value of [least - 1, least, least + 1, most - 1, most, most + 1]) {
        const typed = isLength ? 'x'.repeat(value) : String(value);
        const { code, error } = await admin(noun, verb, ...args(), `--${option}`, typed);
        const isInRange = value >= least && value <= most;
        const isRefused = new RegExp(
          `--${option}:? (must be|is too long|is empty|.*(greater|less) than)`,
        ).test(error);
        expect(isRefused, `${value}: ${error}`).toBe(!isInRange);
        if (isRefused) expect(code).toBe(2);
      }
    },
  );

  test('names its numeric options here', () => {
    const isNumber = (placeholder: string) => /\b(number|USD|\d+ to)\b|^tickets$/.test(placeholder);
    const numeric = [...nouns].flatMap(([noun, { verbs }]) =>
      Object.entries(verbs).flatMap(([verb, { required, optional = {} }]) =>
        Object.entries({ ...required, ...optional }).flatMap(([option, placeholder]) =>
          isNumber(placeholder) ? [`${noun} ${verb} --${option}`] : [],
        ),
      ),
    );
    expect(numeric.filter((name) => !(name in options))).toEqual([]);
  });
});

describe('the client', () => {
  test.each([
    ['tries', 1, [false, true, true]],
    ['timeoutMs', 2 ** 31 - 1, [true, true, false]],
    ['timeoutMs', 1, [false, true, true]],
  ])('takes %s around %i', (option, n, taken) => {
    const takes = (value: number) => {
      try {
        return !!createClient({ baseUrl: 'https://api.example.com', [option]: value });
      } catch {
        return false;
      }
    };
    expect([n - 1, n, n + 1].map(takes)).toEqual(taken);
  });
});

const failing = { state: 'failing' as const, failing_since: new Date(0).toISOString(), missed_from: 0 };
const event = {
  event_id: 'e',
  event_type: 't',
  record: { user_id: 'u', list: 'tickets' as const, ulid: leastUlid(0) },
};
const now = 1e12;
const tooLong = (parsed: object) => 'fault' in parsed && parsed.fault === 'too_large';
const thrown = (work: () => unknown) => {
  try {
    work();
    return '';
  } catch (error) {
    return String(error);
  }
};

/** Thresholds that callers notice: exported constants, one below, at, and one above. */
const thresholds: [name: string, n: number, at: (value: number) => unknown, expected: unknown[]][] = [
  [
    'a receiver’s Retry-After is honored up to a day',
    maxRetryAfterSeconds,
    (retryAfter) => retryDelayAfter(1, { retryAfter, random: 0 }),
    [86_399, 86_400, 86_400],
  ],
  [
    'a receiver is paused ten seconds after its first failure',
    pausedAfterMs,
    (ms) => pausedIfDue(failing, ms).state,
    ['failing', 'paused', 'paused'],
  ],
  [
    'a receiver is switched off after five days',
    5 * 24 * 3_600_000,
    (ms) => pausedIfDue({ ...failing, state: 'paused' }, ms).state,
    ['paused', 'off', 'off'],
  ],
  [
    'a replay begins a minute before the failure, but not before the registration',
    replayMarginMs,
    (ms) => now - afterFailure(undefined, { event, waitSeconds: 0, created: now - ms }, now).missed_from,
    [replayMarginMs - 1, replayMarginMs, replayMarginMs],
  ],
  [
    'every 64th record of a kind has a milestone',
    recordsPerMilestone,
    (number) =>
      milestonesOf({
        organization_id: 'o',
        user_id: 'u',
        kind: 'tickets',
        number,
        transaction_id: `txn_${leastUlid(0)}`,
      } as Any).length,
    [0, 1, 0],
  ],
  [
    'a record is settled when it is older than a minute',
    settledAfterMs,
    (age) => ulidTimePart(now - age) < settledBefore(now),
    [false, false, true],
  ],
  [
    'a payload has at most 100 levels',
    maxPayloadLevels,
    (levels) => isInvocationPayload(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`),
    [true, true, false],
  ],
  [
    'a play URL is valid for 30 minutes',
    30 * 60_000,
    (age) => isPlayExpired({ expires_at: new Date(now + playUrlLifetimeMs).toISOString() } as Any, now + age),
    [false, true, true],
  ],
  [
    'a report’s page is refused beyond what Lambda can return',
    maxResponseBytes,
    // Lambda escapes the body as JSON text, in quotes.
    (bytes) => thrown(() => compressReport('x'.repeat(bytes - 2), undefined)) !== '',
    [false, false, true],
  ],
  [
    'a book is refused if it is too long',
    maxBookCharacters,
    (size) => tooLong(parseBook('x'.repeat(size))),
    [false, false, true],
  ],
  [
    'a head of records is refused if it is too long',
    maxRecordsHeadBytes,
    (size) => tooLong(parseRecordsHead('x'.repeat(size))),
    [false, false, true],
  ],
  [
    'a timestamp is refused if its token is too long',
    maxTimestampTokenBytes,
    (size) => /too long/.test(thrown(() => checkTimestampToken(new Uint8Array(size), new Uint8Array(32)))),
    [false, false, true],
  ],
  ...[200, 32_768].map((length): (typeof thresholds)[number] => [
    `a text of ${length} characters is stored and read unchanged`,
    length,
    (size) => {
      const item = { pk: 'a', sk: 'b', payload: 'ab€ '.repeat(size).slice(0, size) };
      return (unpackItem(packItem(item)) as Any).payload === item.payload;
    },
    [true, true, true],
  ]),
];

test.each(thresholds)('%s (%i)', (_, n, at, expected) => {
  expect([n - 1, n, n + 1].map(at)).toEqual(expected);
});

test('a replaced secret signs for 24 hours', async () => {
  expect([switchedOffAfterMs, secretRotationMs, playUrlLifetimeMs]).toEqual([
    432_000_000, 86_400_000, 1_800_000,
  ]);
  const fields = { callback_url: 'https://rotated.example.com/', secret_key: 'older' };
  const { webhook_id } = (await api.post('/webhooks', fields)).body;
  await updateWebhook(api.organizationId, webhook_id, { ...fields, secret_key: 'newer' }, now);
  const stored = await readWebhook(api.organizationId, webhook_id);
  const signing = [-1, 0, 1].map(
    async (ms) => (await decryptSecrets(stored, now + secretRotationMs + ms)).length,
  );
  expect(await Promise.all(signing)).toEqual([2, 1, 1]);
});

test('a request’s body has at most 64 KiB', async () => {
  const statuses: number[] = [];
  for (const more of [-1, 0, 1]) {
    const body = { external_reference: unique(), padding: '' };
    const padding = 'x'.repeat(maxBodyBytes + more - JSON.stringify(body).length);
    statuses.push((await api.post('/users', { ...body, padding })).status);
  }
  expect(statuses).toEqual([200, 200, 400]);
});
