/**
 * Lists the functions of the simulated stage, with the same access and environment variables as in a deployed
 * stage.
 */

import { environmentFor } from '../../infra/deploy/constructs/environment.ts';
import type { StageResources } from '../../infra/deploy/constructs/stage-resources.ts';
import { authorizerFunction, timeoutSecondsOf } from '../../infra/deploy/endpoints.ts';
import { deadLetterQueueName, queues, workers } from '../../infra/deploy/workers.ts';
import { accountId, queueArn, region } from '../../infra/develop/local/aws/arns.ts';
import { bookKeyArn, drawKeyArn, keyArn } from '../../infra/develop/local/aws/kms.ts';
import { scheduleVariables } from '../../infra/develop/local/declared.ts';
import { routesInStage } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { type Environment, type QueueName, queueVariables } from '../../shared/environment.ts';
import { timestampAuthorities } from './authorities.ts';
import { worldBeacon } from './beacon.ts';
import type { Bundles } from './bundles.ts';
import type { DeployedFunction } from './instances.ts';

/** The stage of every simulation. `staging` has the debug routes and otherwise follows the rules of `production`. */
export const stage = 'staging';
export const tableName = 'incentives-staging';
/** The routes of the simulated stage. Excludes the routes of the API's documentation, which read and write no data. */
export const routes = routesInStage(stage, allRoutes).filter(({ credential }) => credential !== 'none');

const queueUrl = (name: string) => `https://sqs.${region}.amazonaws.com/${accountId}/${name}`;
const addressOf = (name: string) => ({ queueUrl: queueUrl(name), queueArn: queueArn(name) });

/** The resources of the CDK stack that the functions' environment variables need. */
const resources = {
  stage,
  publicUrl: 'https://api.example.com',
  table: { tableName },
  key: { keyArn },
  drawKey: { keyArn: drawKeyArn },
  timestampAuthorities,
  bookKey: { keyArn: bookKeyArn },
  queues: Object.fromEntries(
    Object.keys(queues).map((name) => [
      name,
      { queue: addressOf(name), deadLetters: addressOf(deadLetterQueueName(name)) },
    ]),
  ),
} as unknown as StageResources;

const common = {
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: 'world',
  AWS_SECRET_ACCESS_KEY: 'world',
  AWS_LAMBDA_FUNCTION_NAME: 'world',
  BEACON: worldBeacon,
};

/** Returns all functions of the stage. `more`: additional environment variables. */
export function deployedFunctions(
  { functions, packages }: Bundles,
  more: Record<string, string>,
): DeployedFunction[] {
  return [...routes, authorizerFunction, ...workers].map(({ name, access }) => ({
    name,
    access,
    timeoutSeconds: timeoutSecondsOf(name),
    bundle: functions.get(name)!,
    packages,
    environment: { ...common, ...environmentFor(access, resources), ...more },
  }));
}

/**
 * Returns the environment variables of an operator's command. A deployed stage has these values in the
 * stack's outputs.
 */
export function operatorEnvironment(): Record<string, string> {
  const variables: Environment = {
    TABLE_NAME: tableName,
    KEY_ARN: keyArn,
    DRAW_KEY_ARN: drawKeyArn,
    BOOK_KEY_ARN: bookKeyArn,
    ...scheduleVariables,
  };
  for (const name of Object.keys(queues) as QueueName[]) {
    variables[queueVariables[name].url] = queueUrl(name);
    variables[queueVariables[name].deadLetterUrl] = queueUrl(deadLetterQueueName(name));
  }
  return { ...common, ...variables, STAGE: stage, LOG_LEVEL: 'SILENT', LOCAL_STAGE_FOLDER: '/' };
}
