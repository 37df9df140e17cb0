/** Rehearses a restore on the local stage, step by step as in the guide "Restore a stage". */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BatchWriteItemCommand, paginateScan, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StageFile } from '../../../infra/common/stage-file.ts';
import { createTable } from '../../../infra/develop/local/dynamodb.ts';
import { addDays, dayOf } from '../../../shared/time.ts';
import { useDynamodbLocal } from '../../support/dynamodb-local.ts';
import { type LineProcess, startProcess } from '../../support/line-process.ts';
import { type Arrived, type Receiver, startReceiver } from '../../support/receiver.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'incentives-restore-'));
const damaged = `damaged-${crypto.randomUUID()}`;
const restored = `restored-${crypto.randomUUID()}`;

/** The running stage, in a process of its own: a restored stage must find everything in its table. */
let running: LineProcess | undefined;
let receiver: Receiver;
let stage: Omit<StageFile, 'pid' | 'table_name' | 'dynamodb_endpoint'>;
const { client, access } = await useDynamodbLocal();

async function start(table: string): Promise<void> {
  running = startProcess('infra/deploy/stage-process.ts', [access.endpoint, table]);
  stage = await resultOf(running.next());
}
async function end(): Promise<void> {
  running?.end();
  await running?.ended;
  running = undefined;
}
afterAll(async () => {
  await end();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the next result that the stage's process prints. Skips other output, such as logs. */
async function resultOf(line: Promise<string>) {
  for (let text = await line; ; text = await running!.next())
    if (text.startsWith('> ')) return JSON.parse(text.slice(2));
}
const ofStage = (args: string[]) => [...args, '--org', stage.organization_id, '--stage', 'local'];
/** Runs an operator's command on the running stage. Returns its exit code and its JSON output. */
async function admin(...args: string[]) {
  const { code, text } = await resultOf(running!.ask(JSON.stringify(ofStage(args))));
  return { code, json: JSON.parse(text) };
}

/** Runs a script in a new Node process. Returns its exit code and its JSON output. */
async function script(path: string, args: string[], env: Record<string, string> = {}) {
  const run = promisify(execFile)(process.execPath, [join(root, path), ...args], {
    env: env as unknown as NodeJS.ProcessEnv,
  });
  const { stdout, code = 0 } = (await run.catch((error) => error)) as { stdout: string; code?: number };
  return { code, json: JSON.parse(stdout) };
}
/** Runs an admin command on the damaged table. `admin` runs commands on the restored table. */
const onDamaged = (...args: string[]) =>
  script('infra/operate/admin/main.ts', ofStage(args), { ...stage.environment, TABLE_NAME: damaged });

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
type Body = any;
async function call(path: string, body?: object, key = stage.api_key) {
  const response = await fetch(path.startsWith('http') ? path : stage.base_url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'x-organization-id': stage.organization_id },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed') === 'true',
    body: (text.startsWith('{') ? JSON.parse(text) : text) as Body,
  };
}
const credit = (amount: number, key: string) =>
  call(`/users/${stage.user_id}/tickets/credit`, { amount, idempotency_key: key });
const guestSpin = (key: string) =>
  call(`/users/guest/${stage.user_id}/game/play`, { num_of_spins: 1, idempotency_key: key });
const queue = (spins: number, key: string) =>
  call(`/users/${stage.user_id}/game/queue`, { num_of_spins: spins, idempotency_key: key });
const playUrl = async () => (await call(`/users/${stage.user_id}/games/play`, {})).body.url as string;
const spin = (url: string) => call(`${url.replace(/^http:\/\/localhost:\d+/, stage.base_url)}/spin`, {});
const fire = (schedule: string, now: string) => call(`/local/schedules/${schedule}`, { now });
const balance = async () => (await call(`/users/${stage.user_id}/tickets/balance`)).body.balance as number;
const events = async (after = '') =>
  (await call(`/events?user_id=${stage.user_id}&after=${after}`)).body as Body;
const outcomes = async () =>
  (await call(`/users/${stage.user_id}/games/history?limit=1000`)).body.items as { id: string }[];

/** Finds the order of three free spins. Returns the prize id of each spin by its `spin_index`. */
async function ranOfThree() {
  const file = join(folder, 'user.json');
  await admin('user', 'export', '--user', stage.user_id, '--file', file);
  const { outcomes } = JSON.parse(readFileSync(file, 'utf8')) as { outcomes: Body[] };
  const byOrder = Object.values(Object.groupBy(outcomes, ({ order_id = '' }) => order_id));
  const three = byOrder.find((spins) => spins?.[0].order_id && spins.length === 3) ?? [];
  return Object.fromEntries(three.map(({ spin_index, prize_id }) => [spin_index, prize_id]));
}

/** Restores as AWS does: copies all items to a new table, then enables the table's stream. */
async function restore(): Promise<void> {
  await createTable(client, restored, { stream: false });
  for await (const { Items = [] } of paginateScan({ client, pageSize: 25 }, { TableName: damaged })) {
    const puts = Items.map((Item) => ({ PutRequest: { Item } }));
    if (puts.length > 0) await client.send(new BatchWriteItemCommand({ RequestItems: { [restored]: puts } }));
  }
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } as const;
  await client.send(new UpdateTableCommand({ TableName: restored, StreamSpecification }));
}

/** Data created before and after the restore point. */
const before = { balance: 0, outcomes: [] as { id: string }[], credit: '', key: '', open: '' };
const after = { credit: '', play: '', outcome: '', seed: '', outcomes: 0, spins: {}, cursor: '' };
let calls: Arrived[];

