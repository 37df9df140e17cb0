import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stages } from '../../shared/stage.ts';
import { getItem, putItem } from '../../shared/table/client.ts';
import { webhookKey } from '../../shared/table/webhook-keys.ts';
import { decryptSecret } from '../../shared/webhooks/secrets.ts';
import type { Webhook } from '../../shared/webhooks/webhooks.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';

let api: Api;
let other: Api;
beforeAll(async () => {
  [api, other] = await Promise.all([newOrganization(), newOrganization()]);
});
const fields = { callback_url: 'https://hooks.example.com/in?a=1', secret_key: 'a-secret-of-some-length' };
const register = async (of: Api, more: object = {}) =>
  (await of.post('/webhooks', { ...fields, ...more })).body;
const errorOf = ({ status, body }: { status: number; body: { message: string; code: string } }) => [
  status,
  body.message,
  body.code,
];
const unknown = [404, 'Invalid webhook ID', 'webhook_not_found'];

describe('the list', () => {
  const received = async (of: Api) =>
    (await of.get('/webhooks')).body.webhooks.map(({ receives }: { receives: string[] }) => receives);
  const all = [
    'outcome',
    'balance_updated',
    'cash_won',
    'prize_won',
    'prize_updated',
    'drawing_closed',
    'drawing_won',
  ];

  test('shows which of several webhooks with one callback URL receives an event', async () => {
    const host = await newOrganization();
    await register(host);
    await register(host, { callback_url: 'https://hooks.example.com/other', event: 'outcome' });
    expect(await received(host)).toEqual([all, ['outcome']]);
    await register(host, { event: 'cash_won' });
    expect(await received(host)).toEqual([
      all.filter((type) => type !== 'cash_won'),
      ['outcome'],
      ['cash_won'],
    ]);
  });

  test('shows no events for a webhook that is switched off', async () => {
    const host = await newOrganization();
    const { webhook_id } = await register(host);
    const stored = (await getItem<Webhook>(webhookKey(host.organizationId, webhook_id)))!;
    const off = {
      state: 'off',
      failing_since: '2026-01-01T00:00:00.000Z',
      disabled_at: '2026-01-06T00:00:00.000Z',
    };
    await putItem({ ...stored, receiver: off });
    expect(await received(host)).toEqual([[]]);
  });
});

