import type { Key } from 'aws-cdk-lib/aws-kms';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Access } from '../../../shared/api/route.ts';
import type { QueueName } from '../../../shared/environment.ts';
import type { DeployedStage, StageSettings } from '../stages.ts';
import type { QueuePair } from './queue.ts';
import type { StageTable } from './table.ts';

/** The resources, bundles and settings that all functions of a stage share. */
export type StageResources = {
  stage: DeployedStage;
  /** Folder of the bundles, one for each function: `<name>/index.js`. */
  bundles: string;
  /** Retention and removal policy of each log group. */
  logs: LogGroupProps;
  table: StageTable;
  key: Key;
  /** HMAC key that derives the secrets of days, from which draws follow. */
  drawKey: Key;
  /** Signs books. */
  bookKey: Key;
  queues: Partial<Record<QueueName, QueuePair>>;
  /** The API's public URL, if it differs from API Gateway's. */
  publicUrl: string | undefined;
  /** The base of play URLs, if it differs from the API's URL. */
  playUrl: string | undefined;
} & Pick<StageSettings, 'beacon' | 'formerBeacons' | 'queueConcurrency'>;

/** Returns whether a function accesses the table or its index. */
export const reachesTable = ({ table = [], index = false }: Access) => table.length > 0 || index;

/** Returns a queue and its dead-letter queue. Throws if no queue of this name is declared. */
export function queueOf({ queues }: StageResources, name: QueueName): QueuePair {
  const pair = queues[name];
  if (!pair)
    throw new Error(`a function uses the queue "${name}", which infra/deploy/workers.ts does not declare`);
  return pair;
}
