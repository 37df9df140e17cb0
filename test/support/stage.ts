/**
 * Starts a local stage in each test process, once for all its files. Each test creates its own organization in it.
 * Table calls need no connection this way, and Stryker's mutants, which are active in one process, reach the stage.
 */
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { startLocalStage } from '../../infra/develop/local/stage.ts';
import { retryDelaySeconds } from '../../shared/webhooks/retry-schedule.ts';
import { answerTableCall, startTableServer } from './dynamodb/server.ts';
import { answerTableCalls } from './table-calls.ts';

/** Fields of `globalThis`, because Vitest can load this module once per test file. */
const here = globalThis as { testStage?: ReturnType<typeof startTestStage> };
const onDynamodbLocal = process.env.DYNAMODB === 'local';

/**
 * Returns whether the process's table and queues are those of the stage. While a test file uses its own table or
 * queues, the stage's workers wait, because they run in this process and would use the test file's, too.
 */
const isOfStage = (environment: Record<string, string>) =>
  Object.entries(environment).every(
    ([name, value]) => !/^(TABLE_NAME|QUEUE_URL|DEAD_LETTER_URL)/.test(name) || process.env[name] === value,
  );

async function startTestStage() {
  // Shortens the first retry delay of a webhook delivery to a second, for fast tests.
  process.env.RETRY_DELAYS_SECONDS = [1, ...retryDelaySeconds.slice(1)].join();
  let environment: Record<string, string> = {};
  const running = new Set<Promise<unknown>>();
  const stage = await startLocalStage({
    port: 0,
    timeoutFactor: 10,
    wrapInvoke: (invoke) => async (name, event) => {
      if (!name.startsWith('workers/')) return invoke(name, event);
      while (!isOfStage(environment)) await setTimeout(100);
      const invocation = invoke(name, event);
      running.add(invocation);
      const end = () => running.delete(invocation);
      invocation.then(end, end);
      return invocation;
    },
    ...(!onDynamodbLocal && { startDatabase: startTableServer }),
  });
  environment = stage.environment;
  // The stage loads functions with `require`. They have other AWS clients than modules that Vitest loads.
  const forFunctions: typeof import('./table-calls.ts') = createRequire(import.meta.url)('./table-calls.ts');
  if (!onDynamodbLocal) forFunctions.answerTableCalls(stage.dynamodbEndpoint, answerTableCall);
  return { stage, answer: answerTableCall, running };
}

here.testStage ??= startTestStage();
const { stage, answer, running } = await here.testStage;
if (!onDynamodbLocal) answerTableCalls(stage.dynamodbEndpoint, answer);

/** Waits until running workers have ended, but at most 20 s, because some call webhook receivers that never respond. */
const untilEventsEnd = async (): Promise<void> => {
  await Promise.race([Promise.allSettled(running), setTimeout(20_000)]);
};

export { stage, untilEventsEnd };
