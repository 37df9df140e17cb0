/** Sends invalid requests. The API must refuse each with a 4xx status and change nothing. */
import type { EndpointName } from '../../support/invoke.ts';
import type { Random } from '../random.ts';
import { type Caller, call, type Request } from './client.ts';
import type { Host, User } from './host.ts';
import { badUrls, deepPayload, unknownUlid } from './invalid-values.ts';
import { readUser } from './lists.ts';
import { idempotencyKey } from './random-input.ts';

export async function sendInvalidRequest(host: Host, user: User, random: Random): Promise<void> {
  const kind = random.weighted({ input: 6, id: 2, credentials: 1, link: 1 });
  await send(host, random.pick(mistakes[kind](host, user, random)), random);
}

/** Sends each kind of invalid request once. */
export async function sendEveryInvalidRequest(host: Host, user: User, random: Random): Promise<void> {
  await readUser(host, user, random, 'tickets', '1');
  for (const kind of Object.values(mistakes))
    for (const mistake of kind(host, user, random)) await send(host, mistake, random);
}

type Mistake = { request: Request & { mistake: string }; caller?: Caller };

async function send(host: Host, { request, caller = host.caller }: Mistake, random: Random): Promise<void> {
  await call(host.api, caller, request, random, host.habits);
}

/** Functions that create invalid requests with random invalid values, one function for each group of mistakes. */
const mistakes = {
  input: (host, user, random) => invalidInput.map((make) => ({ request: make(host, user, random) })),
  id: (host, user, random) =>
    [...ofUsers, ...ofWebhooks].map((endpoint) => ({ request: invalidId(endpoint, host, user, random) })),
  credentials: invalidCredentials,
  link: ({ caller }, _, random) =>
    invalidLinks(random).map((request) => ({
      request,
      caller: { organizationId: caller.organizationId },
    })),
} satisfies Record<string, (host: Host, user: User, random: Random) => Mistake[]>;

type Maker = (host: Host, user: User, random: Random) => Request & { mistake: string };

/** Returns a function that creates a request with the body `right`, but an invalid value in `field`. */
const wrongBody =
  (endpoint: EndpointName, right: object, field: string, values: readonly unknown[]): Maker =>
  (_, user, random) => {
    const keyed = 'idempotency_key' in right ? { idempotency_key: idempotencyKey(user, random) } : {};
    const value = random.pick(values);
    const body = { ...right, ...keyed, [field]: value };
    return { endpoint, path: { user_id: user.id }, body, mistake: `${field} is ${shortened(value)}` };
  };

/** Returns a function that creates a request with the query `right`, but an invalid value in `field`. */
const wrongQuery =
  (endpoint: EndpointName, right: Record<string, string>, field: string, values: readonly string[]): Maker =>
  (_, user, random) => {
    const query = { ...right, [field]: random.pick(values) };
    return { endpoint, path: { user_id: user.id }, query, mistake: `${field} is ${shortened(query[field])}` };
  };

const shortened = (value: unknown) => String(JSON.stringify(value)).slice(0, 60);

const keyed = { idempotency_key: '' };
const amounts = [0, -1, 1.5, '5', null, undefined, 1_000_000_001, 1e300, true, [1]];
const keys = ['', 'x'.repeat(256), undefined, null, 7, '\ud800'];
const numbers = [0, -3, 1.5, '3', 1001, undefined, null];
const dates = ['tomorrow', '', '2026-02-30', '2026-13-01T00:00:00Z', '10000-01-01', 1_770_000_000, null];
const references = ['', 'x'.repeat(256), undefined, null, 5, '\udc00'];
const limits = ['-1', '1001', 'ten', '1.5'];
const times = ['yesterday', '', '2026-02-30', '1969-12-31T00:00:00Z', '2026-01-01T00:00:00 01:00'];
const range = { start: '2026-01-01', end: '2026-02-01' };
const hook = { callback_url: 'https://never.hooks.example/', secret_key: 'secret' };

