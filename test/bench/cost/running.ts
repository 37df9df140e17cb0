/** Runs an operation of the cost model and measures its CPU time, log bytes and stored bytes. */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { tableClient, tableName } from '../../../shared/table/client.ts';
import { freshHandler } from '../bundles.ts';
import { median, scaledTurns } from '../row.ts';
import { bytesPerItem, bytesPerLine } from './assumptions.ts';
import type { Operation } from './measure.ts';

const context = { getRemainingTimeInMillis: () => 300_000 } as Context;
type Handler = Awaited<ReturnType<typeof freshHandler>>;
type Result = { statusCode?: number; headers?: object; body?: string; isBase64Encoded?: boolean };

/** Returns the median CPU time of an operation in milliseconds, over all threads of the process. */
export async function cpuOf(operation: Operation, size: number): Promise<number> {
  const handler = await freshHandler(operation.of);
  const { turns, warmUp } = scaledTurns(
    { turns: operation.samples ?? 5, warmUp: operation.samples ?? 5 },
    size,
  );
  const taken: number[] = [];
  for (let i = -warmUp; i < turns; i++) {
    const event = await operation.prepare();
    const before = process.cpuUsage();
    await quietly(() => checked(operation, handler, event));
    const { user, system } = process.cpuUsage(before);
    if (i >= 0) taken.push((user + system) / 1000);
  }
  return median(taken);
}

/** Calls a handler and returns its result. Throws on an error response, which would distort the measurement. */
export async function checked({ name }: Operation, handler: Handler, event: unknown): Promise<unknown> {
  const result = (await handler(event, context)) as Result & { batchItemFailures?: unknown[] };
  const failed = (result?.statusCode ?? 200) !== 200 || (result?.batchItemFailures?.length ?? 0) > 0;
  if (failed) throw new Error(`${name}: ${JSON.stringify(result).slice(0, 300)}`);
  return result;
}

/**
 * Runs a function without its log output. Returns its result, and the number of log bytes for which CloudWatch would
 * charge.
 */
export async function quietly<T>(run: () => Promise<T>): Promise<{ result: T; logged: number }> {
  const { log } = console;
  let logged = 0;
  console.log = (line: string) => {
    logged += Buffer.byteLength(String(line)) + bytesPerLine;
  };
  try {
    return { result: await run(), logged };
  } finally {
    console.log = log;
  }
}

/** Returns the size in bytes of a function's response, including headers. */
export function bytesOf(result: unknown): number {
  const { headers = {}, body = '', isBase64Encoded } = (result ?? {}) as Result;
  return JSON.stringify(headers).length + Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').length;
}

export type Stored = { table: number; index: number };

/** Returns the bytes of storage that DynamoDB charges for the table and its index. */
export async function tableSize(): Promise<Stored> {
  const { Table } = await tableClient.send(new DescribeTableCommand({ TableName: tableName() }));
  const [index] = Table!.GlobalSecondaryIndexes ?? [];
  return {
    table: Table!.TableSizeBytes! + Table!.ItemCount! * bytesPerItem,
    index: index!.IndexSizeBytes! + index!.ItemCount! * bytesPerItem,
  };
}