describe('a registration', () => {
  test('returns its fields, and reads return the same', async () => {
    const made = await api.post('/webhooks', fields);
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      status: 'success',
      webhook_id: expect.stringMatching(/^wh_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      ...fields,
      event: 'all',
    });
    expect((await api.get(`/webhooks/${made.body.webhook_id}`)).body).toEqual(made.body);
  });

  test('that is repeated at every start is one webhook, whose old secret signs for a day', async () => {
    const host = await newOrganization();
    const again = { callback_url: `${fields.callback_url}#again` };
    const made = await register(host);
    for (const _ of times(101, () => 0)) expect(await register(host)).toEqual(made);
    expect(await register(host, { ...again, secret_key: 'new' })).toEqual({
      ...made,
      ...again,
      secret_key: 'new',
    });
    const stored = (await getItem<Webhook>(webhookKey(host.organizationId, made.webhook_id)))!;
    expect(stored.previous).toHaveLength(1);
    expect((await host.get('/webhooks')).body.webhooks).toMatchObject([{ webhook_id: made.webhook_id }]);
    expect((await register(host, { event: 'outcome' })).webhook_id).not.toBe(made.webhook_id);
  });

  test('keeps its event type if a change has none, and can change it', async () => {
    const { webhook_id } = await register(api, { event: 'outcome' });
    const changed = { callback_url: 'https://hooks.example.com/elsewhere', secret_key: 'whsec_bmV3' };
    const answer = await api.put(`/webhooks/${webhook_id}`, changed);
    expect(answer.body).toEqual({ status: 'success', webhook_id, ...changed, event: 'outcome' });
    expect((await api.put(`/webhooks/${webhook_id}`, { ...changed, event: 'all' })).body.event).toBe('all');
    expect((await api.get(`/webhooks/${webhook_id}`)).body).toEqual({ ...answer.body, event: 'all' });
  });

  test('is webhook_not_found after it is deleted', async () => {
    const { webhook_id } = await register(api);
    const deleted = await api.delete(`/webhooks/${webhook_id}`);
    expect(deleted.body).toEqual({ status: 'success', webhook_id });
    expect(errorOf(await api.get(`/webhooks/${webhook_id}`))).toEqual(unknown);
    expect(errorOf(await api.delete(`/webhooks/${webhook_id}`))).toEqual(unknown);
  });

  test('is not visible to other organizations', async () => {
    const { webhook_id } = await register(api);
    expect(errorOf(await other.get(`/webhooks/${webhook_id}`))).toEqual(unknown);
    expect(errorOf(await other.put(`/webhooks/${webhook_id}`, fields))).toEqual(unknown);
    expect(errorOf(await other.delete(`/webhooks/${webhook_id}`))).toEqual(unknown);
    expect(errorOf(await other.call('POST', `/webhooks/${webhook_id}/invoke`, { body: {} }))).toEqual(
      unknown,
    );
    expect((await api.get(`/webhooks/${webhook_id}`)).status).toBe(200);
  });

  test('is not found under texts that are not webhook ids', async () => {
    for (const id of ['x', 'wh_', 'WEBHOOK%23', `usr_${'0'.repeat(26)}`, `wh_${'0'.repeat(26)}`]) {
      expect(errorOf(await api.get(`/webhooks/${id}`))).toEqual(unknown);
    }
  });

  test('stores its secret encrypted for its organization and id', async () => {
    const { webhook_id } = await register(api, { secret_key: 'never in the clear' });
    const stored = (await getItem<{ secret: string; data_key: string }>(
      webhookKey(api.organizationId, webhook_id),
    ))!;
    expect(JSON.stringify(stored)).not.toContain('never in the clear');
    const owner = { organization_id: api.organizationId, webhook_id };
    expect(await decryptSecret(stored.secret, stored.data_key, owner)).toBe('never in the clear');
    for (const stranger of [{ organization_id: other.organizationId }, { webhook_id: 'wh_other' }]) {
      await expect(
        decryptSecret(stored.secret, stored.data_key, { ...owner, ...stranger }),
      ).rejects.toThrow();
    }
  });
});

describe('the list', () => {
  test('has all webhooks of the organization, oldest first, page by page, with or without its slash', async () => {
    const mine = await newOrganization();
    expect((await mine.get('/webhooks/')).body).toEqual({ status: 'success', webhooks: [], next_token: '' });
    const made = [];
    for (const i of times(5, (n) => n))
      made.push(await register(mine, { callback_url: `${fields.callback_url}&i=${i}` }));
    const all = made.map(({ status: _, ...webhook }) => webhook);
    expect((await mine.get('/webhooks/')).body.webhooks).toMatchObject(all);
    expect((await mine.get('/webhooks')).body.webhooks).toMatchObject(all);
    const pages = [];
    let token = (await mine.get('/webhooks', { limit: 0 })).body.next_token;
    expect(token).not.toBe('');
    do {
      const query = { limit: 2, ...(token && { next_token: token }) };
      const { body } = await mine.get('/webhooks/', query);
      pages.push(body.webhooks);
      token = body.next_token;
    } while (token);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toMatchObject(all);
  });

  test('refuses a token of another organization', async () => {
    for (const i of times(2, (n) => n))
      await register(other, { callback_url: `${fields.callback_url}&i=${i}` });
    const { next_token } = (await other.get('/webhooks', { limit: 1 })).body;
    expect(next_token).not.toBe('');
    const refused = await api.get('/webhooks', { next_token });
    expect(errorOf(refused)).toEqual([
      422,
      'next_token: Input should come from an earlier page of this list, with the same filters',
      'validation_failed',
    ]);
  });

  test('has at most 100 webhooks, even with concurrent requests, and a deletion makes room', async () => {
    const full = await newOrganization();
    const post = (i: number) =>
      full.post('/webhooks', { ...fields, callback_url: `${fields.callback_url}&i=${i}` });
    const answers = await Promise.all(times(110, post));
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.webhook_id);
    const listed = (await full.get('/webhooks', { limit: 1000 })).body.webhooks;
    expect(listed).toHaveLength(100);
    // The list may contain further webhooks: a registration can succeed although its response is lost and its
    // retry refused.
    expect(listed.map(({ webhook_id }: { webhook_id: string }) => webhook_id)).toEqual(
      expect.arrayContaining(made),
    );
    if (answers.every(({ sent }) => sent === 1)) expect(made).toHaveLength(100);
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect(errorOf(refused)).toEqual([
        409,
        'an organization can have 100 webhooks at most',
        'too_many_webhooks',
      ]);
    }
    await full.delete(`/webhooks/${made[0]}`);
    expect((await post(200)).status).toBe(200);
  });
});

