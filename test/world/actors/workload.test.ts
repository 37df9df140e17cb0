import { beforeEach, expect, test, vi } from 'vitest';
import { nouns } from '../../../infra/operate/admin/cli.ts';
import { routes } from '../../../shared/api/routes.ts';
import { createRandom } from '../random.ts';
import { dayMs, hourMs } from './action-times.ts';
import { defaultWeights, type Weights } from './actions.ts';
import { createFakeApi } from './fake-api.ts';
import { methodNames } from './host-client.ts';
import { drawWorkload, type Options, runWorkload } from './workload.ts';

beforeEach(() => {
  vi.stubEnv('STAGE', 'staging');
});

const start = '2026-03-07T15:00:00Z';
const options: Options = {
  until: Date.parse(start) + 5 * dayMs,
  organizations: 2,
  users: 20,
  actionsPerDay: 8,
  hostActionsPerDay: 60,
  operatorActionsPerDay: 20,
  momentShare: 0.2,
  arrivalMs: hourMs,
  webhooks: 3,
  hasReliableReceivers: false,
  habits: { duplicateChance: 0.02, repeatChance: 0.02, abandonChance: 0.1, badProxyChance: 0.1 },
  weights: defaultWeights,
};

/**
 * Commands that operators run only after the workload, or only if dead letters exist. They never run `book rehearse`,
 * which would date records before the world's start.
 */
const commandsOutsideWorkload = [
  'book rehearse',
  'report amoe',
  'report cash',
  'report day',
  'report liability',
  'stage kept',
  'webhooks parked',
];
const commandNames = [...nouns]
  .flatMap(([noun, { verbs }]) => Object.keys(verbs).map((verb) => `${noun} ${verb}`))
  .sort();

test('the workload uses every endpoint, every command and every method of the client', async () => {
  const { api, run } = createFakeApi(start);
  await run(runWorkload(api, options));
  expect([...new Set(api.journal.exchanges.map(({ endpoint }) => endpoint))].sort()).toEqual(
    Object.keys(routes)
      .filter((name) => name !== 'docs/open')
      .sort(),
  );
  const commands = api.journal.operatorCommands.map(({ args }) => args.slice(0, 2).join(' '));
  expect([...new Set([...commands, ...commandsOutsideWorkload])].sort()).toEqual(commandNames);
  expect([...new Set(api.journal.clientMethods)].sort()).toEqual([...methodNames].sort());
});

test('workloads differ between seeds, and keep the given options', () => {
  const drawn = Array.from({ length: 200 }, (_, seed) =>
    drawWorkload(createRandom(`${seed}`), { until: 5, users: 7 }),
  );
  expect(new Set(drawn.map(({ until, users }) => `${until} ${users}`))).toEqual(new Set(['5 7']));
  expect(new Set(drawn.map(({ weights }) => JSON.stringify(weights))).size).toBe(200);
  for (const name of Object.keys(defaultWeights) as (keyof Weights)[]) {
    expect(drawn.some(({ weights }) => weights[name] === 0)).toBe(true);
    expect(drawn.some(({ weights }) => weights[name] > defaultWeights[name])).toBe(true);
  }
});
