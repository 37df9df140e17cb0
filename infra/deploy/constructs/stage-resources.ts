import type { Key } from 'aws-cdk-lib/aws-kms';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Access } from '../../../shared/api/route.ts';
import type { QueueName } from '../../../shared/environment.ts';
import type { DeployedStage, StageSettings } from '../stages.ts';
import type { OneTimeSchedules } from './one-time-schedules.ts';
import type { QueuePair } from './queue.ts';
import type { StageTable } from './table.ts';

/** What all functions of a stage share: the resources that they may have access to, their code and their settings. */
export type StageResources = {
  stage: DeployedStage;
  /** Folder with the bundle of each function, as `<name>/index.js`. */
  bundles: string;
  /** How each log is kept. */
  logs: LogGroupProps;
  table: StageTable;
  key: Key;
  /** Makes the secrets of days, from which draws follow. */
  drawKey: Key;
  /** Signs books. */
  bookKey: Key;
  queues: Partial<Record<QueueName, QueuePair>>;
  /** Absent if no function creates one-time schedules. */
  oneTimeSchedules: OneTimeSchedules | undefined;
  /** The API's address as callers know it, if it is not its own. */
  publicUrl: string | undefined;
  /** What play URLs begin with, if not with the address of the API. */
  playUrl: string | undefined;
} & Pick<StageSettings, 'beacon' | 'formerBeacons' | 'queueConcurrency'>;

/** Whether a function has anything to do with the table. */
export const reachesTable = ({ table = [], index = false }: Access) => table.length > 0 || index;

/** A queue of the stage, with its dead-letter queue. Throws if none of this name is declared. */
export function queueOf({ queues }: StageResources, name: QueueName): QueuePair {
  const pair = queues[name];
  if (!pair)
    throw new Error(`a function wants to reach the queue "${name}", and infra/deploy/workers.ts has none`);
  return pair;
}
