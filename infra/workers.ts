/**
 * What runs without an HTTP request: queues, schedules, and the functions behind them and behind the table's
 * stream. Plain data, from which the CDK app and the local stage are both put together.
 */
import type { Access, QueueName } from '../shared/api/route.ts';

/** A queue; each has a dead-letter queue, named after it, for what failed `maxReceives` times. */
export type Queue = { visibilityTimeoutSeconds: number; maxReceives: number };

/** A filter of stream records as Lambda has it: fields, each ending in a list of rules of which one has to match. */
export type FilterPattern = { [field: string]: FilterPattern | FilterRule[] };
type FilterRule = string | number | boolean | null | { prefix: string } | { exists: boolean };

/** Where a worker's events come from. */
export type Source =
  | { queue: QueueName; batchSize: number; batchWindowSeconds?: number; maxConcurrency: number }
  | {
      stream: true;
      batchSize: number;
      batchWindowSeconds?: number;
      parallelPerShard?: number;
      retries: number;
      /** Records that match none of these patterns are passed over; without any, all but deletions are handed on. */
      filters?: FilterPattern[];
    }
  | { schedules: string[] };

/** A function that is not an endpoint. */
export type Worker = {
  /** Also the path of its file under `functions/`. */
  name: string;
  source: Source;
  access: Access;
  timeoutSeconds: number;
  memoryMb: number;
  /** Alarms on what it counts itself, beside those that every worker has. */
  alarms?: MetricAlarm[];
};

/** An alarm for a metric of the service that sums up to `threshold` or more within some minutes. */
export type MetricAlarm = {
  metric: string;
  threshold: number;
  minutes: number;
  /** What it means and what to do. */
  runbook: string;
};

/** A recurring schedule; its worker gets `{"now": <the scheduled time, ISO>}`. */
export type Schedule = { expression: string; timezone: string };

export const queues: Partial<Record<QueueName, Queue>> = {};
export const schedules: Record<string, Schedule> = {};
export const workers: Worker[] = [];

/**
 * The variables in which a function finds a queue: `QUEUE_URL_SPIN_SHARDS` and `QUEUE_ARN_SPIN_SHARDS`. The commands
 * of `infra/admin` find its dead-letter queue too: `DEAD_LETTERS_URL_SPIN_SHARDS`.
 */
export const queueVariables = (queue: QueueName) => {
  const name = queue.toUpperCase().replaceAll('-', '_');
  return { url: `QUEUE_URL_${name}`, arn: `QUEUE_ARN_${name}`, deadLetters: `DEAD_LETTERS_URL_${name}` };
};
/** The variables in which a function finds what a one-time schedule needs: its group, and the role it acts in. */
export const scheduleVariables = { group: 'SCHEDULE_GROUP', role: 'SCHEDULE_ROLE_ARN' };
/** The variable in which a function finds the stack's encryption key. */
export const keyVariable = 'KEY_ARN';
