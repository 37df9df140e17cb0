import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundleForLambda } from '../../infra/deploy/bundle.ts';
import { workers } from '../../infra/deploy/workers.ts';
import type { Access } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';

const root = join(import.meta.dirname, '../..');

/** The clients of AWS, each as little as a function could do with it. */
const clients = {
  dynamodb: `
    import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
    import { DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
    const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}));
    export const dynamodbCalls = [() => dynamodb.send(new GetCommand({})), () => dynamodb.send(new TransactWriteCommand({}))];`,
  sqs: `
    import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
    const sqs = new SQSClient({});
    export const sqsCalls = [() => sqs.send(new SendMessageBatchCommand({}))];`,
};
export type Client = keyof typeof clients;

/** The clients that a function's declared access takes. */
export function clientsFor({ table = [], index, sends = [], parks = [] }: Access) {
  const needed: Record<Client, boolean> = {
    dynamodb: table.length > 0 || index === true,
    sqs: sends.length + parks.length > 0,
  };
  return (Object.keys(needed) as Client[]).filter((client) => needed[client]);
}

/** The declared access of a function; the authorizer reads one item. */
export function accessOf(name: string): Access {
  const declared = [...allRoutes, ...workers].find((one) => one.name === name);
  return declared?.access ?? { table: ['GetItem'] };
}

/** The name of the bundle of some clients alone. */
export const floorOf = (of: Client[]) => `floor-${of.join('-')}`;

/**
 * Bundles the least that functions with such clients could be, as they are bundled themselves: the clients, and
 * nothing else. They stand in `<folder>/<floorOf(clients)>/index.js`.
 */
export async function bundleFloors(folder: string, sets: Client[][]): Promise<Metafile> {
  const sources = join(root, '.build/floors');
  mkdirSync(sources, { recursive: true });
  const names = [...new Map(sets.map((of) => [floorOf(of), of]))].map(([name, of]) => {
    writeFileSync(join(sources, `${name}.ts`), of.map((client) => clients[client]).join('\n'));
    return name;
  });
  return bundleForLambda(folder, names, relative(root, sources));
}

/** The name of the bundle of the least that any function could be. */
export const leastFloor = 'floor-least';

// What a bundle for Lambda leaves out, too.
const neverUsed = ['ini', 'sso', 'process', 'web-identity', 'login', 'http']
  .map((way) => `@aws-sdk/credential-provider-${way}`)
  .concat('@smithy/credential-provider-imds');
const least = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
  export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}));`;

/**
 * Bundles the least that any function could be that has to do with the table: DynamoDB's client and document client,
 * which call nothing, as an ES module. It stands in `<folder>/<leastFloor>/index.mjs`.
 */
export async function bundleLeastFloor(folder: string): Promise<void> {
  await build({
    stdin: { contents: least, resolveDir: root },
    outfile: join(folder, leastFloor, 'index.mjs'),
    bundle: true,
    external: neverUsed,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
  });
}
