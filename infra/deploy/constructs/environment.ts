import type { Access } from '../../../shared/api/route.ts';
import { type Environment, queueVariables } from '../../../shared/environment.ts';
import { stackNameOf } from '../stages.ts';
import { queueOf, reachesTable, type StageResources } from './stage-resources.ts';

export function environmentFor(access: Access, resources: StageResources): Environment {
  return { ...resourcesFor(access, resources), METRICS_NAMESPACE: stackNameOf(resources.stage) };
}

function resourcesFor(access: Access, resources: StageResources): Environment {
  const environment: Environment = { STAGE: resources.stage };
  if (resources.publicUrl) environment.PUBLIC_URL = resources.publicUrl;
  if (access.playUrls && resources.playUrl) environment.PLAY_URL = resources.playUrl;
  if (reachesTable(access)) environment.TABLE_NAME = resources.table.tableName;
  for (const name of access.sends ?? []) {
    environment[queueVariables[name].url] = queueOf(resources, name).queue.queueUrl;
  }
  for (const name of access.parks ?? []) {
    environment[queueVariables[name].deadLetterUrl] = queueOf(resources, name).deadLetters.queueUrl;
  }
  if (access.key?.length) environment.KEY_ARN = resources.key.keyArn;
  if (access.draws) environment.DRAW_KEY_ARN = resources.drawKey.keyArn;
  if (access.timestamps) {
    environment.TIMESTAMP_AUTHORITIES = JSON.stringify(resources.timestampAuthorities);
  }
  if (access.signs) environment.BOOK_KEY_ARN = resources.bookKey.keyArn;
  return environment;
}
