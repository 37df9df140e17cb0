import { ulid } from 'ulid';
import { describe, expect, test } from 'vitest';
import { createApiKey } from '../../shared/actions/change-keys.ts';
import { pageTokens } from '../../shared/api/page-tokens.ts';
import { listApiKeys } from '../../shared/organizations/api-keys.ts';
import { tableClient } from '../../shared/table/client.ts';
import { apiOf, newOrganization, secretOf } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { expectInvalid } from '../support/expectations.ts';
import { type EndpointName, invoke } from '../support/invoke.ts';
import { testContext } from '../support/test-context.ts';

const refusal = 'next_token: Input should come from an earlier page of this list, with the same filters';
const organizationId = 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const list = { organizationId, route: 'webhooks/history', path: {}, query: { start: 1, end: 2, limit: 5 } };

/** Creates a page token for a list, signed with a given secret. */
const forged = (secret: string, of: typeof list, position: string) =>
  pageTokens(secret, of).nextToken(position);

describe('a token', () => {
  const token = forged('secret', list, 'here');
  const positionIn = (secret: string, of: typeof list) =>
    pageTokens(secret, { ...of, query: { ...of.query, next_token: token } as typeof list.query }).after;

  test('leads to its position, whatever the size of the next page', () => {
    expect(token).toMatch(/^[\w-]+$/);
    expect(positionIn('secret', { ...list, query: { ...list.query, limit: 900 } })).toBe('here');
  });

  test.each([
    ['organization', { organizationId: 'org_other' }],
    ['route', { route: 'webhooks/list' }],
    ['path', { path: { user_id: 'usr_1' } }],
    ['filter', { query: { ...list.query, start: 0 } }],
    ['further filter', { query: { ...list.query, event_type: 'outcome' } }],
  ])('is not valid for another %s', (_, other) => {
    expect(() => positionIn('secret', { ...list, ...other })).toThrow(refusal);
  });

  test('is valid only with its own secret', () => {
    expect(() => positionIn('another', list)).toThrow(refusal);
  });
});

describe('the tokens of an organization', () => {
  const history = { route: 'tickets/history', query: { limit: 1 } as typeof list.query };

  test('cannot be signed with anything that the host knows', async () => {
    const api = await newOrganization();
    const user_id = await api.user(1);
    const of = { ...history, organizationId: api.organizationId, path: { user_id } };
    const known = [api.organizationId, api.apiKey, secretOf(api.apiKey)];
    for (const secret of known) {
      const next_token = forged(secret, of, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
      expectInvalid(await api.get(`/users/${user_id}/tickets/history`, { limit: 1, next_token }), refusal);
    }
  });

  test('are valid with its other key, and their secret is not visible', async () => {
    const api = await newOrganization();
    for (const path of ['a', 'b']) {
      await api.post('/webhooks', {
        callback_url: `https://hooks.example.com/${path}`,
        secret_key: 'secret',
      });
    }
    const { next_token } = (await api.get('/webhooks', { limit: 1 })).body;
    const other = apiOf(api.organizationId, await createApiKey(api.organizationId, 'local', testContext()));
    expect((await other.get('/webhooks', { next_token })).body.webhooks).toHaveLength(1);
    expect(JSON.stringify(await listApiKeys(api.organizationId))).not.toContain('secret');
  });
});

const odd = [
  'x',
  '/',
  '2026-02-31/',
  '1000-01-01/',
  'wh_',
  `${'0'.repeat(26)}#`,
  'Z'.repeat(26),
  'é'.repeat(600),
];
const start = '2026-02-01T00:00:00Z';
const end = '2026-02-02T00:00:00Z';
const ulidOf = (instant: string, ms: number) => ulid(Date.parse(instant) + ms);
const outside = [ulidOf(start, -1), ulidOf(end, 1)];
const lists: [EndpointName, Record<string, string>, object, string[]][] = [
  ['tickets/history', {}, { limit: 10 }, odd],
  ['games/history', {}, { limit: 10 }, odd],
  ['webhooks/list', {}, { limit: 100 }, [...odd, `usr_${'0'.repeat(26)}`]],
  [
    'webhooks/history',
    { start, end },
    { start: Date.parse(start), end: Date.parse(end) },
    [...odd, ...outside],
  ],
];

test.each(lists)(
  'an invalid position with a valid signature is refused in %s',
  async (name, query, parsed, positions) => {
    const path = name.endsWith('y') && !name.startsWith('web') ? { user_id: `usr_${'0'.repeat(26)}` } : {};
    for (const position of positions) {
      const signed = { organizationId, route: name, path, query: parsed as typeof list.query };
      const next_token = forged('secret', signed, position);
      const { result, calls } = await watchingCalls(tableClient, () =>
        invoke(name, { organizationId, path, query: { ...query, next_token } }),
      );
      expect([position, result.status, result.body.message]).toEqual([position, 422, refusal]);
      expect(calls).toEqual([]);
    }
  },
);

test.each([ulidOf(start, 0), ulidOf(end, 0)])(
  'a position within the range is accepted: %s',
  async (position) => {
    const query = { start: Date.parse(start), end: Date.parse(end) } as typeof list.query;
    const next_token = forged('secret', { ...list, path: {}, query }, position);
    const { status } = await invoke('webhooks/history', {
      organizationId,
      query: { start, end, next_token },
    });
    expect(status).toBe(200);
  },
);
