import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { routesOf } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { resolvePageAssets } from '../../common/page-assets.ts';
import { Problem } from '../../common/problem.ts';
import { gatewayTimeoutSeconds, timeoutSecondsOf } from '../../deploy/endpoints.ts';
import { workers } from '../../deploy/workers.ts';
import { createApiServer, type Logged } from './api-server.ts';
import { systemClock } from './aws/clock.ts';
import type { AwsEndpoint } from './aws/endpoint.ts';
import { type Invoke, invokeFunction } from './aws/invoke-function.ts';
import { startBackground } from './background.ts';
import type { WorkerFailed } from './declared.ts';
import { createTable, startDynamodb } from './dynamodb.ts';
import { createGateway } from './gateway.ts';
import { beaconAt, localRoutes } from './local-routes.ts';

const root = join(import.meta.dirname, '../../..');

/** How a local stage is to be started. */
export type LocalStageOptions = {
  /** Port of the API on this machine; 0 picks one. */
  port: number;
  /** Folder to keep the data in; without one they are thrown away. */
  data?: string | undefined;
  /** The table that it runs on, and makes unless it is there. */
  tableName?: string | undefined;
  logged?: (entry: Logged) => void;
  workerFailed?: WorkerFailed;
  /** What is started for a database: DynamoDB Local by default. */
  startDatabase?: typeof startDynamodb;
  /** How many times as long as on AWS a function may take, on a machine that has other work; 1 by default. */
  patience?: number;
  /** For how long a key is known without the authorizer; 0 by default, so that a revoked one is refused at once. */
  authorizerTtlSeconds?: number;
};
/** A running local stage. */
export type LocalStage = {
  baseUrl: string;
  tableName: string;
  dynamodbEndpoint: string;
  /** The variables with which a function, or another process, finds all parts of the stage. */
  environment: Record<string, string>;
  /** The queues and schedules, to look at. */
  aws: AwsEndpoint;
  /** Runs a Lambda function as AWS would. */
  invoke: Invoke;
  stop: () => Promise<void>;
};

/** Starts the whole service on this machine, on the same handlers and the same table definition as on AWS. */
export async function startLocalStage({
  port,
  data,
  tableName = 'incentives-local',
  logged = () => {},
  workerFailed = (worker, error) => console.error(`${worker}:`, error),
  startDatabase = startDynamodb,
  patience = 1,
  authorizerTtlSeconds = 0,
}: LocalStageOptions): Promise<LocalStage> {
  await refusePortInUse(port);
  const dynamodb = await startDatabase({ folder: data });
  const invoke = invoker(patience);
  const background = await startBackground(invoke, workerFailed);
  const environment: Record<string, string> = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: tableName,
    STAGE: 'local',
    LOG_LEVEL: 'WARN',
    ...background.environment,
  };
  Object.assign(process.env, environment);
  const routes = routesOf('local', allRoutes);
  const gateway = createGateway({
    routes,
    invoke,
    clock: systemClock,
    timeoutSeconds: patience * gatewayTimeoutSeconds,
    authorizerTtlSeconds,
    failed: workerFailed,
  });
  const server = createApiServer({ gateway, logged, extra: localRoutes(background.aws) });
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await background.stop();
    await dynamodb.stop();
  };
  try {
    await createTable(new DynamoDBClient({}), tableName);
    await listening(server, port);
    environment.PUBLIC_URL = `http://localhost:${(server.address() as AddressInfo).port}`;
    environment.BEACON = JSON.stringify(beaconAt(environment.PUBLIC_URL));
    Object.assign(process.env, environment);
    // Workers are warm before there is work: the first event should not wait for a function to load.
    for (const { name } of workers) load(name);
    await background.start({ name: tableName, kept: data !== undefined });
  } catch (error) {
    await stop();
    throw error;
  }
  const { aws } = background;
  const baseUrl = environment.PUBLIC_URL;
  return { baseUrl, tableName, dynamodbEndpoint: dynamodb.endpoint, environment, aws, invoke, stop };
}

resolvePageAssets();
// Not by import(): a test runner would put the functions through its own transformation first.
const require = createRequire(import.meta.url);

/** The module of a function, from its sources; what functions have in common is loaded once for all of them. */
const load = (name: string) => require(join(root, 'functions', `${name}.ts`));

/** Loads a function when it is first called, as a cold start does, and calls its handler. */
function invoker(patience: number): Invoke {
  return async (name, event) => {
    const { handler } = load(name);
    const lambda = { name, handler, timeoutSeconds: patience * timeoutSecondsOf(name) };
    return invokeFunction(lambda, event, { requestId: randomUUID() });
  };
}

/** Says so at once, and not only when all the rest is up. */
async function refusePortInUse(port: number): Promise<void> {
  const server = createServer();
  await listening(server, port);
  await new Promise((closed) => server.close(closed));
}

async function listening(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Problem(`Port ${port} is in use. Stop what uses it, or choose another: PORT=3001 npm start`);
    }
    if (code === 'EACCES')
      throw new Problem(`Port ${port} may not be used by you. Choose another: PORT=3001 npm start`);
    throw error;
  }
}
