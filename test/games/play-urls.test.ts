import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../shared/api/routes.ts';
import { commitmentTo } from '../../shared/games/draw.ts';
import { readPlaySession } from '../../shared/games/play-sessions.ts';
import { createPlayUrl } from '../../shared/games/plays.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Api, newOrganization, request, times } from '../support/api.ts';
import { type EndpointName, invoke as invokeEndpoint } from '../support/invoke.ts';
import { raw } from '../support/raw.ts';
import { accountOf, newUrl, openUrl, spinUrl } from './support/plays.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const tokenOf = (url: string) => url.split('/').at(-1)!;

describe('a play URL', () => {
  test('is for the prize wheel in English by default, and valid for thirty minutes', async () => {
    const user = await api.user();
    const before = Date.now();
    const { status, body } = await api.post(`/users/${user}/games/play`);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'expiry_time',
      'lang',
      'playable',
      'promotion',
      'restrictions',
      'status',
      'url',
    ]);
    expect(body).toMatchObject({ status: 'success', lang: 'en' });
    expect(body.url).toMatch(/^http:\/\/localhost:\d+\/play\/[A-Za-z0-9_-]{43}$/);
    expect(body.expiry_time).toMatch(isoInstant);
    const lifetime = Date.parse(body.expiry_time) - 30 * 60_000;
    expect(lifetime).toBeGreaterThanOrEqual(before);
    expect(lifetime).toBeLessThanOrEqual(Date.now());
  });

  test('says whether the user can play the game now, and why not', async () => {
    const user = await api.user(1);
    const made = async (game: string) => (await api.post(`/users/${user}/games/play`, { game })).body;
    expect(await made('prizewheel')).toMatchObject({ playable: true, restrictions: [] });
    await api.put('/debug/daily-cash-limit', { cash_limit: 0 });
    const poor = { playable: false, restrictions: ['tickets_only', 'insufficient_tickets'] };
    expect(await made('truck')).toMatchObject(poor);
    const { games } = (await api.get(`/users/${user}/game/check-eligibility`)).body;
    expect(games.find(({ game }: { game: string }) => game === 'truck')).toMatchObject(poor);
  });

  test('differs each time, and the table stores only its hash', async () => {
    const user = await api.user();
    const urls = await Promise.all(times(5, () => newUrl(api, user)));
    expect(new Set(urls).size).toBe(5);
    const session = await readPlaySession(tokenOf(urls[0]!));
    expect(session?.user_id).toBe(user);
    expect(JSON.stringify(session)).not.toContain(tokenOf(urls[0]!));
  });

  test.each([
    [{ lang: 'fr' }, "lang: Input should be 'en' or 'es'"],
    [{ game: 'boat' }, "game: Input should be 'prizewheel', 'truck' or 'flight'"],
    [{ lang: 7 }, "lang: Input should be 'en' or 'es'"],
  ])('is refused for %j', async (body, message) => {
    const answer = await api.post(`/users/${await api.user()}/games/play`, body);
    expect(answer).toMatchObject({ status: 422, body: { message, code: 'validation_failed' } });
  });

  test('is refused for an unknown user and for a user of another organization', async () => {
    const other = await (await newOrganization()).user();
    for (const user of [other, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'guest', 'nobody']) {
      const answer = await api.post(`/users/${user}/games/play`);
      expect(answer).toMatchObject({ status: 404, body: { message: 'Invalid user ID' } });
    }
  });

  test('needs an API key to create, and none to play', async () => {
    const user = await api.user(5);
    expect((await request('POST', `/users/${user}/games/play`, {})).status).toBe(401);
    expect((await spinUrl(await newUrl(api, user))).status).toBe(200);
  });
});

