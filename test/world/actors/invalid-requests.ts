/** Sends invalid requests. The API must refuse each with a 4xx status and change nothing. */
import type { EndpointName } from '../../support/invoke.ts';
import type { Random } from '../../support/random.ts';
import { type Caller, call, type Request } from './client.ts';
import type { Host, User } from './host.ts';
import { readUser } from './lists.ts';
import { idempotencyKey } from './random-input.ts';

/** A valid ULID that no user or webhook has. */
const unknownUlid = '01JZZZZZZZZZZZZZZZZZZZZZZZ';
const hook = { callback_url: 'https://never.hooks.example/', secret_key: 'secret' };

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

const invalidInput: readonly Maker[] = [
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
    body: random.pick(['', '[]', 'null', '{"a":', 'text']),
    mistake: 'the payload is no JSON object',
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