beforeAll(async () => {
  receiver = await startReceiver();
  await start(damaged);
  await call('/webhooks', { callback_url: receiver.url, secret_key: 'a secret of the rehearsal' });
  before.credit = (await credit(5, 'first')).body.transaction_id;
  await spin(await playUrl());
  await guestSpin('guest-1');
  await queue(3, 'queue-1');
  before.key = (await admin('key', 'create')).json.api_key;
  before.open = await playUrl();
  before.balance = await balance();
  before.outcomes = await outcomes();
  await restore();

  after.credit = (await credit(7, 'second')).body.transaction_id;
  after.play = await playUrl();
  after.outcome = (await spin(after.play)).body.outcome.id;
  after.seed = (await spin(before.open)).body.fairness.server_seed;
  await guestSpin('guest-2');
  await queue(2, 'queue-2');
  await admin('key', 'revoke', '--key', before.key.split('_')[2]!);
  await fire('spin-run', '2099-01-01T05:00:00Z');
  await receiver.until(10, ({ payload }) => payload.type === 'outcome');
  after.spins = await ranOfThree();
  after.outcomes = (await outcomes()).length;
  after.cursor = (await events()).next;
  await receiver.until(2, ({ payload }) => ['first', 'second'].includes(payload.data.idempotency_key));
  await end();
  calls = [...receiver.calls];
  await start(restored);
});

describe('a stage restored to a point in time', () => {
  test('has the data of that time', async () => {
    expect(await balance()).toBe(before.balance);
    expect(await outcomes()).toEqual(before.outcomes);
    expect(before.outcomes.length).toBeLessThan(after.outcomes);
  });

  test('replays earlier requests, and performs repeated later requests once', async () => {
    const known = await credit(5, 'first');
    expect([known.replayed, known.body.transaction_id]).toEqual([true, before.credit]);
    const repeated = await credit(7, 'second');
    expect([repeated.replayed, repeated.status]).toEqual([false, 200]);
    expect(repeated.body.transaction_id).not.toBe(after.credit);
    expect((await credit(7, 'second')).replayed).toBe(true);
    expect(await balance()).toBe(before.balance + 7);
    expect((await queue(3, 'queue-1')).body.total_queued_spins).toBe(3);
    expect((await queue(2, 'queue-2')).body.total_queued_spins).toBe(5);
  });

  test('has no later plays, and its open URLs stay valid for their 30 minutes', async () => {
    expect((await spin(after.play)).status).toBe(404);
    const ids = (await outcomes()).map(({ id }) => id);
    expect(ids).not.toContain(after.outcome);
    const { json } = await onDamaged('user', 'history', '--user', stage.user_id);
    expect(JSON.stringify(json)).toContain(after.outcome);
    // The restored stage draws again with a seed that the player has already seen. Therefore, operators must not deploy
    // the restored table until old play URLs have expired.
    expect((await spin(before.open)).body.fairness.server_seed).toBe(after.seed);
  });

  test('accepts keys that were revoked later until they are revoked again', async () => {
    const asked = () => call(`/users/${stage.user_id}`, undefined, before.key);
    expect((await asked()).status).toBe(200);
    await admin('key', 'revoke', '--key', before.key.split('_')[2]!);
    expect((await asked()).status).toBe(401);
  });

  test('sends webhooks for new events, and no old ones again', async () => {
    const isRepeated = ({ payload }: Arrived) => payload.data.idempotency_key === 'second';
    const news = () => receiver.calls.slice(calls.length);
    await expect.poll(() => news().filter(isRepeated).length).toBe(1);
    const ids = new Set(calls.map(({ id }) => id));
    expect(news().filter(({ id }) => ids.has(id))).toEqual([]);
    // The restored stage reuses a sequence number. Receivers that ignore lower sequence numbers would miss
    // this event.
    const last = Math.max(...calls.map(({ payload }) => payload.sequence));
    expect(news().find(isRepeated)!.payload.sequence).toBeLessThan(last);
  });

  test('accepts a later cursor, which continues with the new events', async () => {
    const page = await events(after.cursor);
    expect(page.events.map((event: Body) => event.data.idempotency_key)).toContain('second');
    const [first] = (await events()).events;
    expect(page.events.map(({ id }: Body) => id)).not.toContain(first.id);
  });

  test('closes a book of the day that the check accepts', async () => {
    const day = dayOf(Date.now());
    await fire('book-closing', `${addDays(day, 1)}T07:00:00Z`);
    const { json } = await admin('book', 'export', '--day', day, '--out', folder);
    const verdict = await script('infra/verify/main.ts', [...json.files, '--json']);
    expect(verdict).toMatchObject({ code: 0, json: { verdict: 'good' } });
  });

  test('runs the queued free spins once, with the same results as before', async () => {
    const had = (await outcomes()).length;
    await fire('spin-run', '2099-01-01T05:00:00Z');
    await fire('spin-run', '2099-01-01T05:00:00Z');
    await expect.poll(async () => (await outcomes()).length).toBe(had + 5);
    const { json } = await admin('user', 'find', '--user', stage.user_id);
    expect(json).toMatchObject({ queued_spins: 0 });
    expect(Object.keys(after.spins)).toHaveLength(3);
    expect(await ranOfThree()).toEqual(after.spins);
    const { total_count } = (await call('/game/history?page_size=100')).body;
    expect(total_count).toBe(had + 5);
  });
});
