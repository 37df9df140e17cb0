import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { allRoutes } from '../../shared/api/routes.ts';
import { bundleForLocal } from '../bundle.ts';
import { startBackground } from './background.ts';
import { createTable, startDynamodb } from './dynamodb.ts';
import { lambdaContext } from './events.ts';
import { createGateway, type Invoke, type Logged } from './gateway.ts';
import { localOperations } from './operations.ts';
import { Problem } from './problem.ts';

const root = join(import.meta.dirname, '../..');
const tableName = 'incentives-local';

/** How a local stage is to be started. */
export type LocalStageOptions = {
  /** Port of the API on this machine; 0 picks one. */
  port: number;
  /** Folder to keep the data in; without one they are thrown away. */
  data?: string | undefined;
  logged?: (entry: Logged) => void;
  now?: () => number;
};
/** A running local stage. */
export type LocalStage = {
  baseUrl: string;
  tableName: string;
  dynamodbEndpoint: string;
  /** Runs a Lambda function as AWS would. */
  invoke: Invoke;
  stop: () => Promise<void>;
};

/** Starts the whole service on this machine, on the same handlers and the same table definition as on AWS. */
export async function startLocalStage({
  port,
  data,
  logged = () => {},
  now = Date.now,
}: LocalStageOptions): Promise<LocalStage> {
  // Under the project's folder, so that what the bundles leave outside is found where it is installed.
  const build = mkdtempSync(join(buildFolder(), 'local-'));
  const [dynamodb] = await Promise.all([startDynamodb({ folder: data }), bundleForLocal(build)]);
  const environment = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: tableName,
    STAGE: 'local',
  };
  Object.assign(process.env, environment);
  await createTable(new DynamoDBClient({}), tableName);
  const load = loader(build);
  const invoke: Invoke = async (name, event, context = lambdaContext(name, 60_000)) =>
    (await load(name))(event, context);
  const background = await startBackground({ tableName, load });
  const extra = localOperations(background, now);
  const server = createGateway({ routes: routesOf('local'), invoke, now, logged, extra });
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await background.stop();
    await dynamodb.stop();
    rmSync(build, { recursive: true, force: true });
  };
  try {
    await listening(server, port);
  } catch (error) {
    await stop();
    throw error;
  }
  const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  process.env.PUBLIC_URL = baseUrl;
  return { baseUrl, tableName, dynamodbEndpoint: dynamodb.endpoint, invoke, stop };
}

/** The endpoints that exist on a stage. */
function routesOf(stage: 'local') {
  return allRoutes.filter(({ stages }) => stages === undefined || stages.includes(stage));
}

function buildFolder(): string {
  const folder = join(root, '.build');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Loads a function's bundle when it is first called, as a cold start does. */
function loader(build: string) {
  return async (functionName: string) =>
    (await import(pathToFileURL(join(build, `${functionName}.mjs`)).href)).handler;
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
