import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { parsePlayToken } from '../../../../infra/operate/admin/plays.ts';
import { readStageAlarms } from '../../../../infra/operate/admin/stage.ts';
import { recordListOf } from '../../../../shared/accounts/records.ts';
import { ulidOf } from '../../../../shared/ids.ts';
import { tableClient, tableName } from '../../../../shared/table/client.ts';
import { actionKey } from '../../../../shared/table/keys.ts';
import { newUrl, spinUrl } from '../../../games/support/plays.ts';
import { newOrganization } from '../../../support/api.ts';
import { prizeOf } from '../../../support/prize.ts';
import { putPrizeTable } from '../../../support/put-prize-table.ts';
import { testContext } from '../../../support/test-context.ts';
import { shown, smallOrganization } from './report/support.ts';

async function admin(...args: string[]) {
  const texts: Record<'out' | 'error', string> = { out: '', error: '' };
  const code = await runCommand([...args, '--stage', 'local'], {
    out: (text) => {
      texts.out += text;
    },
    error: (text) => {
      texts.error = text;
    },
  });
  return { code, ...texts, json: code === 2 || !texts.out ? undefined : JSON.parse(texts.out) };
}

test('every command accepts --json, and then prints JSON', async () => {
  const { organizationId } = await newOrganization();
  const amoe = ['report', 'amoe', '--org', organizationId, '--from', '2026-01-01', '--to', '2026-01-01'];
  expect((await admin(...amoe, '--csv', '--json')).json.text).toMatch(/^game,table.*\r\n/);
  expect((await admin('game', 'show', '--org', organizationId, '--json')).json.games).toBeDefined();
});

test('texts of a host cannot control the terminal or turn other text around, and stay the same in JSON', async () => {
  const name = 'Gift \u202e\u2066\u009b1m';
  const { organizationId } = await newOrganization(name);
  const { out, json } = await admin('org', 'list');
  expect(out).toContain('Gift \\u202e\\u2066\\u009b1m');
  expect(out).not.toMatch(/[^\P{C}\n]/u);
  const found = json.organizations.find(
    (one: Record<string, string>) => one.organization_id === organizationId,
  );
  expect(found.name).toBe(name);
  const { error } = await admin('org', name);
  expect(error).toContain('There is no command "org Gift \\u202e');
});

test('commands can run at the same time in one process', async () => {
  const { organizationId } = await newOrganization();
  const all = await Promise.all([1, 2, 3].map(() => admin('game', 'show', '--org', organizationId)));
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
});

test('organizations are listed with their names, without secrets', async () => {
  const { organizationId } = await newOrganization('Listed');
  const { organizations } = (await admin('org', 'list')).json;
  const found = organizations.find((one: { name: string }) => one.name === 'Listed');
  expect(found).toEqual({
    organization_id: organizationId,
    name: 'Listed',
    date_created: expect.stringMatching(/Z$/),
  });
});

