/** Sends the same random commands to the simulation and to DynamoDB Local, and compares the responses. */
import { randomUUID } from 'node:crypto';
import { DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isAwsError } from '../../../infra/develop/local/aws/error.ts';
import { createTable } from '../../../infra/develop/local/dynamodb.ts';
import { createRandom } from '../random.ts';
import { type Command, commandsOf, type Input } from './commands.ts';
import { readNumber } from './decimal.ts';
import { createDynamodb, type Dynamodb } from './dynamodb.ts';
import { isKnown } from './known-differences.ts';

/**
 * A command with different responses from the simulation and DynamoDB Local. `before` contains the commands to run
 * first.
 */
export type Difference = {
  seed: string;
  before: Command[];
  command: Command;
  standIn: unknown;
  local: unknown;
};

/** Sends a request to DynamoDB Local. Returns the body of the response, or the error. */
export type CallLocal = (
  operation: string,
  input: unknown,
  service?: 'DynamoDB' | 'DynamoDBStreams',
) => Promise<Answer>;
/** The body of a response. For an error, the body has the error's name as `error`. */
export type Answer = Input & { error?: string; message?: string };

/** Creates a function that sends requests to the DynamoDB Local at an endpoint. */
export function localAt(endpoint: string): CallLocal {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=local/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none';
  return async (operation, input, service = 'DynamoDB') => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `${service}_20120810.${operation}`,
        authorization,
      },
      body: JSON.stringify(input),
    });
    const { __type: type, Message: message, ConsumedCapacity: _, ...body } = (await response.json()) as Input;
    return response.ok ? body : { error: type.split('#')[1], message, ...body };
  };
}

/**
 * Runs a seed's commands on the simulation and on DynamoDB Local. Returns the first command with different responses,
 * and a minimized list of commands to run before it; undefined if all responses are equal.
 */
export async function compare(options: {
  seed: string;
  commands: number;
  client: DynamoDBClient;
  local: CallLocal;
}): Promise<Difference | undefined> {
  const { client, seed } = options;
  // DynamoDB Local remembers transaction tokens across tables, so each run's tokens contain the end of its random table
  // name.
  const tableName = `differential-${randomUUID()}`;
  await createTable(client, tableName);
  try {
    const run = runnerOf(options, tableName);
    const found = await run();
    return found && { seed, ...(await shorten(found, run)) };
  } finally {
    await client.send(new DeleteTableCommand({ TableName: tableName }));
  }
}

type Mismatch = { index: number; all: Command[]; standIn: unknown; local: unknown };
/** Runs the commands whose indexes are in `chosen`, or all commands. Returns the first difference. */
type Run = (chosen?: Set<number>) => Promise<Mismatch | undefined>;

function runnerOf({ seed, commands, local }: Parameters<typeof compare>[0], tableName: string): Run {
  let runs = 0;
  return async (chosen) => {
    const all = commandsOf(createRandom(seed), commands, tableName, `${tableName.slice(-9)}${runs++}`);
    const standIn = createDynamodb({ tableName, clock: { now: () => 0 }, random: createRandom(seed) });
    for (const [index, command] of all.entries()) {
      if (chosen && !chosen.has(index)) continue;
      const answers = await answersOf(command, standIn, local);
      if (answers) return { index, all, ...answers };
    }
    return undefined;
  };
}

/** Removes commands before the mismatch, in ever smaller chunks, as long as the same command still mismatches. */
async function shorten(first: Mismatch, run: Run): Promise<Omit<Difference, 'seed'>> {
  let found = first;
  let before = Array.from({ length: first.index }, (_, index) => index);
  for (let lot = Math.ceil(before.length / 2); lot >= 1; lot = Math.floor(lot / 2)) {
    for (let from = 0; from < before.length; ) {
      const fewer = [...before.slice(0, from), ...before.slice(from + lot)];
      const still = await run(new Set([...fewer, first.index]));
      if (still?.index === first.index) [before, found] = [fewer, still];
      else from += lot;
    }
  }
  const { all, standIn, local } = found;
  return { before: before.map((index) => all[index]!), command: all[first.index]!, standIn, local };
}

async function answersOf(command: Command, standIn: Dynamodb, local: CallLocal) {
  const { operation, pages } = command;
  let input = command.input;
  for (let page = 0; page < 30; page++) {
    const theirs = await local(operation, input);
    const ours = answerOf(standIn, operation, structuredClone(input));
    if (!isSame(operation, ours, theirs)) return { standIn: ours, local: theirs };
    if (!pages || !ours.LastEvaluatedKey) return undefined;
    input = { ...input, ExclusiveStartKey: ours.LastEvaluatedKey };
  }
  return undefined;
}

function answerOf(standIn: Dynamodb, operation: string, input: Input): Answer {
  try {
    return standIn.call(operation, input) as Input;
  } catch (error) {
    if (!isAwsError(error)) throw error;
    return { error: error.name, message: error.message, ...error.fields };
  }
}

function isSame(operation: string, ours: Answer, theirs: Answer): boolean {
  return comparable(ours) === comparable(theirs) || isKnown(operation, ours, theirs);
}

/** Returns a response as text. Omits messages, and sorts batch items, whose order is not guaranteed. */
function comparable({ message: _, ...answer }: Answer): string {
  const { CancellationReasons: reasons, Responses: responses } = answer;
  return textOf({
    ...answer,
    ...(reasons && { CancellationReasons: reasons.map(({ Message: _, ...reason }: Input) => reason) }),
    ...(responses && {
      Responses: Object.values<Input[]>(responses).map((items) => items.map(textOf).sort()),
    }),
  });
}

/** Returns a value as JSON with sorted fields and normalized numbers. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (name, part) => {
    // Removes trailing zeros, which DynamoDB Local, unlike AWS, keeps in the results of sums.
    if (name === 'N') return readNumber(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
