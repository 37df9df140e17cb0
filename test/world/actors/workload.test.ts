import { beforeEach, expect, test, vi } from 'vitest';
import { routes } from '../../../shared/api/routes.ts';
import { createRandom } from '../random.ts';
import { dayMs, hourMs } from './action-times.ts';
import { usualWeights, type Weights } from './actions.ts';
import { createFakeApi, type FakeApi } from './fake-api.ts';
import { finalRequests } from './final-requests.ts';
import { drawWorkload, type Options, runWorkload } from './workload.ts';

beforeEach(() => {
  vi.stubEnv('STAGE', 'staging');
});

const start = '2026-03-07T15:00:00Z';
const none = Object.fromEntries(Object.keys(usualWeights).map((name) => [name, 0])) as Weights;
const usual: Omit<Options, 'until'> = {
  organizations: 2,
  users: 20,
  actionsPerDay: 8,
  hostActionsPerDay: 60,
  operatorActionsPerDay: 20,
  midnightShare: 0.2,
  arrivalMs: hourMs,
  webhooks: 3,
  unaffectedByStorms: false,
  habits: { duplicateChance: 0.02, repeatChance: 0.02, abandonChance: 0.1 },
  weights: usualWeights,
};

async function live(given: Partial<Options> = {}, fake: FakeApi = createFakeApi({ start }), days = 3) {
  const options = { ...usual, until: Date.parse(start) + days * dayMs, ...given };
  await fake.run(runWorkload(fake.api, options));
  return fake;
}

const journalOf = async (fake: Promise<FakeApi>) => (await fake).api.journal;
const endpointsOf = ({ api }: FakeApi) => new Set(api.journal.exchanges.map(({ endpoint }) => endpoint));

test('the workload uses every endpoint and command', async () => {
  const fake = await live({}, createFakeApi({ start }), 5);
  expect([...endpointsOf(fake)].sort()).toEqual(
    Object.keys(routes)
      .filter((name) => name !== 'docs/open')
      .sort(),
  );
  const commands = fake.api.journal.operatorCommands.map(({ args }) => args.slice(0, 2).join(' '));
  expect([...new Set(commands)].sort()).toEqual([
    'game limits',
    'game pause',
    'game resume',
    'game scheduled',
    'game set',
    'game show',
    'game unschedule',
    'key create',
    'key list',
    'key revoke',
    'org create',
    'org resume',
    'org suspend',
    'outcome verify',
    'play restore',
    'play void',
    'reports rebuild',
    'user adjust',
    'user cancel-spins',
    'user erase',
    'user freeze',
    'user restore-spins',
    'user unfreeze',
    'user verify',
    'webhooks drop-secret',
    'webhooks limit',
    'webhooks replay',
  ]);
});

test('invalid requests, and no others, are refused as invalid', async () => {
  const { exchanges } = await journalOf(
    live({ weights: { ...usualWeights, sendInvalidRequest: 60 } }, undefined, 6),
  );
  const wrong = exchanges.filter(({ mistake, answer }) => {
    const refused = answer && answer.status >= 400 && answer.status < 500;
    // Valid requests may also get a 401 or 404, because of a concurrent change such as a revoked key.
    return mistake ? !refused : refused && ![401, 404].includes(answer.status);
  });
  expect(
    wrong.map(({ endpoint, query, body, mistake, answer }) => ({ endpoint, query, body, mistake, answer })),
  ).toEqual([]);
  expect(new Set(exchanges.map(({ mistake }) => mistake)).size).toBeGreaterThan(120);
});

test('without users and actions, only organizations are created', async () => {
  const { exchanges, operatorCommands } = await journalOf(live({ users: 0, weights: none }));
  expect(exchanges).toEqual([]);
  expect(operatorCommands.map(({ args }) => args)).toEqual([
    ['org', 'create', '--name', 'host0'],
    ['org', 'create', '--name', 'host1'],
  ]);
});

