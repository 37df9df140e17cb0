import { Duration } from 'aws-cdk-lib';
import {
  EventSourceMapping,
  FilterCriteria,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Schedule, type Source, streamFilter, type Worker } from '../workers.ts';
import { consumeStatement, queueOf, sendStatement, streamStatements } from './grants.ts';
import { createFunction, idOf } from './lambda-function.ts';
import { createDeadLetterQueue } from './queue.ts';
import { createRecurringSchedules } from './recurring-schedules.ts';
import type { Surroundings } from './stage-resources.ts';

/** A worker as it stands in the stack; a queue's worker has no dead letters of its own, its queue has them. */
export type StandingWorker = { worker: Worker; function: LambdaFunction; deadLetters?: Queue };

type From<Kind extends string> = Extract<Source, Record<Kind, unknown>>;

/** A worker's function with whatever calls it: a queue, the table's stream, or schedules. */
export function createWorker(
  scope: Construct,
  worker: Worker,
  schedules: Record<string, Schedule>,
  around: Surroundings,
): StandingWorker {
  const home = new Construct(scope, idOf(worker.name));
  const { source } = worker;
  if ('queue' in source) return fromQueue(home, worker, source, around);
  const deadLetters = createDeadLetterQueue(home, 'DeadLetters');
  return 'stream' in source
    ? fromStream(home, worker, source, deadLetters, around)
    : fromSchedules(home, worker, source, deadLetters, schedules, around);
}

function fromQueue(
  home: Construct,
  worker: Worker,
  source: From<'queue'>,
  around: Surroundings,
): StandingWorker {
  const { queue } = queueOf(around, source.queue);
  const feedsItself = worker.access.sends?.includes(source.queue) ?? false;
  const statements = [consumeStatement(queue)];
  const target = createFunction(home, { ...worker, statements, feedsItself }, around);
  new EventSourceMapping(home, 'Source', {
    target,
    eventSourceArn: queue.queueArn,
    batchSize: source.batchSize,
    ...windowOf(source),
    maxConcurrency: source.maxConcurrency,
    reportBatchItemFailures: true,
  });
  return { worker, function: target };
}

function fromStream(
  home: Construct,
  worker: Worker,
  source: From<'stream'>,
  deadLetters: Queue,
  around: Surroundings,
): StandingWorker {
  const statements = [...streamStatements(home, around), sendStatement([deadLetters])];
  const target = createFunction(home, { ...worker, statements }, around);
  new EventSourceMapping(home, 'Source', {
    target,
    eventSourceArn: around.table.tableStreamArn!,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: source.batchSize,
    ...windowOf(source),
    parallelizationFactor: source.parallelPerShard ?? 1,
    retryAttempts: source.retries,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    onFailure: new SqsDlq(deadLetters),
    filters: [FilterCriteria.filter(streamFilter)],
  });
  return { worker, function: target, deadLetters };
}

function fromSchedules(
  home: Construct,
  worker: Worker,
  source: From<'schedules'>,
  deadLetters: Queue,
  schedules: Record<string, Schedule>,
  around: Surroundings,
): StandingWorker {
  const target = createFunction(home, { ...worker, statements: [sendStatement([deadLetters])] }, around);
  const own = source.schedules.map((name) => {
    const schedule = schedules[name];
    if (!schedule)
      throw new Error(`${worker.name} wants the schedule "${name}", and infra/workers.ts has none`);
    return { name, ...schedule };
  });
  createRecurringSchedules(home, own, { target, deadLetters, stage: around.stage });
  return { worker, function: target, deadLetters };
}

function windowOf({ batchWindowSeconds }: { batchWindowSeconds?: number }) {
  return batchWindowSeconds === undefined ? {} : { maxBatchingWindow: Duration.seconds(batchWindowSeconds) };
}
