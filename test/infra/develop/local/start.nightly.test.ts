import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoLink, npmStart, ready, type Started, stop, until } from '../../../support/npm-start.ts';

const own = mkdtempSync(join(tmpdir(), 'incentives-start-'));
const stageFolder = join(own, 'stage');
const stageFile = join(stageFolder, 'stage.json');
afterAll(() => rmSync(own, { recursive: true, force: true }));

const running: Started[] = [];

function start(env: Record<string, string> = {}, args: string[] = []): Started {
  const started = npmStart(stageFolder, { args, env });
  running.push(started);
  return started;
}
const stopAll = () => Promise.all(running.splice(0).map(stop));
/** Returns the ids of a process's running child processes. */
async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.filter(([, parent]) => parent === pid).map(([id]) => id!);
}
const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
/** Sends a request to the API for the first organization or the demo's. Returns the response's body. */
async function ask(method: string, path: string, owner: 'first' | 'demo' = 'first', body?: object) {
  const file = JSON.parse(readFileSync(stageFile, 'utf8'));
  const { organization_id, api_key } = owner === 'demo' ? file.demo : file;
  const headers = { authorization: `Bearer ${api_key}`, 'x-organization-id': organization_id };
  const sent = body ? { body: JSON.stringify(body) } : {};
  const answer = await fetch(file.base_url + path, { method, headers, ...sent });
  return (await answer.json()) as Record<string, unknown>;
}
/** Reads the organization, API key and user from the stage file, and the user's ticket balance from the API. */
async function welcomed() {
  const { organization_id, api_key, user_id } = JSON.parse(readFileSync(stageFile, 'utf8'));
  const { balance } = await ask('GET', `/users/${user_id}/tickets/balance`);
  return { organization_id, api_key, user_id, balance };
}
type Welcomed = Awaited<ReturnType<typeof welcomed>>;

