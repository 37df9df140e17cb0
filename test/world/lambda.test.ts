import { describe, expect, it } from 'vitest';
import { createFaults, type FaultRates } from './faults.ts';
import { createLambda } from './lambda.ts';
import { createPackages } from './packages.ts';
import { createRandom } from './random.ts';
import type { Bundle } from './sandbox.ts';
import { createTimeline } from './timeline.ts';

/** Creates a simulated Lambda with one function, which calls `work` with the invocation's number, from 1. */
function lambdaWith(work: (invocation: number) => unknown) {
  const timeline = createTimeline(0, createRandom('time'));
  const broken: string[] = [];
  let invocations = 0;
  const bundle: Bundle = () => ({ handler: async () => work(++invocations) });
  const lambda = createLambda({
    functions: [
      {
        name: 'worker',
        versions: [{ bundle, packages: () => ({}) }],
        access: {},
        environment: {},
        timeoutSeconds: 10,
      },
    ],
    timeline,
    random: createRandom('lambda'),
    faults: createFaults({} as FaultRates, createRandom('faults'), timeline.now),
    packages: createPackages(),
    network: () => () => {},
    resolve: async () => [],
    print: () => {},
    trace: () => {},
    onViolation: (rule, detail) => broken.push(`${rule}: ${detail}`),
  });
  const invoke = async () => {
    let answer: Promise<unknown> | undefined;
    timeline.after(0, () => {
      answer = lambda.invoke('worker', {}).catch((error: Error) => error.message);
    });
    await timeline.runUntil(timeline.now() + 60_000);
    return answer;
  };
  return { invoke, lambda, broken };
}

const failing = (work: () => unknown) => lambdaWith((invocation) => (invocation === 1 ? work() : 'done'));
const throwing = (message: string) => () => {
  throw new Error(message);
};

describe('a function whose calls succeed', () => {
  it.each([
    ['throws', throwing('no reason')],
    ['answers with a status from 500', () => ({ statusCode: 503, body: '{}' })],
    ['reports a message as failed', () => ({ batchItemFailures: [{ itemIdentifier: '7' }] })],
  ])('breaks a rule if it %s', async (_, work) => {
    const { invoke, broken } = failing(work);
    await invoke();
    expect(broken).toEqual([expect.stringMatching('a function does not fail if its calls succeed')]);
  });

  it.each([
    ['refuses a request', () => ({ statusCode: 409, body: '{}' })],
    ['has done all messages', () => ({ batchItemFailures: [] })],
    ['lets nobody in', throwing('Unauthorized')],
  ])('breaks no rule if it %s', async (_, work) => {
    const { invoke, broken } = failing(work);
    await invoke();
    expect(broken).toEqual([]);
  });
});

it('an instance is reused after its handler has thrown', async () => {
  const { invoke, lambda } = failing(throwing('no reason'));
  expect(await invoke()).toBe('no reason');
  expect(await invoke()).toBe('done');
  expect(lambda.started()).toBe(1);
});
