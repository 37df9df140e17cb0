import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlOf } from '../../functions/docs/page/markdown.ts';
import { packClient, pythonFile } from '../../infra/develop/client/pack.ts';
import { nouns } from '../../infra/operate/admin/cli.ts';
import { bookClosableAt } from '../../shared/books/book.ts';
import { closeOpenBooks } from '../../shared/books/close-all.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { dayOf } from '../../shared/time.ts';
import { signedHeaders } from '../../shared/webhooks/signature.ts';
import { type Api, baseUrl, newOrganization } from '../support/api.ts';
import { writePlays } from '../support/played.ts';
import { serve } from '../support/serve.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const guides = globSync('functions/docs/page/guides/*.md', { cwd: root }).sort();

/** The code blocks of the guides, by the file name that follows the language on a block's first line. */
const programs = new Map(
  guides.flatMap((guide) => {
    const blocks = readFileSync(join(root, guide), 'utf8').matchAll(
      /^```(?:js|sh|python) (\S+\.\w+)\n([\s\S]*?)^```$/gm,
    );
    return [...blocks].map(([, name = '', code = '']) => [name, code] as const);
  }),
);

let folder: string;
let api: Api;
let env: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const install = ['install', packClient(folder), '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  for (const [name, code] of programs) writeFileSync(join(folder, name), code);
  copyFileSync(pythonFile, join(folder, 'incentives.py'));
  api = await newOrganization();
  env = {
    ...(process.env as Record<string, string>),
    INCENTIVES_URL: baseUrl,
    INCENTIVES_KEY: api.apiKey,
    INCENTIVES_ORGANIZATION: api.organizationId,
    WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program without blocking: a blocked test would reuse a connection that the server has closed. */
const runs = async (command: string[], more = {}) => {
  const [program = '', ...args] = command;
  const { stdout } = await run(program, args, { cwd: folder, env: { ...env, ...more } });
  return stdout.trim().split('\n');
};
const node = (file: string, more = {}) => runs([process.execPath, file], more);
/** Needs Python 3.9 or newer, as `python3`. */
const python = (args: string[], more = {}) => runs(['python3', '-B', ...args], more);

test('every program in a guide has a name, and is run here or by the browser tests', () => {
  expect([...programs.keys()].sort()).toEqual([
    'client.mjs',
    'client.py',
    'drawings.mjs',
    'faults.mjs',
    'frame.js',
    'incentives.env',
    'integrate.mjs',
    'ledger.mjs',
    'page.mjs',
    'read.mjs',
    'receive.mjs',
    'receive.py',
    'reconcile.mjs',
    'reconcile.py',
    'reconcile.sh',
    'register.mjs',
    'repeat.mjs',
    'requests.sh',
    'spin-run.mjs',
    'spin_run.py',
    'spins.sh',
  ]);
  const text = guides.map((guide) => readFileSync(join(root, guide), 'utf8')).join('\n');
  expect(text.match(/^```(js|ts|python|java|php|ruby|go)\s*$/gm)).toBeNull();
});

test('links lead to existing guides and headings', () => {
  expect(htmlOf('[a](events.md#after-a-restore)')).toContain('href="?page=events#after-a-restore"');
  const pages = new Map(
    guides.map((guide) => [guide.split('/').at(-1)!, htmlOf(readFileSync(join(root, guide), 'utf8'))]),
  );
  for (const [name, html] of pages) {
    const links = html.matchAll(/href="(?:\?page=([\w-]+))?(?:#([\w-]+))?"/g);
    for (const [, page = name.replace('.md', ''), heading] of links) {
      if (['errors', 'reference'].includes(page)) continue;
      const target = pages.get(`${page}.md`);
      expect(target, `${name} links to ${page}`).toBeDefined();
      if (heading) expect(target, `${name} links to ${page}`).toContain(` id="${heading}"`);
    }
  }
});

test('guides name existing commands and files', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const guide of guides) {
    const text = readFileSync(join(root, guide), 'utf8');
    for (const [, script = ''] of text.matchAll(/npm run ([\w-]+)/g))
      expect(scripts, guide).toHaveProperty(script);
    for (const [, noun = '', verb = ''] of text.matchAll(/npm run admin -- (\S+) ([a-z-]+)/g)) {
      expect(Object.keys(nouns.get(noun)?.verbs ?? {}), noun).toContain(verb);
    }
    for (const [, path = ''] of text.matchAll(/`((?:infra|shared|functions|test)\/[\w./-]+)`/g)) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  }
});

test('the integration creates a user, credits tickets once, and gets play URLs and previews', async () => {
  const [balance, url = ''] = await node('integrate.mjs');
  expect(balance).toBe('5');
  expect((await fetch(url)).status).toBe(200);
  expect((await node('integrate.mjs'))[0]).toBe('5');
  const { user_id } = (await api.get('/users', { external_reference: 'anna-17' })).body;
  expect((await api.get(`/users/${user_id}/tickets/balance`)).body.balance).toBe(5);
  expect(await node('repeat.mjs')).toEqual(['true']);
  expect(await node('drawings.mjs')).toEqual(['']);
  const tried = (await node('faults.mjs')).map((line) => line.split(' '));
  expect(tried.map(([fault]) => fault)).toEqual(['unavailable', 'throttled', 'lost']);
  const balances = tried.map(([, balance]) => Number(balance));
  expect(balances).toEqual([0, 1, 2].map((more) => balances[0]! + more));
  const previews = (await node('page.mjs')).map((line) => line.split(' '));
  expect(previews.map(([game, lang]) => `${game} ${lang}`)).toContain('truck es');
  const page = await fetch(previews[0]![2]!);
  expect(page.headers.get('content-security-policy')).toContain('frame-ancestors https://app.example.com');
});

test('the programs that run free spins now see them run', async () => {
  expect(await node('spin-run.mjs')).toEqual(['3']);
  expect(await python(['spin_run.py'])).toEqual(['3']);
});

test('the requests without the client create a user, credit tickets and queue free spins', async () => {
  const user_id = await api.user();
  const text = (programs.get('requests.sh')! + programs.get('spins.sh')!).replaceAll('<user_id>', user_id);
  const { stdout } = await run('sh', ['-c', text], { env });
  const [created, credited, queued] = stdout.split(/(?<=})(?={)/).map((body) => JSON.parse(body));
  expect(created).toMatchObject({ status: 'success', user_id: expect.any(String) });
  expect(credited).toMatchObject({ status: 'success', user_id, new_ticket_balance: 5 });
  expect(queued).toMatchObject({ status: 'success', total_queued_spins: 3 });
});

test('the programs that reconcile a closed day find a missing event', async () => {
  const own = await newOrganization();
  const ofOwn = { INCENTIVES_KEY: own.apiKey, INCENTIVES_ORGANIZATION: own.organizationId };
  const user_id = await own.user(5);
  await own.post(`/users/guest/${user_id}/game/play`, { num_of_spins: 9, idempotency_key: 'guest' });
  const { events } = (await own.get('/events', { user_id })).body;
  const day = dayOf(Date.now());
  await closeOpenBooks(own.organizationId, bookClosableAt(day));
  const [line = ''] = await runs(
    ['sh', '-c', programs.get('reconcile.sh')!.replace('2026-03-14', day)],
    ofOwn,
  );
  const { kept_line } = JSON.parse(line);

  const add = 'import json, sys, incentives; incentives.Ledger("ledger.db").add(*json.loads(sys.argv[1]))';
  const reconciled = async (some: Event[]) => {
    rmSync(join(folder, 'ledger.db'), { force: true });
    await python(['-c', add, JSON.stringify(some)]);
    return python(['reconcile.py', day], ofOwn);
  };
  expect(await reconciled(events)).toEqual([kept_line]);
  const last = events.at(-1).sequence;
  const butLast = events.filter(({ sequence }: Event) => sequence < last);
  expect((await reconciled(butLast)).join()).toContain('counts.');

  const program = `import { reconcile } from './reconcile.mjs';
    console.log(await reconcile('${day}', JSON.parse(process.argv[1])));`;
  const inNode = (some: Event[]) =>
    runs([process.execPath, '--input-type=module', '-e', program, JSON.stringify(some)], ofOwn);
  expect(await inNode(events)).toEqual([kept_line]);
  await expect(inNode(events.slice(1))).rejects.toThrow(`${day}: tickets differ`);
});

test('the reader of events applies each once, and continues from its cursor', async () => {
  const own = await newOrganization();
  const ofOwn = { INCENTIVES_KEY: own.apiKey, INCENTIVES_ORGANIZATION: own.organizationId };
  const table = defaultPrizeTables.prizewheel;
  const won = table.prizes.map(({ id }) => id);
  await writePlays({ organizationId: own.organizationId, table, won, from: Date.now() - 3_600_000 });
  for (let runs = 0; runs < 2; runs++) {
    const lines = await node('read.mjs', ofOwn);
    expect(lines.map((line) => line.split(' ')[1])).toEqual([String(won.length)]);
    const { users } = JSON.parse(readFileSync(join(folder, 'ledger.json'), 'utf8'));
    expect(Object.values<{ prizes: [] }>(users)[0]!.prizes).toHaveLength(won.length);
  }
});

test('the reader of events closes a gap that stayed because the index showed a record late', async () => {
  const own = await newOrganization();
  const user_id = await own.user(5);
  for (const key of ['a', 'b'])
    await own.post(`/users/${user_id}/tickets/credit`, { amount: 1, description: '', idempotency_key: key });
  const { body } = await own.get('/events', { user_id });
  const early = { 3: body.events.at(-1) };
  const ledger = { users: { [user_id]: { sequence: 1, balances: { tickets: 5 }, prizes: [], early } } };
  writeFileSync(join(folder, 'ledger.json'), JSON.stringify(ledger));
  const ofOwn = { INCENTIVES_KEY: own.apiKey, INCENTIVES_ORGANIZATION: own.organizationId };
  expect(await node('read.mjs', ofOwn)).toContain(`${user_id} 3`);
});

type Event = { id: string; type: string; sequence: number; data: { user_id: string; prize?: object } };
type Ledger = Record<
  string,
  { sequence: number; balances: Record<string, number>; prizes: object[]; early?: object }
>;

describe('the ledger of the guide', () => {
  let events: Event[];
  let summary: { user_id: string; sequence: number; balances: Record<string, number> };
  let apply: (users: Ledger, event: Event) => void;
  beforeAll(async () => {
    const user = await api.user(9);
    for (const result of ['jackpot', 'prize_gift_card', 'entry_truck', 'tickets']) {
      const { url } = (await api.post(`/debug/users/${user}/games/play`, { result })).body;
      expect((await fetch(`${url}/spin`, { method: 'POST', body: '{}' })).status).toBe(200);
    }
    const [prize] = (await api.get(`/users/${user}/prizes`)).body.items;
    const held = { state: 'held', reason: 'a form is missing' };
    expect((await api.put(`/prizes/${prize.prize_id}`, held)).status).toBe(200);
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'last' });
    events = (await api.get('/events', { user_id: user })).body.events;
    summary = (await api.get(`/users/${user}/summary`)).body;
    ({ apply } = await import(pathToFileURL(join(folder, 'ledger.mjs')).href));
  });
  const ledgerOf = (applied: Event[]) => {
    const users: Ledger = {};
    for (const event of applied) apply(users, event);
    return users[summary.user_id] ?? { sequence: 0, balances: {}, prizes: [] };
  };
  const isRepeating = ({ type }: Event) => ['cash_won', 'prize_won'].includes(type);

  test('is that of the service, in whatever order and however often webhooks bring events', () => {
    expect(new Set(events.map(({ type }) => type)).size).toBe(5);
    const prizes = events.flatMap(({ type, data }) => (type === 'outcome' ? [data.prize!] : []));
    const some = fc.array(fc.nat(events.length - 1), { maxLength: 40 });
    fc.assert(
      fc.property(some, some, (early, late) => {
        const pick = (indexes: number[]) => indexes.map((index) => events[index]!);
        const { sequence, balances, prizes: won } = ledgerOf([...pick(early), ...events, ...pick(late)]);
        expect({ ...noBalances, ...balances }).toEqual(summary.balances);
        expect([sequence, won]).toEqual([summary.sequence, prizes]);
      }),
    );
  });

  test('is that of the service without the feed, from webhooks in any order and with repetitions', () => {
    const all = fc.shuffledSubarray(events, { minLength: events.length });
    const repeated = fc.shuffledSubarray([...events, ...events, ...events], { minLength: 2 * events.length });
    fc.assert(
      fc.property(all, repeated, (first, more) => {
        expect(ledgerOf([...first, ...more])).toMatchObject({ sequence: summary.sequence, early: {} });
        expect(ledgerOf([...more, ...first])).toEqual(ledgerOf(events));
      }),
    );
  });

  test('is that of the service from what the receiver prints of shuffled and repeated webhooks', () =>
    withReceiver(async (url, heard) => {
      const shuffled = [5, 2, 0, 4, 3, 1, 6, 5, 0, 7, 2, 8, 1, 9, 12, 11, 10].map(
        (i) => events[i % events.length]!,
      );
      for (const event of [...shuffled, ...events]) {
        const body = JSON.stringify(event);
        const headers = signedHeaders({ id: event.id, atSeconds: nowSeconds(), body }, [env.WEBHOOK_SECRET!]);
        expect(await post(url, headers, body)).toBe(204);
      }
      await expect.poll(() => heard).toHaveLength(events.length);
      expect(ledgerOf(heard.map((line) => JSON.parse(line)))).toEqual(ledgerOf(events));
    }));

  test('is behind the summary if any event is missing that repeats no other', () => {
    for (const missing of events) {
      const { sequence } = ledgerOf(events.filter((event) => event !== missing));
      expect(sequence < summary.sequence, missing.type).toBe(!isRepeating(missing));
    }
  });
});
const noBalances = { tickets: 0, truck: 0, flight: 0 };

const nodeReceiver = [process.execPath, 'receive.mjs'];

async function withReceiver(use: (url: string, heard: string[]) => Promise<void>, command = nodeReceiver) {
  const port = await freePort();
  const receiver = spawn(command[0]!, command.slice(1), {
    cwd: folder,
    env: { ...env, PORT: String(port) },
  });
  try {
    const url = `http://localhost:${port}/hooks`;
    await expect.poll(() => post(url, {}, '{}')).toBe(400);
    await use(url, linesOf(receiver));
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
}

test('the receiver receives events, and refuses forged ones', () =>
  withReceiver(async (CALLBACK_URL, heard) => {
    await node('register.mjs', { CALLBACK_URL, WEBHOOK_SECRET: 'whsec_Zm9ybWVy' });
    await node('register.mjs', { CALLBACK_URL });
    expect((await api.get('/webhooks')).body.webhooks).toEqual([
      expect.objectContaining({ callback_url: CALLBACK_URL, secret_key: env.WEBHOOK_SECRET }),
    ]);
    const user = await api.user(7);
    await expect.poll(() => heard.join('\n')).toContain(user);
    expect(heard.join('\n')).toContain('balance_updated');
    const body = '{"id":"evt_1","type":"cash_won","data":{"cash_usd":10}}';
    const headers = signedHeaders({ id: 'evt_1', atSeconds: nowSeconds(), body }, [env.WEBHOOK_SECRET!]);
    expect(await post(CALLBACK_URL, headers, body)).toBe(204);
    expect(await post(CALLBACK_URL, headers, body)).toBe(204);
    expect(await post(CALLBACK_URL, headers, body.replace('10', '99'))).toBe(400);
    await expect.poll(() => heard.filter((line) => line.includes('cash_won'))).toEqual([body]);
  }));

const nowSeconds = () => Math.floor(Date.now() / 1000);

async function freePort(): Promise<number> {
  const { port, close } = await serve();
  await close();
  return port;
}

function linesOf(process: ChildProcess): string[] {
  const lines: string[] = [];
  createInterface({ input: process.stdout! }).on('line', (line) => lines.push(line));
  return lines;
}

const post = async (url: string, headers: Record<string, string>, body: string): Promise<number> =>
  fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 0,
  );

const body = '{"id":"evt_1","data":{"name":"Zoë"}}';
const secrets = ['a plain secret, of any length ☺', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];

/** A guide's program that verifies a webhook call. Gets the secret and headers as arguments, and the body as input. */
type Program = (call: { secret: string; headers: Record<string, string>; body: string }) => boolean;

function programOf(command: string, args: string[]): Program {
  return ({ secret, headers, body: input }) => {
    const { stdout } = spawnSync(command, [...args, secret, ...Object.values(headers)], {
      cwd: folder,
      input,
      encoding: 'utf8',
    });
    return stdout.trim() === 'verified';
  };
}

function expectToVerify(verified: Program): void {
  for (const secret of secrets) {
    const signed = (atSeconds: number, signers: string[]) =>
      signedHeaders({ id: 'evt_1', atSeconds, body }, signers);
    const headers = signed(nowSeconds(), [secret]);
    expect(verified({ secret, headers, body })).toBe(true);
    expect(verified({ secret, headers: signed(nowSeconds(), ['previous', secret]), body })).toBe(true);
    expect(verified({ secret, headers, body: body.replace('Zoë', 'Zoe') })).toBe(false);
    expect(verified({ secret: 'another', headers, body })).toBe(false);
    expect(verified({ secret, headers: signed(nowSeconds() - 400, [secret]), body })).toBe(false);
  }
}

const verifyingProgram = `import sys, incentives
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
incentives.verify(sys.stdin.buffer.read(), dict(zip(names, sys.argv[2:])), sys.argv[1])
print("verified")`;

test('a call is verified in Python', () => {
  expectToVerify(programOf('python3', ['-B', '-c', verifyingProgram]));
});

test('the receiver in Python keeps events in its ledger, and refuses forged ones', () => {
  rmSync(join(folder, 'ledger.db'), { force: true });
  return withReceiver(
    async (url) => {
      const user = await api.user(7);
      const [event] = (await api.get('/events', { user_id: user })).body.events;
      const body = JSON.stringify(event);
      const headers = signedHeaders({ id: event.id, atSeconds: nowSeconds(), body }, [env.WEBHOOK_SECRET!]);
      expect(await post(url, headers, body)).toBe(204);
      expect(await post(url, headers, body.replace('7', '9'))).toBe(400);
      const balance = 'import sys, incentives; print(incentives.Ledger("ledger.db").balance(sys.argv[1]))';
      expect(await python(['-c', balance, user])).toEqual(['7']);
    },
    ['python3', '-B', 'receive.py'],
  );
});
