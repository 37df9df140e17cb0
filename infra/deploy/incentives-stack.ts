import { CfnOutput, Stack, Tags } from 'aws-cdk-lib';
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Route, routesInStage } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { type Environment, type QueueName, queueVariables } from '../../shared/environment.ts';
import { createAlarms } from './constructs/alarms.ts';
import { addEndpoints, createApis, type DeployedApis, originOf } from './constructs/api.ts';
import { createDashboard } from './constructs/dashboard.ts';
import { createEndpointFunction } from './constructs/endpoint-function.ts';
import { createQueue, denyPlainHttp, type QueuePair } from './constructs/queue.ts';
import type { StageResources } from './constructs/stage-resources.ts';
import { createBookKey, createDrawKey, createTable, removalPolicyOf } from './constructs/table.ts';
import { createWorker, type DeployedWorker } from './constructs/worker.ts';
import { authorizerFunction } from './endpoints.ts';
import { checkSettings } from './settings.ts';
import {
  type DeployedStage,
  publicUrlOf,
  type StageSettings,
  stackNameOf,
  stackOutputName,
  stages,
} from './stages.ts';
import * as project from './workers.ts';

export type BackgroundDeclarations = Pick<typeof project, 'queues' | 'schedules' | 'workers'>;

export type StackOptions = {
  stage: DeployedStage;
  bundles: string;
  /** Defaults to the stage's settings in `infra/deploy/stages.ts`. */
  settings?: StageSettings;
  /** Endpoints that do not exist on this stage are ignored. */
  routes?: Route[];
  background?: BackgroundDeclarations;
};

/** Throws BadSetting if a setting is missing or invalid. */
export function createStack(scope: Construct, options: StackOptions): Stack {
  const { stage, settings = stages[stage], routes = allRoutes, background = project } = options;
  checkSettings(stage, settings);
  const stack = new Stack(scope, stackNameOf(stage), {
    description: `Incentives (${stage}): tickets, entries and games for a host app's users`,
    terminationProtection: settings.keepsData,
    // With `env`, CDK refuses credentials of another account.
    ...(settings.deploysTo ? { env: settings.deploysTo } : {}),
  });
  // IAM policies name keys by this tag, because a key's ARN is random.
  Tags.of(stack).add('incentives', stage, { includeResourceTypes: ['AWS::KMS::Key'] });
  const onStage = routesInStage(stage, routes);
  const homeOfApis = new Construct(stack, 'Api');
  const api = createApis(homeOfApis, { stage, settings, logs: logsOf(settings) });
  const resources = createResources(stack, { ...options, settings, background, api });
  const functions = createEndpoints(stack, { routes: onStage, settings, resources });
  addEndpoints(homeOfApis, api, functions);
  const home = new Construct(stack, 'Workers');
  const workers = background.workers.map((worker) =>
    createWorker(home, { worker, schedules: background.schedules, resources }),
  );
  denyPlainHttp(stack);
  const monitored = {
    stage,
    api,
    endpoints: onStage,
    table: resources.table,
    queues: resources.queues,
    workers,
    schedules: background.schedules,
    email: settings.alarmEmail,
  };
  const alarms = createAlarms(new Construct(stack, 'Alarms'), monitored);
  createDashboard(stack, monitored, alarms);
  addOutputs(stack, resources, settings.domain?.isOnlyAddress ? undefined : api, workers);
  return stack;
}

type ResourceOptions = Pick<StackOptions, 'stage' | 'bundles'> & {
  settings: StageSettings;
  background: BackgroundDeclarations;
  api: DeployedApis;
};

function createResources(
  stack: Stack,
  { stage, bundles, settings, background, api }: ResourceOptions,
): StageResources {
  const home = new Construct(stack, 'Queues');
  const queues: Partial<Record<QueueName, QueuePair>> = {};
  for (const [name, queue] of Object.entries(background.queues)) {
    queues[name as QueueName] = createQueue(new Construct(home, name), queue);
  }
  const publicUrl = publicUrlOf(settings);
  return {
    stage,
    bundles,
    publicUrl,
    playUrl: publicUrl ? undefined : originOf(api.playApi),
    timestampAuthorities: settings.timestampAuthorities,
    queueConcurrency: settings.queueConcurrency,
    logs: logsOf(settings),
    ...createTable(stack, settings),
    drawKey: createDrawKey(stack, settings),
    bookKey: createBookKey(stack, settings),
    queues,
  };
}

const logsOf = (settings: StageSettings): LogGroupProps => ({
  retention: settings.logRetentionDays,
  removalPolicy: removalPolicyOf(settings),
});

type EndpointOptions = { routes: Route[]; settings: StageSettings; resources: StageResources };

function createEndpoints(stack: Stack, { routes, settings, resources }: EndpointOptions) {
  const home = new Construct(stack, 'Endpoints');
  // All endpoints share one log group, because one per endpoint would take almost 40 of the 500 resources that a stack
  // can have.
  const logGroup = new LogGroup(home, 'Log', resources.logs);
  const ofAuthorizer = { logGroup, reservedConcurrency: settings.authorizerConcurrency };
  const authorizer = createEndpointFunction(home, authorizerFunction, resources, ofAuthorizer);
  const endpoints = routes.map((route) => {
    const reservedConcurrency = route.credential === 'play-token' ? settings.playConcurrency : undefined;
    const options = { logGroup, reservedConcurrency };
    return { route, target: createEndpointFunction(home, route, resources, options) };
  });
  return { endpoints, authorizer };
}

/** Adds the stack outputs that tell operators' commands the names and addresses of the stage's resources. */
function addOutputs(
  stack: Stack,
  { table, key, drawKey, bookKey, queues, stage, publicUrl }: StageResources,
  api: DeployedApis | undefined,
  workers: DeployedWorker[],
): void {
  const ofQueues = Object.entries(queues).flatMap(([name, { queue, deadLetters }]) => {
    const variables = queueVariables[name as QueueName];
    return [
      [variables.url, queue.queueUrl],
      [variables.deadLetterUrl, deadLetters.queueUrl],
    ] as const;
  });
  const variables: Environment = {
    TABLE_NAME: table.tableName,
    KEY_ARN: key.keyArn,
    DRAW_KEY_ARN: drawKey.keyArn,
    BOOK_KEY_ARN: bookKey.keyArn,
    ...Object.fromEntries(ofQueues),
    API_URL: api ? `${originOf(api.api)}/${stage}` : publicUrl!,
    PLAY_URL: api ? originOf(api.playApi) : publicUrl!,
    ...Object.assign({}, ...workers.map(({ scheduleVariables }) => scheduleVariables)),
  };
  for (const [variable, value] of Object.entries(variables))
    new CfnOutput(stack, stackOutputName(variable), { value });
}