describe('a user', () => {
  test("is found by id or reference, with balances, today's plays and queued spins", async () => {
    const api = await newOrganization();
    const { body } = await api.post('/users', { external_reference: 'anna' });
    await api.post(`/users/${body.user_id}/tickets/credit`, { amount: 7, idempotency_key: 'a' });
    await api.post(`/users/${body.user_id}/game/queue`, { num_of_spins: 3, idempotency_key: 'a' });
    const find = (...named: string[]) => admin('user', 'find', '--org', api.organizationId, ...named);
    const { json } = await find('--user', body.user_id);
    expect(json).toMatchObject({
      external_reference: 'anna',
      balances: { tickets: 7, truck: 0, flight: 0 },
      queued_spins: 3,
      plays_today: 0,
      record_number: 2,
    });
    const { sequence } = (await api.get(`/users/${body.user_id}/summary`)).body;
    expect(json.sequence).toBe(sequence);
    expect(JSON.stringify(json)).not.toMatch(/key|hash/);
    expect((await find('--reference', 'anna')).json).toEqual(json);
    const unknown = `No user of ${api.organizationId} has the reference "otto".`;
    expect(await find('--reference', 'otto')).toMatchObject({ code: 1, error: unknown });
    expect(await find()).toMatchObject({ code: 2, error: 'Give --user or --reference.' });
  });

  test('whose tickets changed last is listed first', async () => {
    const api = await newOrganization();
    const [anna, otto] = [await api.user(3), await api.user(4)];
    await api.post(`/users/${anna}/tickets/debit`, { amount: 1, idempotency_key: 'a' });
    const latest = async () => (await admin('user', 'latest', '--org', api.organizationId)).json.users;
    await expect.poll(latest).toMatchObject([
      { user_id: anna, tickets: 2 },
      { user_id: otto, tickets: 4 },
    ]);
  });

  test('has a history of all records, newest first, explained, and complete across pages', async () => {
    const { api, records } = await smallOrganization();
    const user = records[0]!.user_id;
    const own = records.filter(({ user_id }) => user_id === user).sort((a, b) => b.sequence - a.sequence);
    const args = ['user', 'history', '--org', api.organizationId, '--user', user];
    const listed: { record_number: number; sequence?: number; sentence: string }[] = [];
    let next: string | undefined;
    do {
      const { json } = await admin(...args, '--limit', '7', ...(next ? ['--after', next] : []));
      listed.push(...json.records);
      next = json.next;
    } while (next);
    expect(listed.map(({ record_number, sequence }) => [record_number, sequence])).toEqual(
      own.map((record) => [record.sequence, 'event_sequence' in record ? record.event_sequence : undefined]),
    );
    expect(new Set(own.map(recordListOf)).size).toBeGreaterThan(2);
    for (const { sentence } of listed) expect(sentence).toMatch(/^(The host|A play|A free spin|test) .+\.$/);
    const debit = listed.find(({ sentence }) => sentence.startsWith('The host debited 3 tickets'));
    expect(debit?.sentence).toBe('The host debited 3 tickets. The balance was 37 tickets after it.');
    const adjusted = listed.find(({ sentence }) => sentence.startsWith('test '));
    expect(adjusted).toMatchObject({
      sentence: expect.stringMatching(/^test took 4 tickets, “credited twice”\. The balance was \d+ tickets/),
      operator: 'test',
      why: 'credited twice',
    });
    expect(await admin(...args, '--after', 'yesterday')).toMatchObject({ code: 2 });
  });

  test('has a history even if an operator’s action that it names is missing from the table', async () => {
    const api = await newOrganization();
    const user = ['--org', api.organizationId, '--user', await api.user(9)];
    const change = ['--account', 'tickets', '--amount', '4', '--why', 'a gift', '--once', 'once'];
    const { code, json } = await admin('user', 'adjust', ...user, ...change);
    expect(code).toBe(0);
    const { pk, sk } = actionKey(api.organizationId, ulidOf(json.action_id));
    await tableClient.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
    const [adjusted] = (await admin('user', 'history', ...user)).json.records;
    expect(adjusted.sentence).toMatch(/^An operator/);
    expect(adjusted).not.toHaveProperty('why');
  });

  test('has tickets of free spins and of plays in its history, told apart on each page', async () => {
    const api = await newOrganization();
    await putPrizeTable(api.organizationId, 'prizewheel', [prizeOf('tickets', 5, 1)], testContext());
    const user = await api.user(1);
    await api.post(`/users/guest/${user}/game/play`, { num_of_spins: 1, idempotency_key: 'guest' });
    await spinUrl(await newUrl(api, user));
    const args = ['--org', api.organizationId, '--user', user, '--limit', '1'];
    const sentences: string[] = [];
    let next: string | undefined;
    do {
      const { json } = await admin('user', 'history', ...args, ...(next ? ['--after', next] : []));
      sentences.push(json.records[0].sentence.split('.')[0].replace(/ \(out_\w+\)/, ''));
      next = json.next;
    } while (next);
    expect(sentences.slice(0, 5)).toEqual([
      'A play won 5 tickets',
      'A play cost 1 ticket',
      'A play of the prize wheel for 1 ticket won 5 tickets',
      'A free spin won 5 tickets',
      'A free spin of the prize wheel won 5 tickets',
    ]);
  });

  test('has cancelled spins in its history with operator and reason, until they are restored', async () => {
    const api = await newOrganization();
    const user = await api.user();
    const queue = (num_of_spins: number, idempotency_key: string) =>
      api.post(`/users/${user}/game/queue`, { num_of_spins, idempotency_key });
    await queue(4, 'kept');
    await queue(9, 'cancelled');
    const args = ['--org', api.organizationId, '--user', user];
    const history = async () => (await admin('user', 'history', ...args)).json.records;
    const [{ order_id }] = await history();
    const change = (verb: string) => admin('user', verb, ...args, '--order', order_id, '--why', 'a slip');
    await change('cancel-spins');
    const [cancelled, kept] = await history();
    expect(cancelled).toMatchObject({
      sentence: 'The host queued 9 free spins. local cancelled all of them, “a slip”.',
      cancelled: 9,
      operator: 'local',
      why: 'a slip',
    });
    expect(kept.sentence).toMatch(
      /^The host queued 4 free spins, to run at midnight in New York as [\d-]+ begins\.$/,
    );
    await change('restore-spins');
    const [restored] = await history();
    expect(restored.sentence).toMatch(/^The host queued 9 free spins, to run at midnight/);
    expect(restored).not.toHaveProperty('cancelled');
  });

  test('of another organization is not found', async () => {
    const [api, other] = [await newOrganization(), await newOrganization()];
    const user = await api.user(1);
    const args = ['--org', other.organizationId, '--user', user];
    for (const verb of ['find', 'history'])
      expect(await admin('user', verb, ...args)).toMatchObject({ code: 1, error: 'Invalid user ID' });
  });
});

