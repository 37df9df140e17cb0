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
import type { Environment } from '../../../shared/environment.ts';
import { type DeclaredSchedule, streamFilter, type Worker, type WorkerSource } from '../workers.ts';
import { streamStatements } from './grants.ts';
import { constructIdOf, createFunction } from './lambda-function.ts';
import { consumeStatement, createDeadLetterQueue, sendStatement } from './queue.ts';
import { createOneTimeScheduleGroup, createRecurringSchedules } from './schedules.ts';
import { queueOf, type StageResources } from './stage-resources.ts';

/** `deadLetters` is absent for a worker on a queue: the queue has its own. */
export type DeployedWorker = {
  worker: Worker;
  function: LambdaFunction;
  deadLetters?: Queue;
  scheduleVariables?: Environment;
};

type Options = {
  worker: Worker;
  schedules: Record<string, DeclaredSchedule>;
  resources: StageResources;
};

type SourceOf<Kind extends string> = Extract<WorkerSource, Record<Kind, unknown>>;

export function createWorker(scope: Construct, options: Options): DeployedWorker {
  const home = new Construct(scope, constructIdOf(options.worker.name));
  const { source } = options.worker;
  if ('queue' in source) return fromQueue(home, source, options);
  return 'stream' in source ? fromStream(home, source, options) : fromSchedules(home, source, options);
}

function fromQueue(
  home: Construct,
  source: SourceOf<'queue'>,
  { worker, resources }: Options,
): DeployedWorker {
  const { queue } = queueOf(resources, source.queue);
  const sendsToItself = worker.access.sends?.includes(source.queue) ?? false;
  const statements = [consumeStatement(queue)];
  const target = createFunction(home, { ...worker, statements, sendsToItself }, resources);
  new EventSourceMapping(home, 'Source', {
    target,
    eventSourceArn: queue.queueArn,
    batchSize: source.batchSize,
    ...windowOf(source),
    maxConcurrency: resources.queueConcurrency[source.queue] ?? source.maxConcurrency,
    reportBatchItemFailures: true,
  });
  return { worker, function: target };
}

function fromStream(
  home: Construct,
  source: SourceOf<'stream'>,
  { worker, resources }: Options,
): DeployedWorker {
  const deadLetters = createDeadLetterQueue(home, 'DeadLetters');
  const statements = [...streamStatements(home, resources), sendStatement([deadLetters])];
  const target = createFunction(home, { ...worker, statements }, resources);
  new EventSourceMapping(home, 'Source', {
    target,
    eventSourceArn: resources.table.tableStreamArn!,
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
  source: SourceOf<'schedules'>,
  { worker, schedules, resources }: Options,
): DeployedWorker {
  const deadLetters = createDeadLetterQueue(home, 'DeadLetters');
  const statements = [sendStatement([deadLetters])];
  const target = createFunction(home, { ...worker, statements }, resources);
  const own = source.schedules.map((name) => {
    const schedule = schedules[name];
    if (!schedule) {
      throw new Error(
        `${worker.name} uses the schedule "${name}", which infra/deploy/workers.ts does not declare`,
      );
    }
    return { name, ...schedule };
  });
  const called = { target, deadLetters, stage: resources.stage };
  const role = createRecurringSchedules(home, { ...called, schedules: own });
  const scheduleVariables = source.oneTimeSchedules
    ? createOneTimeScheduleGroup(home, { ...called, role })
    : {};
  return { worker, function: target, deadLetters, scheduleVariables };
}

function windowOf({ batchWindowSeconds }: { batchWindowSeconds?: number }) {
  return batchWindowSeconds === undefined ? {} : { maxBatchingWindow: Duration.seconds(batchWindowSeconds) };
}