test('with all weights at zero, users are created and nothing else', async () => {
  const habits = { duplicateChance: 0, repeatChance: 0, abandonChance: 0 };
  const { exchanges } = await journalOf(live({ users: 31, organizations: 3, weights: none, habits }));
  const made = exchanges.filter(({ endpoint }) => endpoint === 'users/create');
  expect(new Set(made.map(({ body }) => body.external_reference)).size).toBe(31);
  expect(new Set(made.map(({ organizationId }) => organizationId)).size).toBe(3);
  expect(exchanges.filter(({ endpoint }) => !endpoint.startsWith('users/'))).toEqual([]);
});

test('a workload can consist of one action', async () => {
  const fake = await live({ weights: { ...none, queueSpins: 1 } });
  expect(endpointsOf(fake)).toEqual(new Set(['users/create', 'amoe/queue']));
});

test('a receiver exists before its URL is registered', async () => {
  const { api, behaviors } = await live({ weights: { ...none, register: 1, update: 1, remove: 1 } });
  const urls = api.journal.exchanges.flatMap(({ body }) => body?.callback_url ?? []);
  expect(urls.length).toBeGreaterThan(20);
  for (const url of urls) {
    expect(behaviors.has(url)).toBe(true);
    expect(new URL(url).href).toBe(url);
  }
});

test('after the end only the final event and retries are sent', async () => {
  const { exchanges } = await journalOf(live());
  const until = Date.parse(start) + 3 * dayMs;
  const firsts = exchanges.filter(({ intent }, index) => intent === index);
  expect(Math.max(...firsts.map(({ sentAt }) => sentAt))).toBeLessThan(until + 2 * hourMs);
});

test('a workload ends even if every second answer is lost', async () => {
  const fake = createFakeApi({ start, instead: (_, number) => (number % 2 === 0 ? 'lost' : undefined) });
  const { exchanges } = await journalOf(live({}, fake));
  expect(exchanges.filter(({ answer }) => !answer).length).toBeGreaterThan(exchanges.length / 3);
});

test('a failed creation of an organization is retried', async () => {
  let tries = 0;
  const admin = () => (++tries < 4 ? { exitCode: 1, printed: '' } : undefined);
  const { operatorCommands } = await journalOf(
    live({ organizations: 1, users: 1 }, createFakeApi({ start, admin })),
  );
  expect(operatorCommands.slice(0, 4).map(({ exitCode }) => exitCode)).toEqual([1, 1, 1, 0]);
});

test('workloads differ between seeds, and keep the given options', () => {
  const drawn = Array.from({ length: 200 }, (_, seed) =>
    drawWorkload(createRandom(`${seed}`), { until: 5, users: 7 }),
  );
  expect(new Set(drawn.map(({ until, users }) => `${until} ${users}`))).toEqual(new Set(['5 7']));
  expect(new Set(drawn.map(({ weights }) => JSON.stringify(weights))).size).toBe(200);
  for (const name of Object.keys(usualWeights) as (keyof Weights)[]) {
    expect(drawn.some(({ weights }) => weights[name] === 0)).toBe(true);
    expect(drawn.some(({ weights }) => weights[name] > usualWeights[name])).toBe(true);
  }
});

test('the final requests read everything, page by page', async () => {
  const fake = await live();
  const { exchanges } = fake.api.journal;
  const before = exchanges.length;
  const asked = finalRequests(fake.api);
  await fake.run(asked);
  const final = await asked;
  expect(final).toEqual(exchanges.slice(before));
  expect(final.filter(({ answer }) => answer?.status !== 200)).toEqual([]);
  const created = exchanges
    .slice(0, before)
    .filter(({ endpoint, answer }) => endpoint === 'users/create' && answer?.status === 200);
  const balances = final
    .filter(({ endpoint }) => endpoint === 'tickets/balance')
    .map(({ path }) => path.user_id);
  expect(balances).toEqual(expect.arrayContaining(created.map(({ answer }) => answer!.body.user_id)));
  // The fake API returns two pages of each list, so each history takes two requests.
  const histories = final.filter(({ endpoint }) => endpoint === 'games/history');
  expect(histories.length).toBe(2 * balances.length);
  expect(final.filter(({ endpoint }) => endpoint === 'play/open').length).toBeGreaterThan(10);
  expect(final.filter(({ endpoint }) => endpoint === 'play/spin')).toEqual([]);
});