const invalidInput: readonly Maker[] = [
  wrongBody('tickets/credit', { amount: 1, ...keyed }, 'amount', amounts),
  wrongBody('tickets/debit', { amount: 1, ...keyed }, 'amount', amounts),
  wrongBody('entries/credit', { amount: 1, ...keyed }, 'amount', amounts),
  wrongBody('entries/credit', { amount: 1, ...keyed }, 'type', ['boat', '', null, 1]),
  wrongBody('tickets/credit', { amount: 1, ...keyed }, 'description', ['x'.repeat(501), 7, null]),
  wrongBody('tickets/credit', { amount: 1 }, 'idempotency_key', keys),
  wrongBody('entries/debit', { amount: 1 }, 'idempotency_key', keys),
  wrongBody('amoe/queue', { num_of_spins: 1 }, 'idempotency_key', keys),
  wrongBody('amoe/queue', { ...keyed }, 'num_of_spins', numbers),
  wrongBody('amoe/guest-queue', { ...keyed }, 'num_of_spins', numbers),
  wrongBody('amoe/guest-play', { ...keyed }, 'num_of_spins', [...numbers, 101]),
  wrongBody('amoe/queue', { num_of_spins: 1, ...keyed }, 'result_effective_date', dates),
  wrongBody('amoe/guest-play', { num_of_spins: 1, ...keyed }, 'result_effective_date', dates),
  wrongBody('users/create', {}, 'external_reference', references),
  wrongBody('users/update', {}, 'external_reference', references),
  wrongBody('games/play', {}, 'game', ['chess', '', null, 1]),
  wrongBody('games/play', {}, 'lang', ['fr', 'EN', null]),
  wrongBody('debug/play', {}, 'result', ['lose', undefined, null]),
  wrongBody('debug/play', { result: 'jackpot' }, 'valid_seconds', [0, 1801, 1.5, '60', null]),
  wrongBody('debug/daily-cash-limit', {}, 'cash_limit', [1.5, -1, '500', undefined, 1e10]),
  wrongBody('debug/daily-spin-limit', {}, 'on', ['yes', 1, undefined, null]),
  wrongBody('page/update', {}, 'return_url', ['http://localhost:3000/', 'javascript:alert(1)', 'x', null]),
  wrongBody('page/update', {}, 'frame_origins', [
    ['http://localhost:3000'],
    ['*'],
    'https://a.example',
    null,
  ]),
  wrongBody('page/update', {}, 'brand_logo', ['data:text/html;base64,PGI+', 'x'.repeat(12_001), 7]),
  wrongBody('page/update', { brand_accent: '#ffd23f' }, 'brand_accent_text', ['#ffffff', 'white', null]),
  wrongBody('webhooks/create', { secret_key: 'secret' }, 'callback_url', badUrls),
  wrongBody('webhooks/create', hook, 'secret_key', [
    '',
    'x'.repeat(256),
    'whsec_',
    'whsec_a-b_',
    undefined,
    null,
  ]),
  wrongBody('webhooks/create', hook, 'event', ['none', '', null]),
  wrongQuery('tickets/history', {}, 'limit', limits),
  wrongQuery('games/history', {}, 'limit', limits),
  wrongQuery('events/list', {}, 'limit', [...limits, '0']),
  wrongQuery('events/list', {}, 'after', ['7', 'nonsense', 'x'.repeat(2049)]),
  wrongQuery('games/history', {}, 'next_token', ['7', 'nonsense', 'x'.repeat(2049)]),
  wrongQuery('users/find', {}, 'external_reference', ['', 'x'.repeat(256)]),
  wrongQuery('webhooks/history', { end: '2026-01-01' }, 'start', [...times, '2026-01-02']),
  wrongQuery('webhooks/history', { start: '2026-01-01' }, 'end', times),
  wrongQuery('webhooks/history', range, 'event_type', ['all', 'invoke', '']),
  wrongQuery('webhooks/history', range, 'next_token', ['7', unknownUlid]),
  wrongQuery('webhooks/list', {}, 'next_token', ['0', unknownUlid]),
  wrongQuery('reports/tickets', range, 'start', [...times, '2026-02-02']),
  wrongQuery('reports/outcomes', {}, 'page', ['-1', '1.5', 'x', '1000000001']),
  wrongQuery('reports/outcomes', {}, 'page_size', ['0', '10001', '']),
  wrongQuery('reports/entries', {}, 'entry_type', ['boat', '']),
  ({ hosts }, user, random) => ({
    endpoint: 'games/history',
    path: { user_id: user.id },
    query: { next_token: random.pick(hosts).token?.token ?? 'none' },
    mistake: "next_token is another list's",
  }),
  ({ token, users }, user) => {
    const other = users.find((one) => one !== token?.of);
    return {
      endpoint: 'tickets/history',
      path: { user_id: (other ?? user).id },
      query: { next_token: (other && token?.token) ?? 'none' },
      mistake: "next_token is another user's",
    };
  },
  (_, user) => ({ endpoint: 'users/find', path: { user_id: user.id }, mistake: 'no external_reference' }),
  (_, user, random) => ({
    endpoint: random.pick(['tickets/credit', 'amoe/queue', 'webhooks/create', 'users/create'] as const),
    path: { user_id: user.id },
    body: random.pick([
      '',
      '[]',
      'null',
      '{"amount":1',
      'amount=1',
      '"text"',
      `{"a":"${'x'.repeat(65_536)}"}`,
    ]),
    mistake: 'the body is no JSON object, or too long',
  }),
  ({ webhooks }, _, random) => ({
    endpoint: 'webhooks/invoke',
    path: { webhook_id: webhooks[0]?.id ?? `wh_${unknownUlid}` },
    body: random.pick(['', '[]', 'null', '{"a":', 'text', deepPayload]),
    mistake: 'the payload is no JSON object, or too deep',
  }),
];

