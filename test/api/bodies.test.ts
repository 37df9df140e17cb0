import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../shared/api/routes.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { expectError, expectInvalid, expectSuccess } from '../support/expectations.ts';

let api: Api;
let user: string;
beforeAll(async () => {
  api = await newOrganization();
  user = await api.user(3);
});
const credit = (body: unknown) => api.post(`/users/${user}/tickets/credit`, body);
const notAnObject = 'Request body must be a JSON object';

describe('a body that is not a JSON object is refused', () => {
  test.each<[string, string | Uint8Array]>([
    ['broken', '{"amount": 1, "idempotency_key": "k"'],
    ['with a comma too many', '{"amount": 1,}'],
    ['in single quotes', "{'amount': 1}"],
    ['NaN', '{"amount": NaN, "idempotency_key": "k"}'],
    ['a hexadecimal amount', '{"amount": 0x10, "idempotency_key": "k"}'],
    ['a list', '[{"amount": 1, "idempotency_key": "k"}]'],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '5'],
    ['a text', '"amount"'],
    ['a form', 'amount=1&idempotency_key=k'],
    ['two objects', '{"amount": 1}{"amount": 2}'],
    ['very deep', '['.repeat(30_000)],
    ['a null byte', '\u0000'],
  ])('%s', async (_, body) => {
    expectInvalid(await credit(body), notAnObject, 400);
    expectSuccess(await api.get(`/users/${user}/tickets/balance`), { balance: 3, sequence: 1 });
  });

  test('by every endpoint that reads a body, even for an unknown user', async () => {
    const reading = allRoutes.filter(({ schemas, credential }) => schemas().body && !credential);
    expect(reading.length).toBeGreaterThan(0);
    for (const { method, path } of reading) {
      const answer = await api.call(method, path.replaceAll(/\{\w+\}/g, 'nobody'), { body: '[1]' });
      expectInvalid(answer, notAnObject, 400);
    }
  });
});

describe('a body that is not UTF-8 is refused', () => {
  const bodyOf = (key: number[]) =>
    Buffer.concat([Buffer.from('{"amount": 1, "idempotency_key": "'), Buffer.from(key), Buffer.from('"}')]);

  test('with a hint, and two different bodies are never treated as equal', async () => {
    for (const key of [[0xff], [0xfe], [0xe9], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf5]]) {
      const answer = await credit(bodyOf(key));
      expectError(answer, 400, 'validation_failed', notAnObject, 'Request body is not UTF-8');
    }
    expectSuccess(await api.get(`/users/${user}/tickets/balance`), { balance: 3, sequence: 1 });
  });

  test('but a body with the replacement character itself is accepted', async () => {
    const other = await api.user();
    const answer = await api.post(`/users/${other}/tickets/credit`, bodyOf([0xef, 0xbf, 0xbd]));
    expect(answer.status).toBe(200);
  });
});

test('an absent body counts as an object without fields', async () => {
  for (const body of [undefined, '', ' \r\n\t', '{}']) {
    expectInvalid(await credit(body), 'amount: Field required');
  }
});

test('a body may have whitespace, a byte order mark and an odd content type', async () => {
  const body = '\ufeff \n{"amount": 1, "idempotency_key": "odd"}\n';
  const path = `/users/${user}/tickets/debit`;
  const types = ['text/plain', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded', 'x'];
  for (const type of types) {
    const answer = await api.call('POST', path, { body, headers: { 'content-type': type } });
    expect(answer.body.new_ticket_balance).toBe(2);
  }
});

describe('a body of 64 KiB', () => {
  const bodyOf = (bytes: number, padding = 'p') => {
    const body = { amount: 1, idempotency_key: `of ${bytes} ${padding}`, description: 'd', padding: '' };
    const room = bytes - Buffer.byteLength(JSON.stringify(body));
    const text = JSON.stringify({ ...body, padding: padding.repeat(room / Buffer.byteLength(padding)) });
    return text + ' '.repeat(bytes - Buffer.byteLength(text));
  };
  const tooLarge = 'Request body must be at most 65536 bytes';

  test('is read to its last byte', async () => {
    expect((await credit(bodyOf(65_536))).status).toBe(200);
    expect((await credit(bodyOf(65_536, '🎟'))).status).toBe(200);
  });

  test('and one byte is refused, counted in bytes', async () => {
    const before = (await api.get(`/users/${user}/tickets/balance`)).body;
    expectInvalid(await credit(bodyOf(65_537)), tooLarge, 400);
    expectInvalid(await credit(bodyOf(65_537, '🎟')), tooLarge, 400);
    expectInvalid(await credit(bodyOf(5_000_000)), tooLarge, 400);
    expect((await api.get(`/users/${user}/tickets/balance`)).body).toEqual(before);
  });

  test('and more than the gateway accepts gets a response too', async () => {
    const answer = await credit(bodyOf(11_000_000));
    expect(answer).toMatchObject({ status: 413, body: { status: 'error', code: 'validation_failed' } });
  });
});

test('no JSON causes an error in the service', async () => {
  const fields = fc.constantFrom('amount', 'idempotency_key', 'type', 'external_reference', '__proto__');
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom('truck', 1, 'k', -1, 1e308, '\ud800'));
  const bodies = fc.oneof(
    fc.json(),
    fc.string(),
    fc.dictionary(fields, values).map((v) => JSON.stringify(v)),
  );
  const paths = [`/users/${user}/entries/credit`, `/users/${user}/entries/debit`, '/users'];
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom(...paths), async (body, path) => {
      const answer = await api.post(path, body);
      expect([200, 400, 409, 422]).toContain(answer.status);
      expect(answer.body.status).toBe(answer.status === 200 ? 'success' : 'error');
    }),
    { numRuns: 150 },
  );
});

describe('the order of refusals', () => {
  test('is shape, amount, existence, state, after the credential', async () => {
    const debit = (of: string, body: unknown) => api.post(`/users/${of}/tickets/debit`, body);
    const key = { idempotency_key: 'order' };
    expectInvalid(
      await debit('nobody', { amount: 0, idempotency_key: 5 }),
      'idempotency_key: Input should be a valid string',
    );
    expectInvalid(await debit('nobody', { amount: 0, ...key }), 'ticket amount must be positive', 400);
    expect((await debit('nobody', { amount: 999, ...key })).body.code).toBe('user_not_found');
    expect((await debit(user, { amount: 999, ...key })).body.code).toBe('insufficient_tickets');
  });
});
