import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { routesInStage } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { registerTextImports } from '../../common/page-assets.ts';
import { timeoutSecondsOf } from '../../deploy/endpoints.ts';
import { createApiServer, type LoggedRequest } from './api-server.ts';
import { systemClock } from './aws/clock.ts';
import type { AwsEndpoint } from './aws/endpoint.ts';
import { type Invoke, invokeFunction } from './aws/invoke-function.ts';
import { startLocalServices } from './background.ts';
import type { OnWorkerFailure } from './declared.ts';
import { createTable, startDynamodb } from './dynamodb.ts';
import { createGateway } from './gateway.ts';
import { listen } from './listen.ts';
import { beaconAt, localRoutes, timestampAuthorityAt } from './local-routes.ts';

const root = join(import.meta.dirname, '../../..');

type LocalStageOptions = {
  /** Port of the API. 0 picks a free port. */
  port: number;
  /** If absent, the data is lost when the stage stops. */
  data?: string | undefined;
  /** The table is created if it does not exist. */
  tableName?: string | undefined;
  onRequest?: (entry: LoggedRequest) => void;
  onWorkerFailure?: OnWorkerFailure;
  startDatabase?: typeof startDynamodb;
  wrapInvoke?: (invoke: Invoke) => Invoke;
  /** Factor for the time limits of functions and gateway, for busy machines. Defaults to 1. */
  timeoutFactor?: number;
};
export type LocalStage = {
  baseUrl: string;
  tableName: string;
  dynamodbEndpoint: string;
  environment: Record<string, string>;
  aws: AwsEndpoint;
  invoke: Invoke;
  stop: () => Promise<void>;
};

/** Starts the whole service on this machine, with the same handlers and table definition as in AWS. */
export async function startLocalStage({
  port,
  data,
  tableName = 'incentives-local',
  onRequest = () => {},
  onWorkerFailure = (worker, error) => console.error(`${worker}:`, error),
  startDatabase = startDynamodb,
  wrapInvoke = (invoke) => invoke,
  timeoutFactor = 1,
}: LocalStageOptions): Promise<LocalStage> {
  const dynamodb = await startDatabase({ folder: data });
  const invoke = wrapInvoke(invoker(timeoutFactor));
  const background = await startLocalServices(invoke, onWorkerFailure);
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
  const routes = routesInStage('local', allRoutes);
  const gateway = createGateway({
    routes,
    invoke,
    clock: systemClock,
    timeoutFactor,
    onFailure: onWorkerFailure,
  });
  const server = createApiServer({ gateway, onRequest, handleLocalRoute: localRoutes(background.aws) });
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await background.stop();
    await dynamodb.stop();
  };
  try {
    await createTable(new DynamoDBClient({}), tableName);
    await listen(server, port);
    const { port: own } = server.address() as AddressInfo;
    environment.PUBLIC_URL = `http://localhost:${own}`;
    // Uses an IP address, because the lookup of a name could wait for a thread behind lookups of webhooks.
    const address = `http://127.0.0.1:${own}`;
    environment.TIMESTAMP_AUTHORITIES = JSON.stringify([timestampAuthorityAt(address)]);
    environment.BEACON = JSON.stringify(beaconAt(address));
    Object.assign(process.env, environment);
    await background.start({ name: tableName, hasOldData: data !== undefined });
  } catch (error) {
    await stop();
    throw error;
  }
  const { aws } = background;
  const baseUrl = environment.PUBLIC_URL;
  return { baseUrl, tableName, dynamodbEndpoint: dynamodb.endpoint, environment, aws, invoke, stop };
}

registerTextImports();
// Loads functions with `require`, so that Node loads the files as they are. Test runners transform modules loaded with
// `import()`.
const require = createRequire(import.meta.url);

/** Unlike in AWS, all functions share the modules that they import. */
const load = (name: string) => require(join(root, 'functions', `${name}.ts`));

function invoker(timeoutFactor: number): Invoke {
  return async (name, event) => {
    const { handler } = load(name);
    const lambda = { name, handler, timeoutSeconds: timeoutFactor * timeoutSecondsOf(name) };
    return invokeFunction(lambda, event, { requestId: randomUUID() });
  };
}
