import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PanelStep, ServerEvent } from '../../../../infra/develop/demo/model.ts';
import { type RunningDemo, startDemo } from '../../../../infra/develop/demo/server.ts';
import { askAsAnyProgram, type Headers } from '../../../support/any-program.ts';
import { type Api, baseUrl, newOrganization } from '../../../support/api.ts';
import { eventually } from '../../../support/eventually.ts';

let api: Api;
let demo: RunningDemo;
let link: URL;
let stream: { events: () => ServerEvent[]; raw: () => string };
beforeAll(async () => {
  api = await newOrganization();
  demo = await start(api);
  link = new URL(demo.link);
  await post('/session', { person: 'ana' });
  stream = await listen();
});
afterAll(() => demo.stop());

const start = ({ apiKey, organizationId }: Api) => startDemo({ baseUrl, apiKey, organizationId });

const ask = (method: string, path: string, headers?: Headers, body?: string) =>
  askAsAnyProgram(link, { method, path, ...(headers ? { headers } : {}), body });

const cookie = () => `golondrina-${link.port}=ana`;
const ofPage = (): Headers => ({
  cookie: cookie(),
  origin: link.origin,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'x-incentives-page': '1',
});
const post = (path: string, body: unknown, headers = ofPage()) =>
  ask('POST', path, headers, JSON.stringify(body));

/** Opens the stream of server-sent events for a page on which Ana is signed in. */
async function listen() {
  const response = await fetch(`${demo.link}events`, { headers: { cookie: cookie() } });
  let raw = '';
  const read = async () => {
    for await (const chunk of response.body!) raw += Buffer.from(chunk).toString();
  };
  // Ignores the error that reading the event stream raises when the server stops.
  read().catch(() => undefined);
  const events = () =>
    raw
      .split('\n\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line.slice('data: '.length)) as ServerEvent);
  return { events, raw: () => raw };
}

const steps = () => stream.events().flatMap((event) => (event.type === 'step' ? [event.step] : []));
const stepOf = (title: RegExp): Promise<PanelStep> =>
  eventually(() => {
    const found = steps().find((step) => title.test(step.title));
    if (!found) throw new Error(`no step ${title}`);
    return found;
  });
const account = () => stream.events().findLast((event) => event.type === 'account')!.account;
const transfer = { do: 'send', transfer: crypto.randomUUID(), to: 'mama', usd: 50, lang: 'es' };

describe('a transfer', () => {
  test('earns tickets once, however often it is sent, and shows the request to send again', async () => {
    for (let sent = 0; sent < 2; sent++) expect((await post('/actions', transfer)).status).toBe(200);
    const step = await stepOf(/^A transfer of \$50 earns 5 tickets$/);
    expect(step).toMatchObject({
      kind: 'calls',
      calls: [{ status: 200, answer: { new_ticket_balance: 5 } }],
    });
    const { code, curl } = (step as PanelStep & { kind: 'calls' }).calls[0]!;
    expect(code).toContain('await incentives.tickets.credit({\n');
    expect(code).toContain("  description: 'Envío de $50 a Mamá',\n");
    expect(curl).toContain('-H "Authorization: Bearer $API_KEY"');
    await eventually(() => expect(account().tickets).toBe(5));
  });

  test('is reported by a webhook with a verified signature', async () => {
    const step = await stepOf(/^balance_updated$/);
    expect(step).toMatchObject({
      isVerified: true,
      note: 'tickets shown: 5',
      headers: { 'webhook-id': expect.stringMatching(/^evt_/) },
      payload: { data: { external_reference: 'golondrina-ana', new_balance: 5 } },
    });
  });
});

test('a webhook with an invalid signature is refused, and changes nothing', async () => {
  const headers = {
    'webhook-id': 'evt_forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,Z3Vlc3M=',
  };
  const event = { type: 'cash_won', data: { user_id: 'any', cash_usd: 1 } };
  const { status } = await ask('POST', '/webhooks/incentives', headers, JSON.stringify(event));
  expect(status).toBe(400);
  expect(await stepOf(/^Webhook with an invalid signature$/)).toMatchObject({ isVerified: false });
  expect(account().winnings_usd).toBe(0);
});

describe('a request is refused', () => {
  test.each([
    ['a name that resolves to this machine', { host: 'rebound.example' }, 421],
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['the page in the frame', { origin: baseUrl, 'sec-fetch-site': 'same-site' }, 403],
    ['a form', { 'content-type': 'text/plain' }, 403],
    ['a page without a signed-in person', { cookie: '' }, 401],
  ])('from %s', async (_, headers: Headers, status) => {
    expect((await post('/actions', transfer, { ...ofPage(), ...headers })).status).toBe(status);
  });

  test('from an unknown person', async () => {
    const headers = { ...ofPage(), cookie: `golondrina-${link.port}=toString` };
    expect((await post('/actions', transfer, headers)).status).toBe(401);
  });

  test('to the event stream, from another origin', async () => {
    expect((await ask('GET', '/events', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test.each([
    [{ do: 'send', transfer: 'x', to: 'mama', usd: 50, lang: 'es' }],
    [{ ...transfer, usd: 1_000_000 }],
    [{ do: 'queue', request: crypto.randomUUID(), spins: 1000, game: 'truck' }],
    [{ do: 'play', game: 'constructor', lang: 'en' }],
    [{ do: 'constructor' }],
    [[]],
  ])('if it is %j', async (body) => {
    expect((await post('/actions', body)).status).toBe(422);
    expect((await post('/session', body)).status).toBe(422);
  });
});

test('free spins run on request for the demo, and for no other organization', async () => {
  const other = await newOrganization();
  const user = await other.user();
  await other.post(`/users/${user}/game/queue`, { num_of_spins: 1, idempotency_key: 'queue' });
  await post('/actions', { do: 'queue', request: crypto.randomUUID(), spins: 1, game: 'truck' });
  await eventually(() => expect(account().waiting_spins).toBe(1));
  expect((await post('/actions', { do: 'spin-run' })).body).toBe('{}');
  await eventually(() => expect(account().waiting_spins).toBe(0));
  const runs = steps().filter(({ title }) => title === 'Test: run the queued free spins now');
  expect(runs).toMatchObject([{ calls: [{ request: 'POST /debug/spin-run', answer: { started: 1 } }] }]);
  expect((await other.get(`/users/${user}/summary`)).body.queued_spins).toMatchObject({ total: 1, due: 0 });
});

test('a refusal by the API is returned with its code', async () => {
  const body = { person: 'rosa' };
  await post('/session', body);
  const headers = { ...ofPage(), cookie: `golondrina-${link.port}=rosa` };
  const answer = await post('/actions', { do: 'play', game: 'prizewheel', lang: 'en' }, headers);
  expect(JSON.parse(answer.body)).toEqual({ refused: 'insufficient_tickets' });
});

test('browsers receive neither the key nor a secret, and may frame only the API', async () => {
  const own = (path: string) => ask('GET', path, { cookie: cookie() });
  const texts = await Promise.all(['/', '/demo.js', '/demo.css'].map(own));
  for (const { status, body, headers } of texts) {
    expect([status, body.includes(api.apiKey), body.includes('whsec_')]).toEqual([200, false, false]);
    expect(headers['content-security-policy']).toContain(`; frame-src ${baseUrl}`);
    expect(headers['content-security-policy']).not.toContain('unsafe');
  }
  await stepOf(/registers its webhook/);
  expect(stream.raw()).toContain('$WEBHOOK_SECRET');
  expect([stream.raw().includes(api.apiKey), stream.raw().includes('whsec_')]).toEqual([false, false]);
});
