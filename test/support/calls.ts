import type { client as tableClient } from '../../shared/table/client.ts';

/** One call to DynamoDB: its operation, the actions it needs to be granted, and the index that it reads. */
export type Call = { operation: string; actions: string[]; index: boolean };
/** What happens to a call: an error instead of it, an error after it (its answer is lost), or an answer of ours. */
export type Fault = { instead?: Error; after?: Error; answer?: object } | undefined;

// biome-ignore lint/suspicious/noExplicitAny: the inputs of all operations
type Input = any;

/** Sees every call of the table's client while `run` runs, and lets a fault befall it. */
export async function watchingCalls<T>(
  client: typeof tableClient,
  run: () => Promise<T>,
  fault: (call: Call, index: number) => Fault | Promise<Fault> = () => undefined,
): Promise<{ result: T; calls: Call[] }> {
  const calls: Call[] = [];
  const name = 'watchingCalls';
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const call = callOf(String(context.commandName), args.input);
      const befalls = await fault(call, calls.push(call) - 1);
      if (befalls?.instead) throw befalls.instead;
      if (befalls?.answer) return { output: { $metadata: {}, ...befalls.answer }, response: {} } as never;
      const answer = next(args);
      if (!befalls?.after) return answer;
      // A refusal is lost as any other answer is.
      await answer.catch(() => {});
      throw befalls.after;
    },
    // Around all else, so that the SDK's own retries are one call, as they are for who pays for them.
    { step: 'initialize', priority: 'high', name },
  );
  try {
    return { result: await run(), calls };
  } finally {
    client.middlewareStack.remove(name);
  }
}

/** Runs something while every read that need not be consistent is of a copy that has nothing yet. */
export async function whileCopiesLag<T>(client: typeof tableClient, run: () => Promise<T>): Promise<T> {
  const name = 'whileCopiesLag';
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { ConsistentRead, IndexName } = args.input as Input;
      const { Items } = answer.output as { Items?: unknown[] };
      if (!ConsistentRead && !IndexName) Items?.splice(0);
      return answer;
    },
    { step: 'initialize', name },
  );
  try {
    return await run();
  } finally {
    client.middlewareStack.remove(name);
  }
}

function callOf(commandName: string, input: Input): Call {
  const operation = commandName.replace(/Command$/, '');
  return { operation, actions: actionsOf(operation, input), index: input.IndexName !== undefined };
}

const actionOfPart: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function actionsOf(operation: string, input: Input): string[] {
  if (operation !== 'TransactWriteItems') return [operation];
  return input.TransactItems.map((part: object) => actionOfPart[Object.keys(part)[0] ?? ''] ?? 'unknown');
}
