import type { Access } from '../../shared/api/route.ts';
import { type Environment, queueVariables } from '../../shared/environment.ts';
import { stackNameOf } from '../stages.ts';
import { queueOf, reachesTable } from './grants.ts';
import type { StageResources } from './stage-resources.ts';

/** The environment in which a function finds the resources that it has access to. */
export function environmentFor(access: Access, around: StageResources): Record<string, string> {
  return {
    ...resourcesFor(access, around),
    POWERTOOLS_SERVICE_NAME: 'incentives',
    POWERTOOLS_METRICS_NAMESPACE: stackNameOf(around.stage),
  };
}

function resourcesFor(access: Access, around: StageResources): Environment {
  const environment: Environment = { STAGE: around.stage };
  if (around.publicUrl) environment.PUBLIC_URL = around.publicUrl;
  if (reachesTable(access)) environment.TABLE_NAME = around.table.tableName;
  for (const name of access.sends ?? []) {
    environment[queueVariables[name].url] = queueOf(around, name).queue.queueUrl;
  }
  for (const name of access.parks ?? []) {
    environment[queueVariables[name].deadLetterUrl] = queueOf(around, name).deadLetters.queueUrl;
  }
  for (const name of access.schedules ?? []) {
    const { queue, deadLetters } = queueOf(around, name);
    environment[queueVariables[name].arn] = queue.queueArn;
    environment[queueVariables[name].deadLetterArn] = deadLetters.queueArn;
    environment.SCHEDULE_GROUP = around.oneTimeSchedules!.group.ref;
    environment.SCHEDULE_ROLE_ARN = around.oneTimeSchedules!.role.roleArn;
  }
  if (access.key?.length) environment.KEY_ARN = around.key.keyArn;
  return environment;
}
