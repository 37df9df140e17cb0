import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleForLambda } from '../../infra/deploy/bundle.ts';
import { workers } from '../../infra/deploy/workers.ts';
import type { Access } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';

const root = join(import.meta.dirname, '../..');

/** Programs that only create and call one AWS client. Their bundles are the baselines for the functions' bundles. */
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
  kms: `
    import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
    const kms = new KMSClient({});
    export const kmsCalls = [() => kms.send(new DecryptCommand({}))];`,
};
export type Client = keyof typeof clients;

/** Returns the AWS clients that a function with the given declared access needs. */
export function clientsFor({ table = [], index, sends = [], parks = [], draws, key = [], signs }: Access) {
  const needed: Record<Client, boolean> = {
    dynamodb: table.length > 0 || index === true,
    sqs: sends.length + parks.length > 0,
    kms: draws === true || key.length > 0 || signs === true,
  };
  return (Object.keys(needed) as Client[]).filter((client) => needed[client]);
}

/** Returns a function's declared access. The authorizer has no declaration; it reads one item. */
export function accessOf(name: string): Access {
  const declared = [...allRoutes, ...workers].find((one) => one.name === name);
  return declared?.access ?? { table: ['GetItem'] };
}

/** Returns the name of the baseline bundle for a set of AWS clients. */
export const baselineOf = (of: Client[]) => `floor-${of.join('-')}`;

/**
 * Bundles each set of AWS clients without application code, with the functions' bundler settings. Writes
 * `<folder>/<baselineOf(set)>/index.js`. Returns esbuild's metafile.
 */
export async function bundleBaselines(folder: string, sets: Client[][]): Promise<Metafile> {
  const sources = join(root, '.build/floors');
  mkdirSync(sources, { recursive: true });
  const names = [...new Map(sets.map((of) => [baselineOf(of), of]))].map(([name, of]) => {
    writeFileSync(join(sources, `${name}.ts`), of.map((client) => clients[client]).join('\n'));
    return name;
  });
  return bundleForLambda(folder, names, relative(root, sources));
}
