import type { Access } from '../../shared/api/route.ts';
import { stackNameOf } from '../stages.ts';
import { keyVariable, queueVariables, scheduleVariables } from '../workers.ts';
import { queueOf, reachesTable } from './grants.ts';
import type { Surroundings } from './stage-resources.ts';

/** The environment in which a function finds what it has access to. */
export function environmentFor(access: Access, around: Surroundings): Record<string, string> {
  const environment: Record<string, string> = {
    STAGE: around.stage,
    POWERTOOLS_SERVICE_NAME: 'incentives',
    POWERTOOLS_METRICS_NAMESPACE: stackNameOf(around.stage),
  };
  if (around.publicUrl) environment.PUBLIC_URL = around.publicUrl;
  if (reachesTable(access)) environment.TABLE_NAME = around.table.tableName;
  for (const name of access.sends ?? []) {
    environment[queueVariables(name).url] = queueOf(around, name).queue.queueUrl;
  }
  for (const name of access.parks ?? []) {
    environment[queueVariables(name).deadLetterUrl] = queueOf(around, name).deadLetters.queueUrl;
  }
  for (const name of access.schedules ?? []) {
    const { queue, deadLetters } = queueOf(around, name);
    environment[queueVariables(name).arn] = queue.queueArn;
    environment[queueVariables(name).deadLetterArn] = deadLetters.queueArn;
    environment[scheduleVariables.group] = around.oneTimeSchedules!.group.ref;
    environment[scheduleVariables.role] = around.oneTimeSchedules!.role.roleArn;
  }
  if (access.key?.length) environment[keyVariable] = around.key.keyArn;
  return environment;
}