describe('a spin', () => {
  test('returns the outcome and its fairness fields, debits the cost and credits the prize', async () => {
    const api = await newOrganization();
    const user = await api.user(20);
    const url = await newUrl(api, user, { game: 'truck' });
    const { status, body } = await spinUrl(url, { client_seed: 'chosen by the browser' });
    expect(status).toBe(200);
    const { outcome, fairness } = body;
    expect(Object.keys(body).sort()).toEqual(['fairness', 'outcome', 'status']);
    expect(outcome).toEqual({
      id: expect.stringMatching(/^out_[0-9A-Z]{26}$/),
      user_id: user,
      game: 'truck',
      play_type: 'regular',
      prize: expect.any(Object),
      timestamp: expect.stringMatching(isoInstant),
      result_effective_date: expect.stringMatching(/T0[45]:00:00\.000Z$/),
    });
    expect(Object.values(outcome.prize)).toEqual([expect.any(Number)]);
    expect(fairness).toEqual({
      commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
      server_seed: expect.stringMatching(/^[0-9a-f]{64}$/),
      client_seed: 'chosen by the browser',
      prize_table_version: defaultPrizeTables.truck.version,
      prize_id: expect.any(String),
      budgets: { cash: { grants: 0, granted: 0, limit: 500 } },
    });
    const { balance, outcomes, transactions } = await accountOf(api, user);
    expect(outcomes).toEqual([outcome]);
    expect(balance).toBe(15 + (outcome.prize.tickets ?? 0));
    const ofTheGame = transactions.filter(
      ({ outcome_id }: { outcome_id?: string }) => outcome_id === outcome.id,
    );
    expect(ofTheGame.map(({ amount }: { amount: number }) => amount).reverse()).toEqual([
      -5,
      ...(outcome.prize.tickets ? [outcome.prize.tickets] : []),
    ]);
  });

  test('shows the commitment before the play, and the server seed only afterwards', async () => {
    const user = await api.user(3);
    const created = await api.post(`/users/${user}/games/play`);
    const { url } = created.body;
    const session = await readPlaySession(tokenOf(url));
    const before = await openUrl(url);
    expect(before.body).toContain(session!.commitment);
    const { body } = await spinUrl(url);
    const { server_seed } = body.fairness;
    expect(body.fairness).toMatchObject({ commitment: session!.commitment, client_seed: '' });
    expect(commitmentTo(server_seed)).toBe(session!.commitment);
    // Before the play, neither the responses nor the stored session contain the server seed.
    for (const shown of [before.body, created.body, session]) {
      expect(JSON.stringify(shown)).not.toContain(server_seed);
    }
    expect((await openUrl(url)).body).toContain(server_seed);
  });

  test.each([
    ['a number', { client_seed: 7 }, 422, 'client_seed: Input should be a valid string'],
    [
      'too long a seed',
      { client_seed: 'x'.repeat(256) },
      422,
      'client_seed: String should have at most 255 characters',
    ],
    ['an unpaired surrogate', { client_seed: '\ud800' }, 422, 'client_seed: Input should be a valid string'],
    ['a megabyte', { client_seed: 'x'.repeat(1_000_000) }, 400, 'Request body must be at most 65536 bytes'],
    ['a list', '[]', 400, 'Request body must be a JSON object'],
    ['incomplete JSON', '{', 400, 'Request body must be a JSON object'],
  ])('refuses %s, and the URL can still be played', async (_, sent, status, message) => {
    const url = await newUrl(api, await api.user(3));
    const answer = await spinUrl(url, sent);
    expect(answer).toMatchObject({ status, body: { status: 'error', message, code: 'validation_failed' } });
    expect((await spinUrl(url, { client_seed: 'x'.repeat(255) })).status).toBe(200);
  });

  test('of an unknown token is a 404', async () => {
    for (const token of ['x', 'A'.repeat(43), 'A'.repeat(4000), '%00', '..%2f..']) {
      const answer = await request('POST', `/play/${token}/spin`, {});
      expect(answer).toMatchObject({
        status: 404,
        body: { status: 'error', code: 'play_not_found', message: 'Invalid play URL' },
      });
    }
  });

  test('without enough tickets is refused and changes nothing, and the URL can be played later', async () => {
    const user = await api.user(4);
    const url = await newUrl(api, user, { game: 'truck' });
    const refused = await spinUrl(url);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'insufficient_tickets', message: 'insufficient ticket balance' },
    });
    expect(await accountOf(api, user)).toMatchObject({ balance: 4, outcomes: [] });
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'more' });
    expect((await spinUrl(url)).status).toBe(200);
  });
});

