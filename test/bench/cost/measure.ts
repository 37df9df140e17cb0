/** Counts the AWS calls of an operation through proxies, then measures its CPU time without proxies. */
import { endpointFunctionOptions } from '../../../infra/deploy/endpoints.ts';
import { workers } from '../../../infra/deploy/workers.ts';
import { freshHandler } from '../bundles.ts';
import { addUnits, noUnits, type Units } from '../units.ts';
import * as assumed from './assumptions.ts';
import type { Use } from './prices.ts';
import { bytesOf, checked, cpuOf, quietly, type Stored, tableSize } from './running.ts';
import type { MeasuredStage } from './stage.ts';

/** An operation of the cost model: the work of one function for one event. */
export type Operation = {
  name: string;
  /** Name of the function that runs the operation, such as `tickets/credit`. */
  of: string;
  /** Writes the data that the next run needs. Returns the function's event. */
  prepare: () => Promise<unknown>;
  /** Number of items, such as spins or events, that one run handles. Results are divided by this number. */
  per?: number;
  /** True for a request through API Gateway, for which AWS charges an additional price. */
  isRequest: boolean;
  /** Number of SQS requests that Lambda makes to receive and delete the operation's messages. */
  sqsRequests?: number;
  /** Time in milliseconds that the operation waits for anything except AWS calls, such as a webhook receiver. */
  waitsMs?: number;
  /** Returns the number of bytes that the operation sends to the internet, not counting its response. */
  sends?: () => number;
  /** Number of runs for which CPU time is measured. */
  samples?: number;
};

/** Measured use of AWS per handled item (such as a spin). */
export type MeasuredUse = {
  name: string;
  units: Units;
  calls: string[];
  cpuMs: number;
  ms: number;
  /** Bytes that the operation adds to the table and its index. */
  stored: Stored;
  use: Use;
};

/** Measures an operation on a local stage. Returns its use of AWS per handled item (such as a spin). */
export async function measure(
  operation: Operation,
  stage: MeasuredStage,
  size: number,
): Promise<MeasuredUse> {
  const seen = await stage.wired(() => watched(operation, stage));
  const cpuMs = await stage.direct(() => cpuOf(operation, size));
  const { per = 1 } = operation;
  const ms = Math.ceil(cpuMs / shareOf(operation) + seen.waitsMs);
  const { units, stored } = seen;
  return {
    name: operation.name,
    units: {
      tableWrites: units.tableWrites / per,
      indexWrites: units.indexWrites / per,
      reads: units.reads / per,
    },
    calls: seen.calls.map(({ operation: name }) => name),
    cpuMs: cpuMs / per,
    ms: ms / per,
    stored: { table: stored.table / per, index: stored.index / per },
    use: useOf(operation, seen, ms),
  };
}

const memoryOf = ({ of }: Operation) =>
  workers.find(({ name }) => name === of)?.memoryMb ?? endpointFunctionOptions.memoryMb;
const shareOf = (operation: Operation) => Math.min(1, memoryOf(operation) / assumed.memoryOfOneCpuMb);

/**
 * Runs an operation through counting proxies. Discards a first run, because an instance's first invocation makes
 * additional AWS calls.
 */
async function watched(operation: Operation, { table, others }: MeasuredStage) {
  const handler = await freshHandler(operation.of);
  await quietly(async () => checked(operation, handler, await operation.prepare()));
  const event = await operation.prepare();
  const before = await tableSize();
  table.taken();
  others.taken();
  const { result, logged } = await quietly(() => checked(operation, handler, event));
  const { calls, waves } = table.taken();
  const more = others.taken();
  const after = await tableSize();
  const onTable = calls.reduce((sum, { operation: name }) => sum + (assumed.waitMs[name] ?? 0), 0);
  const elsewhere = more.calls.reduce((sum, { operation: name }) => sum + (assumed.waitMs[name] ?? 0), 0);
  return {
    units: calls.reduce((sum, call) => addUnits(sum, call.units), noUnits),
    calls,
    queued: more.calls.filter(({ operation: name }) => name.startsWith('SendMessage')),
    waitsMs: (onTable * waves) / (calls.length || 1) + elsewhere + (operation.waitsMs ?? 0),
    stored: { table: after.table - before.table, index: after.index - before.index },
    logged,
    responded: bytesOf(result),
  };
}

type Seen = Awaited<ReturnType<typeof watched>>;

function useOf(operation: Operation, seen: Seen, ms: number): Use {
  const { per = 1, isRequest, sqsRequests = 0, sends } = operation;
  const logs = assumed.platformLogBytes + seen.logged + (isRequest ? assumed.accessLogBytes : 0);
  const out = (isRequest ? seen.responded + assumed.headerBytes : 0) + (sends?.() ?? 0);
  const memoryGb = memoryOf(operation) / 1024;
  const seconds = (ms + assumed.startMs / assumed.callsPerInstance) / 1000;
  return {
    ApiGatewayRequest: (isRequest ? 1 : 0) / per,
    WriteRequestUnits: seen.units.tableWrites / per,
    'WriteRequestUnits (index)': seen.units.indexWrites / per,
    ReadRequestUnits: seen.units.reads / per,
    'Request-ARM': 1 / per,
    'Lambda-GB-Second-ARM': (seconds * memoryGb) / per,
    'SQS Requests-Tier1': (seen.queued.length + sqsRequests) / per,
    'SQS Requests-FairQueue': seen.queued.length / per,
    'KMS-Requests': 1 / assumed.callsPerInstance / per,
    'VendedLog-Bytes': logs / 1e9 / per,
    'DataTransfer-Out-Bytes': out / 1e9 / per,
  };
}
