import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, newOrganization } from '../support/api.ts';
import { expectError, expectInvalid, expectSuccess, instant, userId } from '../support/expectations.ts';

let api: Api;
let other: Api;
beforeAll(async () => {
  [api, other] = await Promise.all([newOrganization(), newOrganization()]);
});
const create = (reference: unknown) => api.post('/users', { external_reference: reference });
const find = (reference: string) => api.get('/users', { external_reference: reference });
const noUser = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';

describe('a user', () => {
  test('is created, and can be found by reference and by id', async () => {
    const created = await create('first');
    expectSuccess(created, { user_id: userId, date_created: instant });
    const { user_id, date_created } = created.body;
    const whole = { user_id, external_reference: 'first', date_created };
    expectSuccess(await find('first'), whole);
    expectSuccess(await api.get(`/users/${user_id}`), whole);
  });

  test('keeps id and creation date when its reference changes', async () => {
    const { user_id, date_created } = (await create('before')).body;
    const updated = await api.put(`/users/${user_id}`, { external_reference: 'after' });
    expectSuccess(updated, { user_id, date_created });
    expectSuccess(await find('after'), { user_id, external_reference: 'after', date_created });
    expectSuccess(await api.get(`/users/${user_id}`), { user_id, external_reference: 'after', date_created });
    expectError(await find('before'), 404, 'user_not_found', 'Invalid user ID');
  });

  test('can be given its current reference again', async () => {
    const { user_id, date_created } = (await create('mine')).body;
    const updated = await api.put(`/users/${user_id}`, { external_reference: 'mine' });
    expectSuccess(updated, { user_id, date_created });
    expectSuccess(await find('mine'), { user_id, external_reference: 'mine', date_created });
  });

  test('gives up its old reference immediately', async () => {
    const first = (await create('handed on')).body.user_id;
    await api.put(`/users/${first}`, { external_reference: 'moved on' });
    const second = (await create('handed on')).body.user_id;
    expect(second).not.toBe(first);
    await api.put(`/users/${second}`, { external_reference: 'moved on too' });
    const back = await api.put(`/users/${first}`, { external_reference: 'handed on' });
    expect(back.status).toBe(200);
    expect((await find('handed on')).body.user_id).toBe(first);
  });

  test('keeps its balances when its reference changes', async () => {
    const user = await api.user(12);
    await api.put(`/users/${user}`, { external_reference: crypto.randomUUID() });
    expectSuccess(await api.get(`/users/${user}/tickets/balance`), { balance: 12, sequence: 1 });
  });
});

describe('a reference', () => {
  test('belongs to one user, and is refused for a second one', async () => {
    const { user_id } = (await create('taken')).body;
    const another = (await create('free')).body.user_id;
    const taken = [409, 'external_reference_taken', 'external_reference already in use'] as const;
    expectError(await create('taken'), ...taken);
    expectError(await api.put(`/users/${another}`, { external_reference: 'taken' }), ...taken);
    expect((await find('taken')).body.user_id).toBe(user_id);
    expect((await find('free')).body.user_id).toBe(another);
  });

  test('can be used once in each organization', async () => {
    const mine = (await create('shared')).body.user_id;
    const theirs = await other.post('/users', { external_reference: 'shared' });
    expect(theirs.status).toBe(200);
    expect(theirs.body.user_id).not.toBe(mine);
    expect((await other.get('/users', { external_reference: 'shared' })).body.user_id).toBe(
      theirs.body.user_id,
    );
  });

  test.each([
    ['of one character', 'x'],
    ['of 255 characters', 'a'.repeat(255)],
    ['of 255 characters of four bytes', '🎟'.repeat(255)],
    ['with key-like characters', 'ORG#1#USER'],
    ['that looks like a path', '../users/%2F/%00'],
    ['with a line break and a null', 'a\nb\u0000c'],
    ['with leading and trailing spaces', '  spaced  '],
    ['with plus and percent', 'a+b%20c&d=e#f?g'],
    ['that looks like a number', '00123'],
    ['right-to-left, and composed', 'מספר e\u0301 é'],
    ['named like a property', '__proto__'],
    ['that holds JSON', '{"$ne": null}'],
  ])('%s is stored unchanged', async (_, reference) => {
    const created = await create(reference);
    expect(created.status).toBe(200);
    const found = await find(reference);
    expect(found.body).toMatchObject({ user_id: created.body.user_id, external_reference: reference });
  });

  test('differs from a reference that only looks the same', async () => {
    const composed = await create('caf\u00e9');
    const decomposed = await create('cafe\u0301');
    expect([composed.status, decomposed.status]).toEqual([200, 200]);
    expect(composed.body.user_id).not.toBe(decomposed.body.user_id);
    expect((await create('Case')).status).toBe(200);
    expect((await create('case')).status).toBe(200);
  });
});

const badReferences: [string, unknown, string][] = [
  ['absent', undefined, 'Field required'],
  ['of 256 characters of four bytes', '🎟'.repeat(256), 'String should have at most 255 characters'],
  ['null', null, 'Input should be a valid string'],
  ['an unpaired surrogate', 'a\ud800', 'Input should be a valid string'],
];
describe.each(badReferences)('a reference that is %s', (_, reference, reason) => {
  test('is refused when a user is created', async () => {
    expectInvalid(await create(reference), `external_reference: ${reason}`);
  });

  test('is refused when a user is changed, also for an unknown user', async () => {
    for (const user of [await api.user(), noUser, 'nobody']) {
      const answer = await api.put(`/users/${user}`, { external_reference: reference });
      expectInvalid(answer, `external_reference: ${reason}`);
    }
  });
});

describe('a lookup', () => {
  test('uses the last of a repeated parameter', async () => {
    const { user_id } = (await create('the last')).body;
    const answer = await api.get('/users?external_reference=another&external_reference=the%20last');
    expect(answer.body.user_id).toBe(user_id);
  });

  test.each([
    ['unknown', noUser],
    ['of another kind', 'org_01HZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['in lower case', noUser.toLowerCase()],
    ['guest', 'guest'],
    ['with a slash', 'usr%2Fx'],
    ['with a null', 'usr_%00'],
    ['with a number sign', '%23USER'],
    ['very long', 'u'.repeat(5000)],
    ['not of this alphabet', '%F0%9F%8E%9F'],
    ['a property of every object', '__proto__'],
  ])('of an id that is %s is a 404', async (_, id) => {
    const nobody = [404, 'user_not_found', 'Invalid user ID'] as const;
    expectError(await api.get(`/users/${id}`), ...nobody);
    expectError(await api.put(`/users/${id}`, { external_reference: 'x' }), ...nobody);
    expectError(await api.get(`/users/${id}/tickets/balance`), ...nobody);
    expectError(await api.get(`/users/${id}/tickets/history`), ...nobody);
    expectError(await api.get(`/users/${id}/tickets/history`, { limit: 0 }), ...nobody);
    for (const change of ['tickets/credit', 'tickets/debit', 'entries/credit', 'entries/debit']) {
      const answer = await api.post(`/users/${id}/${change}`, { amount: 1, idempotency_key: 'k' });
      expectError(answer, ...nobody);
    }
    const spins = { num_of_spins: 1, idempotency_key: 'k' };
    expectError(await api.post(`/users/${id}/game/queue`, spins), ...nobody);
  });

  test('of an unknown reference is a 404', async () => {
    expectError(await find('never seen'), 404, 'user_not_found', 'Invalid user ID');
  });
});