describe('the thirty minutes', () => {
  const invoke = (name: EndpointName, token: string, now: number) =>
    invokeEndpoint(name, { organizationId: '', path: { token }, body: {}, now });
  const minutes30 = 30 * 60_000;
  const newToken = async (now: number) => {
    const userId = await api.user(3);
    const asked = {
      organizationId: api.organizationId,
      userId,
      game: 'prizewheel',
      lang: 'es',
      now,
    } as const;
    return (await createPlayUrl(asked)).token;
  };

  test('end on the millisecond, measured by the arrival of the request at the gateway', async () => {
    const now = Date.now() - 3600_000;
    const [inTime, late] = [await newToken(now), await newToken(now)];
    expect((await invoke('play/spin', inTime, now + minutes30 - 1)).status).toBe(200);
    const answer = await invoke('play/spin', late, now + minutes30);
    expect(answer.status).toBe(410);
    expect(answer.body).toMatchObject({ status: 'error', code: 'play_expired' });
    expect((await invoke('play/spin', late, now + minutes30 - 1)).status).toBe(200);
  });

  test('do not apply to a played URL: it returns its outcome for a year', async () => {
    const now = Date.now();
    const token = await newToken(now);
    const played = await invoke('play/spin', token, now + 1000);
    const aYearLater = now + 365 * 24 * 3600_000;
    expect(played.headers['ticket-balance']).toMatch(/^\d+$/);
    const again = await invoke('play/spin', token, aYearLater);
    expect(again.body).toEqual(played.body);
    expect(again.headers['ticket-balance']).toBe(played.headers['ticket-balance']);
    const page = await invoke('play/open', token, aYearLater);
    expect(page).toMatchObject({ status: 200 });
    expect(page.body).toContain('data-state="played"');
    expect((await readPlaySession(token))?.ttl).toBe(Math.ceil((aYearLater + 1000) / 1000));
  });

  test('show on the page, even long after they ended', async () => {
    const now = Date.now();
    const token = await newToken(now);
    expect((await invoke('play/open', token, now + minutes30 - 1)).body).toContain('data-state="ready"');
    const expired = await invoke('play/open', token, now + minutes30);
    expect(expired).toMatchObject({ status: 200 });
    expect(expired.body).toContain('data-state="expired"');
    expect((await readPlaySession(token))!.ttl!).toBeGreaterThan((now + 24 * 3600_000) / 1000);
  });
});

describe('the page', () => {
  test('is one HTML response with a strict content security policy, in the URL’s language', async () => {
    const user = await api.user(3);
    const { status, headers, body } = await openUrl(await newUrl(api, user, { lang: 'es', game: 'flight' }));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe/);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(body).toContain('<html lang="es">');
    expect(body).toContain('data-game="flight"');
  });

  test('is compressed for browsers that accept it, with a Vary header', async () => {
    const target = new URL(await newUrl(api, await api.user(3))).pathname;
    const get = (headers: Record<string, string>) => raw({ method: 'GET', target, headers });
    const [packed, plain, refused] = await Promise.all([
      get({ 'accept-encoding': 'gzip, deflate, br' }),
      get({}),
      get({ 'accept-encoding': 'gzip;q=0, br' }),
    ]);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length * 0.6);
    expect(gunzipSync(packed.bytes).toString()).toContain('data-state="ready"');
    for (const { headers, body } of [plain, refused]) {
      expect(headers.get('content-encoding')).toBeNull();
      expect(body).toContain('data-state="ready"');
    }
    for (const { headers } of [packed, plain, refused]) {
      expect(headers.get('vary')).toBe('accept-encoding');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('shows the obstacle to a play', async () => {
    const url = await newUrl(api, await api.user(4), { game: 'truck' });
    expect((await openUrl(url)).body).toContain('data-state="refused"');
  });

  test('shows the balance after its play, even if the account has changed since', async () => {
    const user = await api.user(3);
    const url = await newUrl(api, user);
    await spinUrl(url);
    const { balance } = await accountOf(api, user);
    await api.post(`/users/${user}/tickets/credit`, { amount: 5000, idempotency_key: 'later' });
    expect((await openUrl(url)).body).toContain(`<b id="balance">${balance}</b>`);
  });

  test('is a friendly 404 for an unknown token, in the browser’s language', async () => {
    const english = await openUrl(`${(await newUrl(api, await api.user())).slice(0, -43)}${'A'.repeat(43)}`);
    expect(english.status).toBe(404);
    expect(english.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(english.body).toContain('data-state="unknown"');
    const spanish = await request('GET', '/play/nothing', {
      headers: { 'accept-language': 'es-MX,es;q=0.9' },
    });
    expect(spanish.status).toBe(404);
    expect(spanish.body).toContain('<html lang="es">');
  });
});

test('no route under /debug exists in production', () => {
  const ofDebug = allRoutes.filter(
    ({ path, name }) => path.startsWith('/debug') || name.startsWith('debug/'),
  );
  expect(ofDebug.map(({ stages }) => stages)).toEqual(times(4, () => ['local', 'staging']));
});
