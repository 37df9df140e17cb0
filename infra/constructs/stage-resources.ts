import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { QueueName } from '../../shared/environment.ts';
import type { DeployedStage } from '../stages.ts';
import type { OneTimeSchedules } from './one-time-schedules.ts';
import type { QueuePair } from './queue.ts';

/** What all functions of a stage share: the resources that they may have access to, their code and their settings. */
export type StageResources = {
  stage: DeployedStage;
  /** Folder with the bundle of each function, as `<name>/index.js`. */
  bundles: string;
  /** How each log is kept. */
  logs: LogGroupProps;
  table: Table;
  key: Key;
  queues: Partial<Record<QueueName, QueuePair>>;
  /** Absent if no function creates one-time schedules. */
  oneTimeSchedules: OneTimeSchedules | undefined;
  /** The API's address as callers know it, if it is not its own. */
  publicUrl: string | undefined;
};
