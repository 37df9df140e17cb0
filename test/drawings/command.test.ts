import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAttentionItems } from '../../infra/operate/admin/attention.ts';
import { explainDrawing } from '../../infra/operate/admin/explain/prizes.ts';
import { bookClosableAt } from '../../shared/books/book.ts';
import { listBookFiles } from '../../shared/books/check/files.ts';
import { verifyBookFiles } from '../../shared/books/check/verify.ts';
import { closeOpenBooks } from '../../shared/books/close-all.ts';
import { readDrawing } from '../../shared/drawings/drawings.ts';
import { summarizeEntrants } from '../../shared/drawings/list.ts';
import { putItem } from '../../shared/table/client.ts';
import { addDays, dayOf } from '../../shared/time.ts';
import { newUrl, openUrl } from '../games/support/plays.ts';
import { admin } from '../support/admin.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

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
  const { json } = await announce('--type', 'truck', '--winners', '2', '--test');
  expect(json).toMatchObject({ state: 'drawn', is_test: true, entrants: 3, total_entries: '12' });
  const id = json.drawing_id;
  const read = async () => (await api.get(`/drawings/${id}`)).body;
  const [first, second] = (await read()).winners;
  expect([first.place, second.place, first.claim_state]).toEqual([1, 2, 'open']);
  expect(users).toEqual(expect.arrayContaining([first.user_id, second.user_id]));
  const forfeit = (...of: string[]) =>
    drawing('forfeit', '--drawing', id, '--place', '1', '--why', 'not claimed', ...of);
  const forfeited = await forfeit();
  expect(forfeited.json.winners.map((one: { place: number }) => one.place)).toEqual([1, 2, 1]);
  const [, , next] = forfeited.json.winners;
  expect((await forfeit()).error).toContain(
    `forfeited place 1 before: name the user, such as ${next.user_id}`,
  );
  const repeated = await forfeit('--user', first.user_id);
  expect([repeated.code, repeated.json.winners]).toEqual([0, forfeited.json.winners]);
  expect((await forfeit('--user', next.user_id, '--dry-run')).json.would_forfeit).toBe(next.user_id);
  await forfeit('--user', next.user_id);
  const states = (await read()).winners.map((one: { claim_state: string }) => one.claim_state);
  expect(states).toEqual(['forfeited', 'open', 'forfeited']);
  expect((await forfeit('--user', second.user_id)).error).toContain('has not won place 1');
  const { drawings } = (await api.get('/drawings')).body;
  expect(drawings).toMatchObject([{ drawing_id: id, winners: [{}, {}, {}] }]);
  const shown = await drawing('show', id);
  expect(shown.json.largest).toMatchObject([
    { entries: 5, credited_by_host: 5 },
    { entries: 4 },
    { entries: 3 },
  ]);
  await drawing('export', id, '--out', folder);
  const file = JSON.parse(readFileSync(join(folder, `${id}.drawing`), 'utf8'));
  expect(file).toMatchObject({ list: { root: json.root }, signature: json.signature, drawn: [{}, {}, {}] });
  await closeOpenBooks(api.organizationId, bookClosableAt(today));
  await admin('book', 'export', json.closes, '--org', api.organizationId, '--out', folder);
  expect(verifyBookFiles(listBookFiles([folder]), { kept: [] }).findings).toEqual([]);
  const balances = await Promise.all(users.map((user) => api.get(`/users/${user}/summary`)));
  expect(balances.map(({ body }) => body.balances.truck)).toEqual([0, 0, 0]);
});

test('a host forfeits a prize, whose place is drawn again once, and hands the next one over', async () => {
  const flights = { amount: 7, type: 'flight', idempotency_key: 'flights' };
  for (const user of users) await api.post(`/users/${user}/entries/credit`, flights);
  const { json } = await announce('--type', 'flight', '--test');
  const [first] = json.winners;
  const forfeited = { state: 'forfeited', reason: 'under 18' };
  const step = (id: string, asked: object, of = api) => of.put(`/prizes/${id}`, asked);
  const answers = await Promise.all(times(3, () => step(first.prize_id, forfeited)));
  expect(answers.map(({ body }) => body)).toMatchObject(times(3, () => forfeited));
  const winners = async () => (await api.get(`/drawings/${json.drawing_id}`)).body.winners;
  await eventually(async () => expect(await winners()).toHaveLength(2));
  expect((await step(first.prize_id, forfeited)).status).toBe(200);
  const [, next] = await winners();
  expect(next).toMatchObject({ place: 1, prize_id: `${json.drawing_id}:1:2`, claim_state: 'open' });
  const delivered = { state: 'delivered', reference: 'key 1' };
  const prize = { prize_id: next.prize_id, prize: { en: 'A truck', es: 'A truck' }, ...delivered };
  expect((await step(next.prize_id, delivered)).body).toMatchObject({ ...prize, value_usd: 45_000 });
  expect((await step(next.prize_id, forfeited)).body.code).toBe('claim_conflict');
  expect((await step(next.prize_id, delivered, await newOrganization())).status).toBe(404);
  expect((await api.get(`/users/${next.user_id}/prizes`)).body.items).toContainEqual(
    expect.objectContaining(prize),
  );
  expect(await winners()).toMatchObject([{ claim_state: 'forfeited' }, { claim_state: 'delivered' }]);
  const stored = await readDrawing(api.organizationId, json.drawing_id);
  expect(stored.drawn).toMatchObject([{ forfeited: 'by the host' }, { place: 1 }]);
  const { events } = (await api.get('/events', { user_id: next.user_id, event_type: 'prize_updated' })).body;
  expect(events.at(-1).data).toMatchObject({ user_id: next.user_id, ...prize });

  const run = (noun: string, verb: string, ...args: string[]) =>
    admin(noun, verb, '--org', api.organizationId, ...args);
  const report = async (verb: string, ...args: string[]) => (await run('report', verb, ...args)).json.rows;
  const ofFlight = ({ outcome_id }: { outcome_id: string }) => outcome_id.startsWith(json.drawing_id);
  const reports = async () => ({
    winners: (await report('winners', '--from', today, '--to', today)).filter(ofFlight),
    liability: (await report('liability')).filter(({ account }: { account: string }) => account === 'prizes'),
    taxes: await report('taxes', '--year', today.slice(0, 4)),
  });
  // Reports leave out test drawings.
  expect(await reports()).toMatchObject({ winners: [], liability: [{ credited: 0 }, {}], taxes: [] });
  const { is_test: _, ...terms } = stored.terms;
  await putItem({ ...stored, terms });
  expect(await reports()).toMatchObject({
    winners: [
      { user_id: first.user_id, prize: 'A truck', state: 'forfeited' },
      { user_id: next.user_id, value_usd: 45_000, state: 'delivered', delivered_on: today },
    ],
    liability: [{ balance: 0, credited: 2 }, {}],
    taxes: [{ other_value_usd: 45_000 }],
  });
  const file = join(folder, 'steps.csv');
  const owed = (await run('prize', 'list')).json.prizes;
  expect(owed).toMatchObject([{ prize: 'A truck', amount: 1, state: 'open' }]);
  writeFileSync(
    file,
    `prize_id,state,reference\n${owed[0].prize_id},delivered,key 2\n${next.prize_id},open,\n`,
  );
  const { faults } = (await run('prize', 'import', '--file', file, '--dry-run')).json;
  expect(faults).toEqual([{ line: 3, fault: 'prize is already delivered' }]);
});