/** Creates a request with a user or webhook id that is unknown or belongs to another organization. */
function invalidId(
  endpoint: EndpointName,
  host: Host,
  user: User,
  random: Random,
): Request & { mistake: string } {
  const others = host.hosts.filter((other) => other !== host);
  const strangers = others.flatMap(({ users }) => users.slice(0, 5)).map(({ id }) => id);
  const theirs = others.flatMap(({ webhooks }) => webhooks).map(({ id }) => id);
  const ofUser = !endpoint.startsWith('webhooks');
  const [nobody, others_] = ofUser ? [`usr_${unknownUlid}`, strangers] : [`wh_${unknownUlid}`, theirs];
  const id = random.pick([
    nobody,
    'guest',
    user.id.toLowerCase(),
    `${user.id}0`,
    '..',
    ...others_,
    ...others_,
  ]);
  const body = { amount: 1, num_of_spins: 1, external_reference: user.reference, result: 'jackpot' };
  return {
    endpoint,
    path: ofUser ? { user_id: id } : { webhook_id: id },
    ...(!ofUser
      ? { body: endpoint === 'webhooks/update' ? hook : endpoint === 'webhooks/invoke' ? {} : undefined }
      : { body: isRead(endpoint) ? undefined : { ...body, idempotency_key: idempotencyKey(user, random) } }),
    mistake: `${id} is none of the organization's`,
  };
}

const ofUsers = [
  'users/get',
  'users/summary',
  'users/update',
  'tickets/credit',
  'tickets/debit',
  'tickets/balance',
  'tickets/history',
  'entries/credit',
  'entries/debit',
  'amoe/queue',
  'amoe/guest-play',
  'amoe/guest-queue',
  'games/play',
  'games/history',
  'games/check-eligibility',
  'debug/play',
] as const;
const ofWebhooks = ['webhooks/get', 'webhooks/update', 'webhooks/delete', 'webhooks/invoke'] as const;

const isRead = (endpoint: EndpointName) => /get$|summary$|balance$|history$|eligibility$/.test(endpoint);

/** Creates requests with a missing, wrong or revoked API key or a wrong organization id. */
function invalidCredentials({ caller, hosts, revokedKeys }: Host, user: User, random: Random): Mistake[] {
  const { organizationId, apiKey = '' } = caller;
  const other = random.pick(hosts).caller.organizationId;
  const callers: Caller[] = [
    { organizationId },
    { organizationId, apiKey: 'nonsense' },
    { organizationId, apiKey: `${apiKey.slice(0, -1)}${apiKey.endsWith('A') ? 'B' : 'A'}` },
    { organizationId, apiKey: apiKey.replace('staging', 'production') },
    { organizationId, apiKey, named: '' },
    { organizationId, apiKey, named: other === organizationId ? 'org_of-nobody' : other },
    ...revokedKeys.map((key) => ({ organizationId, apiKey: key })),
  ];
  const credit = () => ({
    endpoint: 'tickets/credit' as const,
    body: { amount: 1, idempotency_key: idempotencyKey(user, random) },
  });
  return callers.map((caller) => {
    const request = random.chance(0.5) ? { endpoint: 'tickets/balance' as const } : credit();
    const path = { user_id: user.id };
    return { request: { ...request, path, mistake: 'the credentials are not good' }, caller };
  });
}

/** Creates requests for a play URL that never existed. */
function invalidLinks(random: Random): (Request & { mistake: string })[] {
  const token = random.pick([random.bytes(32).toString('base64url'), 'nonsense', 'x'.repeat(43), '%2e%2e']);
  const wrong = { path: { token }, mistake: 'there is no such play' };
  return [
    { endpoint: 'play/open', ...wrong },
    { endpoint: 'play/spin', body: {}, ...wrong },
  ];
}
