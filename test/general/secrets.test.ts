/** No log line, error response or command's output contains a key, a token, a body or a text about a person. */
import type { APIGatewayRequestAuthorizerEvent, Context, SQSEvent } from 'aws-lambda';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { handler as authorize } from '../../functions/authorizer.ts';
import { handler as publishEvents } from '../../functions/workers/publish-events.ts';
import { handler as sendWebhook } from '../../functions/workers/send-webhook.ts';
import { runCommand } from '../../infra/operate/admin/cli.ts';
import { getItem, putItem, tableClient } from '../../shared/table/client.ts';
import { userKey } from '../../shared/table/keys.ts';
import { invocationKey } from '../../shared/table/webhook-keys.ts';
import { changes, type Scene, sceneIn } from '../infra/operate/admin/support/changes.ts';
import { amoe } from '../round-trips/amoe.ts';
import { balances } from '../round-trips/balances.ts';
import { games } from '../round-trips/games.ts';
import { reports } from '../round-trips/reports.ts';
import { users } from '../round-trips/users.ts';
import { webhooks } from '../round-trips/webhooks.ts';
import { type Api, newOrganization, secretOf } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';
import { eventOf, invoke } from '../support/invoke.ts';
import { insertOf, transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

await useDeliveryQueue();
// biome-ignore lint/suspicious/noExplicitAny: whatever a request or an item has
type Any = any;

const planted = {
  reference: 'anna.planted-reference@example.com',
  description: 'planted-description-of-a-person',
  secret: 'planted-webhook-secret-key',
  query: 'planted-query-of-a-callback',
  seed: 'planted-client-seed',
  payload: 'planted-body-of-a-payload',
  brand: 'planted-brand-of-the-host',
};
const secrets = new Set<string>(Object.values(planted));

/** A text and how it looks within longer texts in Base64 (by its position) and in hex. */
const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
  ...[0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.from(`${'x'.repeat(offset)}${secret}`);
    // Leaves out characters that also depend on the bytes around.
    return (['base64', 'base64url'] as const).map((form) =>
      bytes.toString(form).slice(Math.ceil((offset * 4) / 3), Math.floor(bytes.length / 3) * 4),
    );
  }),
];
const leaksIn = (text: string, among: Iterable<string> = secrets) =>
  [...among].filter((secret) => formsOf(secret).some((form) => text.includes(form)));

let logged: string[];
let api: Api;
let scene: Scene;
beforeAll(async () => {
  api = await newOrganization();
  const user = await api.user(5);
  scene = await sceneIn(api, user, user);
});
beforeEach(() => {
  logged = [];
  vi.stubEnv('LOG_LEVEL', 'INFO');
  for (const name of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((...texts) => void logged.push(texts.map(String).join(' ')));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** An error of AWS with all that an SDK's error may have in its fields. */
const broken = () =>
  Object.assign(new Error('planted fault'), {
    Item: { ...planted },
    cause: Object.assign(new Error('cause'), planted),
  });

/** Runs `work` undisturbed, and then with each of its first calls to the table failing. Returns the results. */
async function withFaults<T>(work: () => Promise<T>, maxFaults: number): Promise<T[]> {
  const { result, calls } = await watchingCalls(tableClient, work);
  const results = [result];
  const steps = [...new Set([...Array(Math.min(maxFaults, calls.length)).keys(), calls.length - 1])];
  for (const failing of steps.filter((step) => step >= 0)) {
    const fault = (_: unknown, index: number) => (index === failing ? { instead: broken() } : undefined);
    results.push((await watchingCalls(tableClient, work, fault)).result);
  }
  return results;
}

const plantedFields: Record<string, string> = {
  external_reference: planted.reference,
  description: planted.description,
  secret_key: planted.secret,
  callback_url: `https://hooks.example.com/?key=${planted.query}`,
  client_seed: planted.seed,
  brand_name: planted.brand,
  hello: planted.payload,
};
const withPlanted = (fields: Any) =>
  fields &&
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plantedFields[name] ?? value]));

