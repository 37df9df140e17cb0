import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { QueueName } from '../../shared/environment.ts';
import type { DeployedStage } from '../stages.ts';
import type { OneTimeSchedules } from './one-time-schedules.ts';
import type { QueuePair } from './queue.ts';

/** What the functions of a stage run in: the resources that their access may be to, and what all have in common. */
export type Surroundings = {
  stage: DeployedStage;
  /** Folder with the bundle of each function, as `<name>/index.js`. */
  bundles: string;
  table: Table;
  key: Key;
  queues: Partial<Record<QueueName, QueuePair>>;
  oneTimeSchedules: OneTimeSchedules | undefined;
  /** The API's address as callers know it, where it is not its own. */
  publicUrl: string | undefined;
};
