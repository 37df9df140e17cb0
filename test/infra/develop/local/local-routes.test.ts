import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../infra/develop/local/aws/clock.ts';
import { createQueues } from '../../../../infra/develop/local/aws/queues.ts';
import { localBeacon } from '../../../../infra/develop/local/beacon.ts';
import { beaconAt, localRoutes } from '../../../../infra/develop/local/local-routes.ts';
import { randomnessOf } from '../../../../shared/drand/drand.ts';
import { quicknet } from '../../../../shared/drand/rounds.ts';
import { readStageAuthorities } from '../../../../shared/stage-authorities.ts';
import { isoOf } from '../../../../shared/time.ts';
import {
  createTimestampAsker,
  parseTimestampResponse,
  timestampRequest as requestFor,
} from '../../../../shared/timestamps/ask.ts';
import { checkTimestampToken } from '../../../../shared/timestamps/token.ts';
import { baseUrl, request } from '../../../support/api.ts';
import { raw } from '../../../support/raw.ts';

describe('the routes of the local stage itself', () => {
  test('run a schedule now as of another time', async () => {
    // A time in the past, so that the schedule does not run free spins that another test has queued.
    const now = '2020-05-01T04:00:00.000Z';
    const fired = await request('POST', '/local/schedules/spin-sweep', { body: { now } });
    expect([fired.status, fired.body]).toEqual([200, { status: 'success', schedule: 'spin-sweep', now }]);
    expect((await request('POST', '/local/schedules/spin-sweep/', {})).status).toBe(200);
  });

  test('show the bodies and the number of the messages in a queue', async () => {
    const queues = createQueues([{ name: 'work' }], systemClock);
    const show = () => {
      const get = { method: 'GET', headers: {}, socket: {} } as IncomingMessage;
      return localRoutes({ scheduler: {} as never, queues })(get, '/local/queues/work', Buffer.of());
    };
    const queue = { status: 'success', queue: 'work', visible: 0, delayed: 0, in_flight: 0, messages: [] };
    expect(await show()).toEqual(queue);
    for (const delaySeconds of [0, 0, 0, 600, 600, 600])
      queues.get('work').send({ body: `{"delay": ${delaySeconds}}`, delaySeconds });
    await queues.get('work').receive();
    const messages = [0, 0, 0, 600, 600, 600].map((delay) => `{"delay": ${delay}}`);
    expect(await show()).toEqual({ ...queue, visible: 2, delayed: 3, in_flight: 1, messages });
    const { status, body } = await request('GET', '/local/queues/deliveries-dead-letters', {});
    expect([status, body.queue]).toEqual([200, 'deliveries-dead-letters']);
  });

  test('are a relay of the local beacon, which signs any round', async () => {
    const { relays, hash, ...beacon } = beaconAt(baseUrl);
    expect(relays).toEqual([`${baseUrl}/local/beacon`]);
    const info = await request('GET', `/local/beacon/${hash}/info`, {});
    expect(info.body).toMatchObject({ ...beacon, hash, schemeID: 'bls-unchained-g1-rfc9380' });
    for (const round of [1, 27_946_612, 4_000_000_000]) {
      const { body } = await request('GET', `/local/beacon/${hash}/public/${round}`, {});
      expect(body).toEqual({
        round,
        signature: expect.any(String),
        randomness: randomnessOf(localBeacon, round, body.signature),
      });
      expect(body.randomness).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('are a timestamp authority, whose time is that of a schedule while it runs', async () => {
    const now = Date.parse('2031-05-06T05:00:00Z');
    const digest = Buffer.alloc(32, 7);
    const ask = (at: number) => createTimestampAsker(readStageAuthorities())(digest, at);
    const usual = checkTimestampToken((await ask(Date.now()))!.token, digest);
    expect(Math.abs(usual.at - Date.now())).toBeLessThan(60_000);
    const times: number[] = [];
    const requestOf = (method: string) => ({ method, headers: {}, socket: {} }) as IncomingMessage;
    const timestamp = async () => {
      const body = await handle(requestOf('POST'), '/local/timestamps', Buffer.from(query));
      times.push(checkTimestampToken(parseTimestampResponse(body as Buffer), digest).at);
    };
    const handle = localRoutes({ scheduler: { fire: timestamp } as never, queues: {} as never });
    const query = requestFor(digest, Buffer.of(1));
    await handle(requestOf('POST'), '/local/schedules/book-closing', Buffer.from(`{"now": "${isoOf(now)}"}`));
    await timestamp();
    expect(times.map((at) => Math.floor(at / 60_000))).toEqual([
      now / 60_000,
      expect.closeTo(Date.now() / 60_000, -1),
    ]);
  });

  test('refuse a malformed request for a timestamp', async () => {
    const { status } = await request('POST', '/local/timestamps', { body: 'time?' });
    expect(status).toBe(422);
  });

  test.each([
    ['GET', '/local/timestamps'],
    ['POST', '/local/schedules/no-such-one'],
    ['GET', '/local/schedules/spin-sweep'],
    ['GET', '/local/queues/no-such-one'],
    ['POST', '/local/queues/deliveries'],
    ['GET', '/local'],
    ['GET', '/local/beacon'],
    ['GET', `/local/beacon/${quicknet.hash}/info`],
    ['GET', `/local/beacon/${localBeacon.hash}/public/latest`],
    ['POST', `/local/beacon/${localBeacon.hash}/public/1`],
  ])('do not include %s %s', async (method, path) => {
    const { status, body } = await request(method, path, {});
    expect([status, body.message]).toEqual([404, 'Not Found']);
  });

  test('refuse an invalid time with a reason', async () => {
    const bad = await request('POST', '/local/schedules/spin-sweep', { body: { now: 'soon' } });
    expect([bad.status, bad.body.message]).toEqual([422, 'now: Input should be a valid datetime']);
    const text = await request('POST', '/local/schedules/spin-sweep', { body: 'now' });
    expect([text.status, text.body.message]).toEqual([400, 'Request body must be a JSON object']);
  });

  const { port } = new URL(baseUrl);
  test('refuse another Host, and name the allowed ones', async () => {
    const { status, body } = await raw({
      method: 'GET',
      target: '/docs/openapi.json',
      headers: { host: 'stage.example' },
    });
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(body.detail).toContain(`localhost:${port}, 127.0.0.1:${port}, [::1]:${port}`);
  });

  const routes = [
    ['POST', '/local/schedules/spin-sweep'],
    ['GET', '/local/queues/deliveries'],
    ['GET', `/local/beacon/${localBeacon.hash}/info`],
  ] as const;

  test.each(routes)('refuse a page of another origin: %s %s', async (method, path) => {
    const foreign = ['https://evil.example', 'null', 'http://localhost:1', `https://localhost:${port}`];
    for (const origin of [...foreign, `http://localhost.evil.example:${port}`]) {
      const { status, body } = await request(method, path, { headers: { origin } });
      expect([origin, status, body.code]).toEqual([origin, 403, 'forbidden']);
    }
    // The stage must also check `Sec-Fetch-Site`, because browsers may omit the `Origin` header in a GET
    // request.
    const ofElsewhere = await request(method, path, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(ofElsewhere.status).toBe(403);
  });

  test.each(routes)('accept a page of the stage: %s %s', async (method, path) => {
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      expect((await request(method, path, { headers: { origin } })).status).toBe(200);
    }
  });
});
