import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dynamodbJarFolder } from '../../../../infra/develop/local/dynamodb.ts';
import { useDynamodbLocal } from '../../../support/dynamodb-local.ts';
import { stage } from '../../../support/stage.ts';

const { baseUrl, environment } = stage;
const { access } = await useDynamodbLocal();
const servers = Object.entries({
  ...environment,
  AWS_ENDPOINT_URL_DYNAMODB: access.endpoint,
  API: baseUrl,
}).filter(([name]) => name === 'API' || name.startsWith('AWS_ENDPOINT_URL_'));

// On Linux, 127.0.0.2 is also an address of this machine. Servers must listen only on 127.0.0.1.
const onlyLinux = process.platform === 'linux' ? ['127.0.0.2'] : [];
const others = Object.values(networkInterfaces())
  .flat()
  .flatMap((network) => (network && !network.internal && network.family === 'IPv4' ? [network.address] : []));

/** Tries to open a TCP connection. Returns `connected` or the error code. */
const connecting = (host: string, port: number) =>
  new Promise<string>((resolve) => {
    const socket = connect({ host, port })
      .on('connect', () => resolve('connected'))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('connect', () => socket.destroy());
  });

test.each(servers)('%s is reachable only on the loopback address', async (_, url) => {
  const port = Number(new URL(url).port);
  expect(await connecting('127.0.0.1', port)).toBe('connected');
  for (const address of [...onlyLinux, ...others]) {
    expect([address, await connecting(address, port)]).toEqual([address, 'ECONNREFUSED']);
  }
});

/** Sends a POST request with headers that `fetch` does not allow. Returns the response's status. */
const statusWith = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end('{}');
  });

test.each(servers.filter(([name]) => name !== 'API'))(
  '%s refuses a foreign Host and every page',
  async (_, url) => {
    const { host, port } = new URL(url);
    const target = {
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'content-type': 'application/x-amz-json-1.0',
    };
    expect(await statusWith(url, { ...target, host: `attacker.example:${port}` })).toBe(403);
    expect(await statusWith(url, { ...target, host, origin: 'https://attacker.example' })).toBe(403);
    expect(await statusWith(url, { ...target, host, origin: `http://${host}` })).toBe(403);
    expect(await statusWith(url, { ...target, host: `localhost:${port}` })).not.toBe(403);
  },
);

test('all servers of the local stage are tested', () => {
  expect(servers.map(([name]) => name).sort()).toEqual([
    'API',
    'AWS_ENDPOINT_URL_DYNAMODB',
    'AWS_ENDPOINT_URL_KMS',
    'AWS_ENDPOINT_URL_SCHEDULER',
    'AWS_ENDPOINT_URL_SQS',
  ]);
});

// Runs only with javac 17, because another version may compile the source to different bytes.
const compiler = spawnSync('javac', ['-version'], { encoding: 'utf8' });
test.runIf(compiler.stdout?.startsWith('javac 17.'))('the compiled Java class matches its source', () => {
  const java = join(import.meta.dirname, '../../../../infra/develop/local/java');
  const compiled = mkdtempSync(join(tmpdir(), 'incentives-java-'));
  onTestFinished(() => rmSync(compiled, { recursive: true }));
  const path = ['DynamoDBLocal.jar', 'DynamoDBLocal_lib/*'].map((jars) => join(dynamodbJarFolder(), jars));
  const quick = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
  const flags = [...quick, '--release', '17', '-g:none', '-cp', path.join(delimiter), '-d', compiled];
  execFileSync('javac', [...flags, join(java, 'LoopbackServer.java')]);
  const name = 'LoopbackServer.class';
  expect(readFileSync(join(compiled, name)).equals(readFileSync(join(java, name)))).toBe(true);
});
