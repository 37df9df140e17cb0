/** How an operation is run, and what can be seen of it from outside. */
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { client, tableName } from '../../../shared/table/client.ts';
import { freshHandler } from '../bundles.ts';
import { median } from '../row.ts';
import { bytesPerItem, bytesPerLine } from './assumptions.ts';
import type { Operation } from './measure.ts';

const context = { getRemainingTimeInMillis: () => 300_000 } as Context;
type Handler = Awaited<ReturnType<typeof freshHandler>>;
type Result = { statusCode?: number; headers?: object; body?: string; isBase64Encoded?: boolean };

/** CPU of an operation, in milliseconds, all threads of the process: the median of some samples. */
export async function cpuOf(operation: Operation): Promise<number> {
  const handler = await freshHandler(operation.of);
  const { samples = 15 } = operation;
  const taken: number[] = [];
  for (let i = -samples; i < samples; i++) {
    const event = await operation.prepare();
    const before = process.cpuUsage();
    await quietly(() => checked(operation, handler, event));
    const { user, system } = process.cpuUsage(before);
    if (i >= 0) taken.push((user + system) / 1000);
  }
  return median(taken);
}

/** Calls a handler, and throws if it did not succeed: a refusal would be cheap. */
export async function checked({ name }: Operation, handler: Handler, event: unknown): Promise<unknown> {
  const result = (await handler(event, context)) as Result & { batchItemFailures?: unknown[] };
  const failed = (result?.statusCode ?? 200) !== 200 || (result?.batchItemFailures?.length ?? 0) > 0;
  if (failed) throw new Error(`${name}: ${JSON.stringify(result).slice(0, 300)}`);
  return result;
}

/** Runs something whose lines on the console are not printed, but counted in bytes as CloudWatch gets them. */
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

/** Bytes of what a function returns, as they go out. */
export function bytesOf(result: unknown): number {
  const { headers = {}, body = '', isBase64Encoded } = (result ?? {}) as Result;
  return JSON.stringify(headers).length + Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').length;
}

/** Bytes in a table and in its index, as they are charged. */
export type Stored = { table: number; index: number };

/** What the table has now. */
export async function tableSize(): Promise<Stored> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName() }));
  const [index] = Table!.GlobalSecondaryIndexes ?? [];
  return {
    table: Table!.TableSizeBytes! + Table!.ItemCount! * bytesPerItem,
    index: index!.IndexSizeBytes! + index!.ItemCount! * bytesPerItem,
  };
}