describe('an invalid registration', () => {
  const url = 'callback_url: Input should be a valid URL';
  const cases: [name: string, body: unknown, status: number, message: string][] = [
    ['nothing at all', {}, 422, 'callback_url: Field required'],
    ['no secret', { callback_url: fields.callback_url }, 422, 'secret_key: Field required'],
    ...['whsec_', 'whsec_YWJ', 'whsec_YWJjY', 'whsec_YW-_', 'whsec_YWJj\n', 'whsec_YWJj YWJj'].map(
      (secret_key): (typeof cases)[number] => [
        `a secret that is not base64 after its prefix: ${JSON.stringify(secret_key)}`,
        { ...fields, secret_key },
        422,
        'secret_key: Input should be base64, with its padding, after whsec_',
      ],
    ),
    ['no URL', { ...fields, callback_url: 'example.com/hook' }, 422, url],
    ['another scheme', { ...fields, callback_url: 'ftp://example.com' }, 422, url],
    ['user info', { ...fields, callback_url: 'https://me:pass@example.com' }, 422, url],
    ['a private address', { ...fields, callback_url: 'https://10.0.0.1/' }, 422, url],
    ['a metadata address', { ...fields, callback_url: 'http://169.254.169.254/latest' }, 422, url],
    [
      'an unknown event',
      { ...fields, event: 'everything' },
      422,
      "event: Input should be 'all', 'outcome', 'balance_updated', 'cash_won', 'prize_won', 'prize_updated', 'drawing_closed' or 'drawing_won'",
    ],
  ];
  let mine: Api;
  let kept: { webhook_id: string };
  beforeAll(async () => {
    mine = await newOrganization();
    const { status: _, ...webhook } = await register(mine);
    kept = webhook;
  });
  test.each(cases)('is refused with its reason: %s', async (_, body, status, message) => {
    const expected = [status, message, 'validation_failed'];
    expect(errorOf(await mine.post('/webhooks', body))).toEqual(expected);
    expect(errorOf(await mine.put(`/webhooks/${kept.webhook_id}`, body))).toEqual(expected);
  });
  test.each(['https://10.0.0.1/', 'https://me:pass@example.com', 'ftp://example.com'])(
    'names the rule for URLs: %s',
    async (callback_url) => {
      const { body } = await mine.post('/webhooks', { ...fields, callback_url });
      expect([body.message, body.detail]).toEqual([
        url,
        'It must be an https URL with a public address and without user info',
      ]);
    },
  );
  test('stores and changes nothing', async () => {
    expect((await mine.get('/webhooks/')).body.webhooks).toMatchObject([kept]);
  });
});

test.each(stages)(
  'a callback URL on the developer’s machine is accepted on local only: %s',
  async (stage) => {
    vi.stubEnv('STAGE', stage);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { organizationId } = await newOrganization();
    const body = { ...fields, callback_url: 'http://127.0.0.1:3000/' };
    const { status } = await invoke('webhooks/create', { organizationId, body });
    expect(status).toBe(stage === 'local' ? 200 : 422);
  },
);