describe('a day', () => {
  let small: Awaited<ReturnType<typeof smallOrganization>>;
  beforeAll(async () => {
    small = await smallOrganization();
  });

  test('has hours and winners that match its rows', async () => {
    const { api, to: day } = small;
    const today = await shown('day', api.organizationId, { day });
    const total = (figure: string) =>
      today.rows
        .filter((row: { figure: string; prize: unknown }) => row.figure === figure)
        .reduce((sum: number, { value }: { value: number }) => sum + value, 0);
    const hours: { regular: number; amoe: number; cash_usd: number }[] = today.hours;
    const sumOf = (of: (hour: (typeof hours)[number]) => number) =>
      hours.reduce((sum, hour) => sum + of(hour), 0);
    expect(hours.length).toBeGreaterThan(22);
    expect(sumOf(({ regular, amoe }) => regular + amoe)).toBe(total('plays'));
    // `total` counts cash twice: one row has the cash of all games, the other rows have the cash of each game.
    expect(2 * sumOf(({ cash_usd }) => cash_usd)).toBe(total('cash_won_usd'));
    for (const { prize } of today.winners) expect(prize).not.toMatch(/^(tickets|entry_)/);
  });
});

test('queues show their length, and the local stage has no alarms', async () => {
  const { queues } = (await admin('stage', 'queues')).json;
  const numbers = { waiting: expect.any(Number), delayed: expect.any(Number), in_flight: expect.any(Number) };
  expect(queues).toEqual([
    { queue: 'deliveries', ...numbers, dead_letters: expect.any(Number) },
    { queue: 'drawings', ...numbers, dead_letters: expect.any(Number) },
    { queue: 'spin-shards', ...numbers, dead_letters: expect.any(Number) },
  ]);
  expect((await admin('stage', 'alarms')).json).toEqual({ note: expect.any(String), alarms: [] });
});

test('a stage’s alarms are listed from all pages, active ones first', async () => {
  const cloudwatch = mockClient(CloudWatchClient);
  const states = { quiet: 'OK', new: 'INSUFFICIENT_DATA', loud: 'ALARM' } as const;
  const alarms = Object.entries(states).map(([name, StateValue]) => ({
    AlarmName: `incentives-production-${name}`,
    AlarmDescription: `Runbook of ${name}`,
    StateValue,
  }));
  const read = new Set<string>();
  cloudwatch.on(DescribeAlarmsCommand).callsFake(({ AlarmNamePrefix, NextToken = '0' }) => {
    expect(AlarmNamePrefix).toBe('incentives-production-');
    expect(read, 'the same page again').not.toContain(NextToken);
    read.add(NextToken);
    const page = Number(NextToken);
    return { MetricAlarms: [alarms[page]], ...(alarms[page + 1] && { NextToken: String(page + 1) }) };
  });
  const { alarms: listed } = await readStageAlarms('production');
  cloudwatch.restore();
  const inOrder = ['loud', 'new', 'quiet'] as const;
  expect(listed).toEqual(
    inOrder.map((alarm) => ({ alarm, state: states[alarm], runbook: `Runbook of ${alarm}` })),
  );
});

const token = `-_aZ09${'x'.repeat(37)}`;
test.each([token, `https://host/play/${token}`, `/play/${token}/spin?lang=es`, ` ${token}/ `])(
  'the token of a play is found in "%s"',
  (typed) => expect(parsePlayToken(typed)).toBe(token),
);

test('webhook calls are listed without payloads', async () => {
  const { organizationId } = await newOrganization();
  const calls = (from: string) => admin('webhooks', 'calls', '--org', organizationId, '--from', from);
  expect((await calls('2026-01-01')).json).toEqual({ calls: [] });
  expect(await calls('soon')).toMatchObject({ code: 2, error: expect.stringContaining('but is "soon"') });
});
