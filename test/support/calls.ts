import { vi } from 'vitest';
import type { tableClient } from '../../shared/table/client.ts';

/** A DynamoDB call: its operation, the IAM actions that it needs, and whether it reads an index. */
export type Call = { operation: string; actions: string[]; index: boolean };
/** A fault in a call. `instead` and `answer` replace the call; `after` is thrown after the call. */
export type Fault = { instead?: Error; after?: Error; answer?: object } | undefined;

// biome-ignore lint/suspicious/noExplicitAny: the inputs of all operations
type Input = any;

/** Records the client's DynamoDB calls during `run`. For each call, `fault` can return a fault to inject. */
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
      const injected = await fault(call, calls.push(call) - 1);
      if (injected?.instead) throw injected.instead;
      if (injected?.answer) return { output: { $metadata: {}, ...injected.answer }, response: {} } as never;
      const answer = next(args);
      if (!injected?.after) return answer;
      // Ignores an error of the call itself, because the caller gets `after` instead.
      await answer.catch(() => {});
      throw injected.after;
    },
    // The middleware runs around the SDK's retries, so that all attempts of a call count as one call.
    { step: 'initialize', priority: 'high', name },
  );
  try {
    return { result: await run(), calls };
  } finally {
    client.middlewareStack.remove(name);
  }
}

/** Calls `run` while each query takes `ms` milliseconds by `Date`. */
export function whileQueriesTake<T>(ms: number, client: typeof tableClient, run: () => Promise<T>) {
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now);
  return watchingCalls(client, run, ({ operation }) => {
    if (operation === 'Query') now += ms;
    return undefined;
  }).finally(() => clock.mockRestore());
}

/**
 * Calls `run` while eventually consistent reads of the table (not of indexes) return nothing, like a stale
 * replica.
 */
export async function whileCopiesLag<T>(client: typeof tableClient, run: () => Promise<T>): Promise<T> {
  const name = 'whileCopiesLag';
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { ConsistentRead, IndexName, RequestItems = {} } = args.input as Input;
      const isConsistent = ConsistentRead ?? Object.values<Input>(RequestItems)[0]?.ConsistentRead;
      if (isConsistent || IndexName) return answer;
      const output = answer.output as Input;
      return { ...answer, output: { ...output, Item: undefined, Items: output.Items && [], Responses: {} } };
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