test('the play page says what entries are for, how many there are and what a winner does next', async () => {
  const host = await newOrganization();
  const user = await host.user(5);
  const credit = { amount: 1234, idempotency_key: 'entries' };
  await host.post(`/users/${user}/entries/credit`, credit);
  const page = async (lang: string) => (await openUrl(await newUrl(host, user, { lang }))).body;
  expect(await page('en')).toMatch(/Your truck entries: <b [^>]+>1,234<\/b>/);
  const of = ['--org', host.organizationId, '--type', 'truck', ...prize];
  const announced = await admin('drawing', 'announce', ...of, '--closes', tomorrow, '--draws', late);
  expect(await page('en')).toMatch(/Your truck entries: <b [^>]+>1,234<\/b>.+>A truck: drawn on <time/);
  expect(await page('es')).toMatch(/en el sorteo de la camioneta: <b .+A truck: se sortea el <time/);
  const { drawing_id } = announced.json;
  await admin('drawing', 'call-off', '--org', host.organizationId, '--drawing', drawing_id, '--why', 'x');
  expect(await page('en')).not.toContain('drawn on');
  const drawn = await admin('drawing', 'announce', ...of, '--test');
  const won = /You won a drawing: A truck! Claim it in the app by <time/;
  expect(await page('en')).toMatch(won);
  await host.put(`/prizes/${drawn.json.winners[0].prize_id}`, { state: 'delivered', reference: 'key 1' });
  expect(await page('en')).not.toMatch(won);
});

test('a drawing with fewer entrants than winners says so, when announced and when drawn', async () => {
  const host = await newOrganization();
  const of = ['--org', host.organizationId, '--type', 'truck', ...prize, '--winners', '2'];
  const days = ['--closes', tomorrow, '--draws', late];
  const dry = await admin('drawing', 'announce', ...of, ...days, '--dry-run');
  expect(dry.json.warning).toMatch(/^Only 0 users have truck/);
  const { json } = await admin('drawing', 'announce', ...of, ...days);
  expect(json).toMatchObject({
    warning: expect.stringMatching(/^Only 0 users have truck/),
    places_left: null,
  });
  const drawing = await readDrawing(host.organizationId, json.drawing_id);
  await putItem({
    ...drawing,
    state: 'drawn',
    list: { ...summarizeEntrants([]), closed_at: drawing.announced_at },
  });
  expect((await host.get(`/drawings/${json.drawing_id}`)).body).toMatchObject({
    state: 'drawn',
    places_left: 2,
  });
  const { state, why } = (await explainDrawing(json.drawing_id, undefined, Date.now()))!;
  expect([state, why]).toEqual(['Nobody had entries, so nobody won.', []]);
  const attention = await readAttentionItems(host.organizationId, 'local', Date.now());
  expect(attention.map(({ what }) => what)).toContain(
    'Nobody got 2 of the prizes “A truck”: 0 users had entries.',
  );
});

describe('a drawing is refused with a clear error, and nothing is done,', () => {
  const flight = ['--type', 'flight', '--closes', tomorrow, '--draws', late];
  test.each<[string, RegExp, () => Promise<{ code: number; error: string }>]>([
    ['without entrants', /0 users have flight entries/, () => announce('--type', 'flight', '--test')],
    ['on its closing day', /--closes: .* is today/, () => announce(...flight, '--closes', today)],
    ['after its closing day', /--closes: .* has passed/, () => announce(...flight, '--closes', '2026-01-01')],
    ['with an early draw', /--draws: .*2 days/, () => announce(...flight, '--draws', `${tomorrow}T20:00`)],
    [
      'in over 366 days',
      /--draws: .*366 days/,
      () => announce(...flight, '--draws', `${addDays(today, 367)}T00:00`),
    ],
    ['with a draw without a time', /--draws must be/, () => announce(...flight, '--draws', tomorrow)],
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
    const far = `${addDays(today, 366)}T20:00`;
    const first = await announce('--type', 'flight', '--closes', addDays(tomorrow, 1), '--draws', far);
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
