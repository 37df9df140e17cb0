/** The simulated DynamoDB of tests: tables with the service's keys and indexes, and their streams. */
import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { replyTo } from '../../../infra/develop/local/aws/answer.ts';
import { awsError } from '../../../infra/develop/local/aws/error.ts';
import type { LocalDynamodb } from '../../../infra/develop/local/dynamodb.ts';
import { createRandom } from '../random.ts';
import { serve } from '../serve.ts';
import type { AnswerTableCall } from '../table-calls.ts';
import { createDynamodb, type Dynamodb } from './dynamodb.ts';
import { streamArn } from './stream.ts';

type Input = {
  TableName?: string;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, { TableName: string }>[];
  StreamArn?: string;
  ShardId?: string;
  ShardIteratorType?: string;
  SequenceNumber?: string;
  ShardIterator?: string;
  Limit?: number;
};

const tables = new Map<string, Dynamodb>();
/** Emits an event with a table's name when the table changes. */
const changes = new EventEmitter();
/** Milliseconds that a read of a stream waits for a change, so that clients poll less often. */
const longPollMs = 1000;
/** Milliseconds that a read of a stream waits for further changes after the first one. */
const gatherMs = 30;

function tableOf(name = ''): Dynamodb {
  const table = tables.get(name);
  if (!table) throw awsError('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
  return table;
}

/** Returns the name of the table in a request. The service never uses two tables in one request. */
const nameIn = ({ TableName, RequestItems = {}, TransactItems: [part = {}] = [] }: Input) =>
  TableName ?? Object.keys(RequestItems)[0] ?? Object.values(part)[0]?.TableName;

const described = (name = '') => ({
  TableName: name,
  TableStatus: 'ACTIVE',
  LatestStreamArn: streamArn(name),
});
const tableOfStream = (arn = '') => /table\/(.*)\/stream/.exec(arn)?.[1] ?? '';
const shard = { ShardId: 'shardId-0', SequenceNumberRange: {} };

/**
 * DynamoDB operations on tables and streams, which this server implements itself, because the simulated
 * DynamoDB lacks them.
 */
const operations: Record<string, (input: Input) => object | Promise<object>> = {
  CreateTable({ TableName: tableName = '' }) {
    if (tables.has(tableName)) throw awsError('ResourceInUseException', 'Cannot create preexisting table');
    const random = createRandom(tableName);
    tables.set(tableName, createDynamodb({ tableName, clock: Date, random, shards: 1 }));
    return { TableDescription: described(tableName) };
  },
  DescribeTable: ({ TableName }) => tableOf(TableName) && { Table: described(TableName) },
  UpdateTimeToLive: ({ TableName }) => tableOf(TableName) && {},
  DeleteTable({ TableName = '' }) {
    tables.delete(TableName);
    return { TableDescription: described(TableName) };
  },
  DescribeStream: ({ StreamArn }) => ({ StreamDescription: { StreamArn, Shards: [shard] } }),
  GetShardIterator({ StreamArn, ShardIteratorType: type, SequenceNumber = '0' }) {
    if (type === 'LATEST') throw awsError('ValidationException', 'LATEST is not served here');
    return { ShardIterator: `${tableOfStream(StreamArn)} ${Number(SequenceNumber)}` };
  },
  async GetRecords({ ShardIterator = '', Limit = 1000 }) {
    const [name = '', after] = ShardIterator.split(' ');
    const read = () => tableOf(name).readStream(0, Number(after), Limit);
    if (read().length === 0)
      await once(changes, name, { signal: AbortSignal.timeout(longPollMs) }).catch(() => {});
    await setTimeout(gatherMs);
    const found = read();
    return {
      Records: found.map(({ record }) => record),
      NextShardIterator: `${name} ${found.at(-1)?.position ?? after}`,
    };
  },
};

function carryOut(operation: string, input: Input): unknown {
  if (operations[operation]) return operations[operation](input);
  const name = nameIn(input);
  const answer = tableOf(name).call(operation, input);
  if (!/^(Get|BatchGet|Query)/.test(operation)) changes.emit(name!);
  return answer;
}

/** Carries out a call and returns its response. */
export const answerTableCall: AnswerTableCall = (operation, body) =>
  replyTo(() => carryOut(operation, JSON.parse(body)));

/** Serves the simulated DynamoDB on a free port of 127.0.0.1, for other processes. */
export async function startTableServer(): Promise<LocalDynamodb> {
  const { url, close } = await serve(async (request, response) => {
    const [, operation = ''] = request.headers['x-amz-target']?.toString().split('.') ?? [];
    const reply = await answerTableCall(operation, (await text(request)) || '{}');
    response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  return { endpoint: url, stop: close };
}