const endpoints = [...users, ...balances, ...games, ...reports, ...amoe, ...webhooks];
test.each(endpoints)(
  '$endpoint keeps secrets out of logs and errors, $when',
  async ({ endpoint, request }) => {
    const { organizationId } = api;
    const { body, query, ...made } = await request((await newOrganization()).organizationId);
    const known = new Set([...secrets, ...[made.path?.token ?? ''].filter((token) => token.length > 20)]);
    const asked = { organizationId, ...made, body: withPlanted(body), query: withPlanted(query) };
    const answers = await withFaults(() => invoke(endpoint, asked), 2);
    for (const { status, body } of answers)
      if (status >= 400) expect(leaksIn(JSON.stringify(body), known)).toEqual([]);
    if (body) {
      const [folder, file] = endpoint.split('/');
      const { handler } = await import(`../../functions/${folder}/${file}.ts`);
      const cut = {
        ...eventOf(endpoint, asked),
        body: JSON.stringify({ ...plantedFields, ...asked.body }).slice(0, -2),
      };
      const answer = await handler(cut, {} as Context);
      expect(leaksIn(answer.body, known)).toEqual([]);
    }
    expect(leaksIn(logged.join('\n'), known)).toEqual([]);
  },
);

test('the authorizer logs no key', async () => {
  const event = {
    type: 'REQUEST',
    methodArn: 'arn:x/local/GET/y',
    headers: { Authorization: `Bearer ${api.apiKey}` },
  };
  const asking = () => authorize(event as unknown as APIGatewayRequestAuthorizerEvent).catch(String);
  const results = await withFaults(asking, 3);
  expect(results.some((result) => typeof result === 'string')).toBe(true);
  expect(
    leaksIn(logged.concat(results.slice(1).map(String)).join('\n'), [api.apiKey, secretOf(api.apiKey)]),
  ).toEqual([]);
});

test('the workers of webhooks log neither payloads nor secrets nor the query of a callback', async () => {
  const { organizationId } = api;
  const fields = { callback_url: `http://127.0.0.1:1/?key=${planted.query}`, secret_key: planted.secret };
  const { webhook_id } = (await api.post('/webhooks', fields)).body;
  const user = { ...userOf(organizationId, 'usr_planted'), external_reference: planted.reference };
  const { record } = await transactionOf(user, 'tickets', Date.now() + 1000, planted.description);
  await writeRecords([record as Written]);
  await putItem({
    ...invocationKey(organizationId, 'inv_planted'),
    payload: JSON.stringify({ a: planted.payload }),
  });
  const delivery = { organization_id: organizationId, webhook_id, attempt: 8 };
  const ulid = (record as Any).transaction_id.slice(4);
  const bodies = [
    { ...delivery, event_id: 'inv_planted', event_type: 'invoke' },
    {
      ...delivery,
      event_id: `evt_${ulid}`,
      event_type: 'balance_updated',
      record: { user_id: 'usr_planted', list: 'tickets', ulid },
    },
    { ...delivery, event_id: planted.payload },
  ];
  const messages = bodies.map((body, index) => ({ messageId: String(index), body: JSON.stringify(body) }));
  await withFaults(() => sendWebhook({ Records: messages } as SQSEvent).catch(() => undefined), 4);
  await withFaults(() => publishEvents({ Records: [insertOf(record)] }).catch(() => undefined), 3);
  expect(logged.length).toBeGreaterThan(4);
  expect(leaksIn(logged.join('\n'))).toEqual([]);
});

/** Commands that only read, and print what belongs to an organization or a user. */
const reads: Record<string, (scene: Scene) => string[]> = {
  'key list': ({ org }) => ['--org', org],
  'org list': () => [],
  'page show': ({ org }) => ['--org', org],
  'user find': ({ org, user }) => ['--org', org, '--user', user],
  'user history': ({ org, user }) => ['--org', org, '--user', user],
  'webhooks list': ({ org }) => ['--org', org],
  'audit list': ({ org }) => ['--org', org],
  'game show': ({ org }) => ['--org', org],
};

test.each(Object.entries({ ...reads, ...changes }))(
  '%s prints no key, token or secret',
  async (name, example) => {
    const stored = (await getItem<Any>(userKey(scene.org, scene.user)))!;
    const token = scene.url.split('/').at(-1)!;
    const known = [api.apiKey, secretOf(api.apiKey), token, 'planted-webhook-secret-key', stored.text_key];
    const isChange = name in changes;
    const args = [
      ...name.split(' '),
      ...example(scene),
      ...(isChange ? ['--why', 'x'] : []),
      '--stage',
      'local',
    ];
    const printed: string[] = [];
    const output = {
      out: (text: string) => void printed.push(text),
      error: (text: string) => void printed.push(text),
    };
    await withFaults(() => runCommand(args, output), 1);
    expect(printed.length).toBeGreaterThan(0);
    expect(leaksIn([...printed, ...logged].join('\n'), known)).toEqual([]);
  },
);