describe('npm start', () => {
  const data = join(own, 'data');
  let stage: Started;
  let first: Welcomed;
  beforeAll(async () => {
    stage = start({}, ['--data', data]);
    await ready(stage);
  });
  afterAll(stopAll);

  test('prints its address, and writes it to a file that only its owner can read', async () => {
    const baseUrl = await ready(stage);
    expect(JSON.parse(readFileSync(stageFile, 'utf8'))).toMatchObject({
      pid: stage.child.pid,
      base_url: baseUrl,
      organization_id: expect.stringMatching(/^org_/),
      api_key: expect.stringMatching(/^inc_local_/),
      user_id: expect.stringMatching(/^usr_/),
      demo: { organization_id: expect.stringMatching(/^org_/), api_key: expect.any(String) },
      table_name: expect.any(String),
      dynamodb_endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect(statSync(stageFile).mode & 0o777).toBe(0o600);
    expect(stage.output()).toContain(stageFile.split('/').at(-1));
  });

  test('prints a working link to its console', async () => {
    await ready(stage);
    const link = await until(() => /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(stage.output())?.[0], stage);
    const { status, headers } = await fetch(link, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([303, '/']);
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    for (const path of ['/', '/console.js', '/console.css', '/commands'])
      expect((await fetch(new URL(path, link), { headers: { cookie } })).status).toBe(200);
  });

  test('prints a working link to its demo', async () => {
    const link = await demoLink(stage);
    for (const path of ['/', '/demo.js', '/demo.css'])
      expect((await fetch(new URL(path, link))).status).toBe(200);
  });

  test('prints curl commands that work', async () => {
    await ready(stage);
    const lines = stage
      .output()
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    const answers: Record<string, unknown>[] = [];
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('bash', ['-c', line]);
      answers.push(JSON.parse(stdout));
    }
    expect(answers.slice(0, 3)).toMatchObject([
      { status: 'success', balance: 100 },
      { status: 'success', new_ticket_balance: 105 },
      { status: 'success', transactions: [{ amount: 5 }, { amount: 100 }] },
    ]);
    for (const answer of answers) expect(answer.status).toBe('success');
  });

  test('prints the variables for the programs of the guides', async () => {
    const lines = stage.output().match(/^export .*$/gm);
    const { base_url, organization_id, api_key } = JSON.parse(readFileSync(stageFile, 'utf8'));
    expect(lines).toEqual([
      `export INCENTIVES_URL=${base_url}`,
      `export INCENTIVES_ORGANIZATION=${organization_id}`,
      `export INCENTIVES_KEY=${api_key}`,
    ]);
  });

  test('logs each request on a line', async () => {
    const { base_url } = JSON.parse(readFileSync(stageFile, 'utf8'));
    await fetch(`${base_url}/nowhere?secret=1`, { method: 'DELETE' });
    const line = await until(() => /^.*DELETE +\/nowhere .*$/m.exec(stage.output())?.[0], stage);
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}DELETE +\/nowhere {2}404 {2}\d+ ms {2}Not Found$/);
  });

  test('refuses to start twice for the same folder, and leaves the first stage running', async () => {
    const second = start();
    expect(await second.ended).toBe(1);
    const { base_url, pid } = JSON.parse(readFileSync(stageFile, 'utf8'));
    expect(second.output()).toContain('Not started. A local stage is already running for this folder');
    expect(second.output()).toContain(`${base_url} (process ${pid})`);
    expect((await fetch(base_url)).status).toBe(404);
  });

  test('refuses a port in use, and leaves nothing behind', async () => {
    const { base_url } = JSON.parse(readFileSync(stageFile, 'utf8'));
    const { port } = new URL(base_url);
    const second = start({ PORT: port, LOCAL_STAGE_FOLDER: join(own, 'second') });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`Not started. Port ${port} is in use.`);
    expect(existsSync(join(own, 'second'))).toBe(false);
  });

  test('leaves nothing but its kept data after Ctrl-C', async () => {
    first = await welcomed();
    const children = await childrenOf(stage.child.pid!);
    expect(children.length).toBeGreaterThan(0);
    stage.child.kill('SIGINT');
    expect(await stage.ended).toBe(0);
    // Polls the child processes, because esbuild's process exits shortly after the stage that started it.
    await expect.poll(() => children.filter(alive), { timeout: 90_000 }).toEqual([]);
    expect(existsSync(stageFolder)).toBe(false);
  });

  test('reads its kept organization, key, user and balance', async () => {
    stage = start({}, ['--data', data]);
    await ready(stage);
    expect(await welcomed()).toEqual(first);
    expect(first.balance).toBe(105);
  });

  test('starts again after its user was erased and the wheel paused', async () => {
    const { organization_id, user_id } = first;
    const admin = async (...args: string[]) => {
      const script = 'operate/admin/main.ts';
      const of = ['--org', organization_id, '--why', 'test', '--stage', 'local'];
      const command = npmStart(stageFolder, { script, args: [...args, ...of], env: { TABLE_NAME: '' } });
      expect(await command.ended, command.output()).toBe(0);
    };
    await Promise.all([
      admin('user', 'erase', '--user', user_id),
      admin('game', 'pause', '--game', 'prizewheel'),
    ]);
    stage.child.kill('SIGINT');
    expect(await stage.ended).toBe(0);
    stage = start({}, ['--data', data]);
    await ready(stage);
    expect(stage.output()).toContain('Play URL: refused (');
    const { balance, ...second } = await welcomed();
    expect(second).toMatchObject({ organization_id, user_id: expect.not.stringContaining(user_id) });
    expect(balance).toBe(100);
    const link = await demoLink(stage);
    const { frame_origins } = await ask('GET', '/page', 'demo');
    expect(frame_origins).toContain(new URL(link).origin);
    const headers = { 'content-type': 'application/json', 'x-incentives-page': '1' };
    const body = '{"do":"spin-run"}';
    const run = await fetch(`${link}actions`, { method: 'POST', headers, body });
    expect(await run.text()).toBe('{}');
  });

  test('ends its database when it is killed', async () => {
    const { dynamodb_endpoint } = JSON.parse(readFileSync(stageFile, 'utf8'));
    const answers = () =>
      fetch(dynamodb_endpoint).then(
        () => true,
        () => false,
      );
    expect(await answers()).toBe(true);
    stage.child.kill('SIGKILL');
    await stage.ended;
    await expect.poll(answers, { timeout: 90_000 }).toBe(false);
  });

  test('ignores the file of a stage that was killed, and leaves nothing behind if it is stopped during startup', async () => {
    expect(existsSync(stageFile)).toBe(true);
    stage = start();
    let children: number[] = [];
    await expect
      .poll(async () => (children = await childrenOf(stage.child.pid!)), { timeout: 90_000 })
      .not.toEqual([]);
    stage.child.kill('SIGINT');
    expect(await stage.ended).toBe(0);
    await expect.poll(() => children.filter(alive), { timeout: 90_000 }).toEqual([]);
    expect(existsSync(stageFolder)).toBe(false);
  });
});

test('the processes of npm start end, and free its port, when npm is killed', async () => {
  const stage = npmStart(stageFolder, { command: ['npm', 'start'] });
  const url = await ready(stage);
  stage.child.kill('SIGTERM');
  // The output closes when its last process has ended.
  await stage.ended;
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(stageFolder)).toBe(false);
});

describe('npm start explains', () => {
  const refused = async (env: Record<string, string>, code: number, ...args: string[]) => {
    const stage = start(env, args);
    expect(await stage.ended).toBe(code);
    expect(stage.output()).toContain('Not started.');
    expect(stage.output()).not.toContain('    at ');
    expect(existsSync(stageFile)).toBe(false);
    return stage.output();
  };

  test('missing Java', async () => {
    const nowhere = mkdtempSync(join(own, 'no-java-'));
    const PATH = [nowhere, dirname(process.execPath)].join(delimiter);
    const message = 'DynamoDB Local needs Java, but none was found. Install Java 17 or newer';
    expect(await refused({ PATH }, 1)).toContain(message);
  });

  test.each(['operate/admin/main.ts org list --stage local'])('a missing stage, for %s', async (command) => {
    const env = { ...process.env, TABLE_NAME: '', LOCAL_STAGE_FOLDER: stageFolder };
    const [script = '', ...args] = command.split(' ');
    const ended = promisify(execFile)(process.execPath, [join('infra', script), ...args], { env });
    const { stderr } = await ended.then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(stderr).toContain(`No local stage is running (${stageFile})`);
    expect(stderr).toContain('LOCAL_STAGE_FOLDER');
  });

  test('an unknown option', async () => {
    expect(await refused({}, 2, '--unknown')).toContain('npm start -- --data <folder>');
  });
});
