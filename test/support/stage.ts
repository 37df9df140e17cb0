/** Starts a local stage in each test process, once for all its files. Each test creates its own organization in it. */
import { createRequire } from 'node:module';
import { type LocalStage, startLocalStage } from '../../infra/develop/local/stage.ts';
import { retryDelays } from '../../shared/webhooks/retry-schedule.ts';
import { type AnswerTableCall, answerTableCalls } from './table-calls.ts';
import { answerTableCall, startTableServer } from './table-server.ts';

/** Fields of `globalThis`, because Vitest can load this module once per test file. */
const here = globalThis as { testStage?: Promise<{ stage: LocalStage; answer: AnswerTableCall }> };
const onDynamodbLocal = process.env.DYNAMODB === 'local';

async function startTestStage() {
  // Shortens the first retry delay of a webhook delivery to a second, for fast tests.
  process.env.RETRY_DELAYS_SECONDS = [1, ...retryDelays.slice(1)].join();
  const tableName = 'incentives-tests';
  const stage = await startLocalStage({
    port: 0,
    timeoutFactor: 10,
    tableName,
    // Ignores events while a test file uses its own table: the functions run in this process and would use that table.
    wrapInvoke: (invoke) => async (name, event) =>
      name.startsWith('events/') && process.env.TABLE_NAME !== tableName ? undefined : invoke(name, event),
    ...(!onDynamodbLocal && { startDatabase: startTableServer }),
  });
  // The stage loads functions with `require`. They have other AWS clients than modules that Vitest loads.
  const forFunctions: typeof import('./table-calls.ts') = createRequire(import.meta.url)('./table-calls.ts');
  if (!onDynamodbLocal) forFunctions.answerTableCalls(stage.dynamodbEndpoint, answerTableCall);
  return { stage, answer: answerTableCall };
}

here.testStage ??= startTestStage();
const { stage, answer } = await here.testStage;
if (!onDynamodbLocal) answerTableCalls(stage.dynamodbEndpoint, answer);

export { stage };
