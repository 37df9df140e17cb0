import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayOf } from '../../shared/time.ts';
import { admin } from '../support/admin.ts';
import { type Api, newOrganization } from '../support/api.ts';

let api: Api;
let users: string[];
const folder = mkdtempSync(join(tmpdir(), 'drawings-'));
beforeAll(async () => {
  api = await newOrganization();
  users = await Promise.all([3, 4, 5].map(userWith));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function userWith(amount: number): Promise<string> {
  const user = await api.user();
  await api.post(`/users/${user}/entries/credit`, { amount, idempotency_key: 'entries' });
  return user;
}
const drawing = (verb: string, ...args: string[]) =>
  admin('drawing', verb, '--org', api.organizationId, ...args);
const prize = ['--prize', 'A truck', '--value-usd', '45000', '--claim-days', '30'];
const announce = (...args: string[]) => drawing('announce', ...prize, ...args);
const [today, tomorrow] = [dayOf(Date.now()), addDays(dayOf(Date.now()), 1)];
const late = `${addDays(today, 5)}T20:00`;

test('a test drawing is drawn at once, and its list, winners and next winners are read by host and public', async () => {
  const { code, json } = await announce('--type', 'truck', '--winners', '2', '--test');
  expect([code, json.state, json.is_test, json.entrants, json.total_entries]).toEqual([
    0,
    'drawn',
    true,
    3,
    '12',
  ]);
  const id = json.drawing_id;
  const read = async () => (await api.get(`/drawings/${id}`)).body;
  const [first, second] = (await read()).winners;
  expect([first.place, second.place, first.claim_state]).toEqual([1, 2, 'open']);
  expect(users).toEqual(expect.arrayContaining([first.user_id, second.user_id]));
  const forfeited = await drawing('forfeit', '--drawing', id, '--place', '1', '--why', 'not claimed');
  expect(forfeited.json.winners.map((one: { place: number }) => one.place)).toEqual([1, 2, 1]);
  expect((await read()).winners[0]).toMatchObject({ user_id: first.user_id, claim_state: 'forfeited' });
  expect((await api.get('/drawings')).body.drawings).toMatchObject([
    { drawing_id: id, winners: [{}, {}, {}] },
  ]);
  const shown = await drawing('show', id);
  expect(shown.json.largest).toMatchObject([
    { entries: 5, credited_by_host: 5 },
    { entries: 4 },
    { entries: 3 },
  ]);
  await drawing('export', id, '--out', folder);
  const file = JSON.parse(readFileSync(join(folder, `${id}.drawing`), 'utf8'));
  expect(file).toMatchObject({ list: { root: json.root }, signature: json.signature, drawn: [{}, {}, {}] });
  const balances = await Promise.all(users.map((user) => api.get(`/users/${user}/summary`)));
  expect(balances.map(({ body }) => body.balances.truck)).toEqual([0, 0, 0]);
});

describe('a drawing is refused with a clear error, and nothing is done,', () => {
  const flight = ['--type', 'flight', '--closes', tomorrow, '--draws', late];
  test.each<[string, RegExp, () => Promise<{ code: number; error: string }>]>([
    ['without entrants', /0 users have flight entries/, () => announce('--type', 'flight', '--test')],
    ['on its closing day', /--closes: .* is today/, () => announce(...flight, '--closes', today)],
    ['after its closing day', /--closes: .* has passed/, () => announce(...flight, '--closes', '2026-01-01')],
    ['with an early draw', /--draws: .*2 days/, () => announce(...flight, '--draws', `${tomorrow}T20:00`)],
    [
      'with a draw on a day without a time',
      /--draws must be/,
      () => announce(...flight, '--draws', tomorrow),
    ],
    ['of another type', /--type must be/, () => announce(...flight, '--type', 'boat')],
    ['that nobody knows', /Invalid drawing ID/, () => drawing('show', 'drw_01HZZZZZZZZZZZZZZZZZZZZZZZ')],
  ])('%s', async (_, message, run) => {
    const before = (await api.get('/drawings')).body;
    const { code, error } = await run();
    expect(code).toBeGreaterThan(0);
    expect(error).toMatch(message);
    expect((await api.get('/drawings')).body).toEqual(before);
  });

  test('if its days overlap those of another, it is called off twice, or nobody has won', async () => {
    const first = await announce('--type', 'flight', '--closes', addDays(tomorrow, 1), '--draws', late);
    const dry = await announce('--type', 'flight', '--closes', tomorrow, '--draws', late, '--dry-run');
    expect(dry.error).toContain('must close later');
    const of = ['--drawing', first.json.drawing_id, '--why', 'a mistake'];
    expect((await drawing('forfeit', ...of, '--place', '1')).error).toContain(
      '--place: Nobody has won place 1',
    );
    expect((await drawing('call-off', ...of, '--dry-run')).json.would_be).toBe('called_off');
    expect((await drawing('call-off', ...of)).json.state).toBe('called_off');
    expect((await drawing('call-off', ...of)).error).toContain('already called off');
  });
});
