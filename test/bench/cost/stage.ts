/** Local stage for the cost model. Functions call the local AWS services directly, or through proxies that count. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startLocalServices } from '../../../infra/develop/local/background.ts';
import { createTable } from '../../../infra/develop/local/dynamodb.ts';
import { useTable } from '../table.ts';
import { startWire, type Wire } from '../wire.ts';

type Environment = Record<string, string>;

export type MeasuredStage = {
  /** Counting proxy to DynamoDB Local. */
  table: Wire;
  /** Counting proxy to the local SQS and KMS. */
  others: Wire;
  /** Runs a function with environment variables that send its AWS calls through the counting proxies. */
  wired<T>(run: () => Promise<T>): Promise<T>;
  /** Runs a function with environment variables that send its AWS calls directly to the local services. */
  direct<T>(run: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** Starts a local stage with its own table in the bench's DynamoDB Local. */
export async function startMeasuredStage(): Promise<MeasuredStage> {
  await useTable();
  const TABLE_NAME = `incentives-cost-${Date.now()}`;
  await createTable(new DynamoDBClient({}), TABLE_NAME, { stream: false });
  const background = await startLocalServices(
    async () => {},
    () => {},
  );
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB!;
  const [table, others] = await Promise.all([startWire(endpoint), startWire(background.aws.url)]);
  const direct: Environment = {
    ...background.environment,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    TABLE_NAME,
    LOG_LEVEL: 'INFO',
    METRICS_NAMESPACE: 'incentives',
    PUBLIC_URL: 'https://play.example.com',
    // Endpoint that the SDK uses for SQS. Without this variable, the SDK would call AWS.
    AWS_ENDPOINT_URL_SQS: background.aws.url,
  };
  const wired = Object.fromEntries(
    Object.entries(direct).map(([name, value]) => [name, value.replace(background.aws.url, others.url)]),
  );
  wired.AWS_ENDPOINT_URL_DYNAMODB = table.url;
  return {
    table,
    others,
    wired: (run) => inEnvironment(wired, run),
    direct: (run) => inEnvironment(direct, run),
    async stop() {
      await Promise.all([table.close(), others.close(), background.stop()]);
    },
  };
}

async function inEnvironment<T>(environment: Environment, run: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}
