import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, newOrganization, times } from '../support/api.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});
const rename = (user: string, reference: string) =>
  api.put(`/users/${user}`, { external_reference: reference });
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
const ownerOf = async (reference: string) =>
  (await api.get('/users', { external_reference: reference })).body.user_id;

describe('of requests for one reference at once', () => {
  test('exactly one creates a user', async () => {
    const answers = await Promise.all(
      times(10, () => api.post('/users', { external_reference: 'contested' })),
    );
    const created = answers.filter(({ status }) => status === 200);
    expect(statuses(answers.filter((answer) => !created.includes(answer)))).toEqual(
      times(10 - created.length, () => 409),
    );
    // After an answer that was lost, the user is whoever's sends the same request again.
    if (answers.every(({ sent }) => sent === 1)) expect(created).toHaveLength(1);
    const owner = await ownerOf('contested');
    expect(new Set(created.map(({ body }) => body.user_id))).toEqual(new Set([owner]));
  });

  test('by one user all succeed: the reference is its own', async () => {
    const user = await api.user();
    const answers = await Promise.all(times(8, () => rename(user, 'my own')));
    expect(statuses(answers)).toEqual(times(8, () => 200));
    expect(await ownerOf('my own')).toBe(user);
  });

  test('exactly one gets it, and the others keep theirs', async () => {
    const users = await Promise.all(times(6, () => api.user()));
    const before = await Promise.all(
      users.map(async (user) => (await api.get(`/users/${user}`)).body.external_reference),
    );
    const answers = await Promise.all(users.map((user) => rename(user, 'wanted')));
    expect(statuses(answers)).toEqual([200, ...times(5, () => 409)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await ownerOf('wanted')).toBe(users[winner]);
    for (const [index, user] of users.entries()) {
      const expected = index === winner ? 'wanted' : before[index];
      expect((await api.get(`/users/${user}`)).body.external_reference).toBe(expected);
      if (index !== winner) expect(await ownerOf(before[index])).toBe(user);
    }
    expect((await api.get('/users', { external_reference: before[winner] })).status).toBe(404);
  });
});

test('of changes of one user at once all succeed, and the last one leaves no other reference behind', async () => {
  const user = await api.user();
  const references = times(8, (i) => `name-${i}`);
  const answers = await Promise.all(references.map((reference) => rename(user, reference)));
  expect(statuses(answers)).toEqual(times(8, () => 200));
  const { external_reference } = (await api.get(`/users/${user}`)).body;
  for (const reference of references) {
    expect(await ownerOf(reference)).toBe(reference === external_reference ? user : undefined);
  }
});

test('a rename and credits at once both hold', async () => {
  const user = await api.user();
  const changes = times(6, (i) =>
    i % 3 === 0
      ? rename(user, `mixed-${i}`)
      : api.post(`/users/${user}/tickets/credit`, { amount: 2, idempotency_key: `k${i}` }),
  );
  expect(statuses(await Promise.all(changes))).toEqual(times(6, () => 200));
  expect((await api.get(`/users/${user}/tickets/balance`)).body.balance).toBe(8);
  expect((await api.get(`/users/${user}`)).body.external_reference).toMatch(/^mixed-/);
});
