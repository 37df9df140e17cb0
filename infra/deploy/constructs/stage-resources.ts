import type { Key } from 'aws-cdk-lib/aws-kms';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Access } from '../../../shared/api/route.ts';
import type { QueueName } from '../../../shared/environment.ts';
import type { DeployedStage, StageSettings } from '../stages.ts';
import type { QueuePair } from './queue.ts';
import type { StageTable } from './table.ts';

/** Resources, bundles and settings that all Lambda functions of a stage share. */
export type StageResources = {
  stage: DeployedStage;
  /** Path of the folder that contains the bundle of each function as `<name>/index.js`. */
  bundles: string;
  logs: LogGroupProps;
  table: StageTable;
  key: Key;
  drawKey: Key;
  bookKey: Key;
  queues: Partial<Record<QueueName, QueuePair>>;
  /** If undefined, functions use the URL that API Gateway assigned to the API. */
  publicUrl: string | undefined;
  /** If undefined, play URLs start with `publicUrl`. */
  playUrl: string | undefined;
} & Pick<StageSettings, 'timestampAuthorities' | 'queueConcurrency'>;

export const reachesTable = ({ table = [], index = false }: Access) => table.length > 0 || index;

/** Throws if `workers.ts` does not declare the queue. */
export function queueOf({ queues }: StageResources, name: QueueName): QueuePair {
  const pair = queues[name];
  if (!pair)
    throw new Error(`a function uses the queue "${name}", which infra/deploy/workers.ts does not declare`);
  return pair;
}
