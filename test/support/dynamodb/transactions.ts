/** Executes `TransactWriteItems` on the simulated table: atomic writes of several items, idempotent by token. */
import { hash } from 'node:crypto';
import { awsError, isAwsError } from '../../../infra/develop/local/aws/error.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';
import { type Change, checkFields, commit, type Database, fieldSet, unitsOf } from './database.ts';
import { validation } from './validation.ts';
import { checkOf, deleteOf, putOf, tryWrite, updateOf, type Write, writeFields } from './writes.ts';

type Action = keyof typeof writeFields;
type Input = { TransactItems?: { [action in Action]?: object }[]; ClientRequestToken?: string };
type Reason = { Code: string; Message?: string; Item?: unknown };
type Attempt = { change: Change } | { reason: Reason };

const { partitionKey, sortKey } = tableDefinition;
const fields = fieldSet('TransactItems ClientRequestToken');
const maxItems = 100;
const maxPayloadBytes = 4 * 1024 * 1024;
const keptMs = 10 * 60 * 1000;

/** Creates the operation `TransactWriteItems`. The operation remembers successful tokens for ten minutes. */
export function createTransactions(database: Database): (input: Input) => unknown {
  // Digests of successful requests by token, in order of success. The first tokens expire first.
  const done = new Map<string, { digest: string; until: number }>();
  return (input) => {
    checkFields(input, fields, database);
    const { ClientRequestToken: token } = input;
    const digest = hash('sha256', JSON.stringify(input.TransactItems ?? []));
    const writes = readWrites(input, database);
    const now = database.clock.now();
    for (const [old, { until }] of done) {
      if (until > now) break;
      done.delete(old);
    }
    const earlier = token === undefined ? undefined : done.get(token);
    if (earlier) {
      if (earlier.digest === digest) return {};
      throw awsError('IdempotentParameterMismatchException', '');
    }
    carryOutAll(writes, database);
    if (token !== undefined) done.set(token, { digest, until: now + keptMs });
    return {};
  };
}

function readWrites(
  { TransactItems: items = [], ClientRequestToken: token }: Input,
  database: Database,
): Write[] {
  if (token !== undefined && (token.length < 1 || token.length > 36)) {
    throw validation('ClientRequestToken: Member must have length between 1 and 36');
  }
  if (items.length < 1) throw validation('Member must have length greater than or equal to 1');
  if (items.length > maxItems) throw validation('Member must have length less than or equal to 100');
  const writes = items.map((item) => readWrite(item, database));
  const size = writes.reduce((sum, write) => sum + write.size, 0);
  if (size > maxPayloadBytes) throw validation('Transaction payload size cannot exceed 4MB');
  refuseTwice(writes);
  return writes;
}

const readers: { [action in Action]: (input: never) => Write } = {
  Put: putOf,
  Update: updateOf,
  Delete: deleteOf,
  ConditionCheck: checkOf,
};

function readWrite(item: { [action in Action]?: object }, database: Database): Write {
  const [action, ...others] = Object.keys(item) as Action[];
  if (action === undefined || !Object.hasOwn(readers, action) || others.length > 0) {
    throw validation('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  const input = item[action]!;
  checkFields(input, writeFields[action], database);
  if (action === 'Update' && !('UpdateExpression' in input))
    throw validation('UpdateExpression must not be null');
  return readers[action](input as never);
}

function refuseTwice(writes: Write[]): void {
  const texts = writes.flatMap(({ fields: { [partitionKey]: pk, [sortKey]: sk } }) =>
    pk?.S === undefined || sk?.S === undefined ? [] : `${pk.S}\0${sk.S}`,
  );
  if (new Set(texts).size < texts.length) {
    throw validation('Transaction request cannot include multiple operations on one item');
  }
}

function carryOutAll(writes: Write[], database: Database): void {
  const attempts = writes.map((write) => attempt(write, database));
  const reasons = attempts.map((tried) => ('reason' in tried ? tried.reason : { Code: 'None' }));
  if (attempts.some((tried) => 'reason' in tried)) {
    const codes = reasons.map(({ Code }) => Code).join(', ');
    const error = awsError(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    );
    error.fields = { CancellationReasons: reasons };
    throw error;
  }
  const changes = attempts.flatMap((tried) => ('change' in tried ? [tried.change] : []));
  // In a transaction, a write consumes twice the write units of the table, but the usual write units of the index.
  for (const { kind, partition, units } of changes.flatMap(unitsOf)) {
    database.throughput.take(kind, partition, kind === 'TableWrite' ? 2 * units : units);
  }
  commit(changes, database);
}

const codes: Record<string, string> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
  ThrottlingException: 'ThrottlingError',
};

function attempt(write: Write, database: Database): Attempt {
  try {
    return { change: tryWrite(write, write.key(), database) };
  } catch (error) {
    const code = isAwsError(error) ? codes[error.name] : undefined;
    if (code === undefined) throw error;
    const { message, fields } = error as ReturnType<typeof awsError>;
    return {
      reason: { Code: code, Message: message, ...(fields?.Item !== undefined && { Item: fields.Item }) },
    };
  }
}
