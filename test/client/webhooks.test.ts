import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../shared/client/webhooks.ts';
import { signedHeaders } from '../../shared/webhooks/signature.ts';

const atSeconds = 1_773_500_966;
const now = atSeconds * 1000;
const body = '{"id":"evt_1","type":"cash_won","data":{"cash_usd":10,"name":"Zoë"}}';
const secrets = ['plain text, of any kind ☺', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'YWJj'];
const signed = (secret: string, id = 'evt_1') => signedHeaders({ id, atSeconds, body }, [secret]);

describe.each(secrets)('with the secret %s', (secret) => {
  test('a call signed by the service is verified', async () => {
    const message = await verifyWebhook({ body, headers: signed(secret), secret, now });
    expect(message).toEqual({ id: 'evt_1', kind: 'event', event: JSON.parse(body) });
  });

  test('bytes, Headers and header names in any case are accepted', async () => {
    const headers = new Headers(signed(secret));
    for (const bytes of [Buffer.from(body), Uint8Array.from(Buffer.from(body)).buffer]) {
      expect(await verifyWebhook({ body: bytes, headers, secret, now })).toMatchObject({ id: 'evt_1' });
    }
    const upper = Object.fromEntries(
      Object.entries(signed(secret)).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await verifyWebhook({ body, headers: upper, secret, now })).toMatchObject({ id: 'evt_1' });
  });

  test('an altered call, or one signed with another secret, is refused', async () => {
    const call = { body, headers: signed(secret), secret, now };
    for (const other of [
      { ...call, body: body.replace('10', '1000') },
      { ...call, secret: 'another' },
      { ...call, headers: { ...call.headers, 'webhook-id': 'evt_2' } },
      { ...call, headers: { ...call.headers, 'webhook-timestamp': String(atSeconds + 1) } },
      { ...call, headers: { ...call.headers, 'webhook-signature': 'v1,AAAA v1, v2,x' } },
    ]) {
      await expect(verifyWebhook(other)).rejects.toBeInstanceOf(WebhookVerificationError);
    }
  });
});

test('a call more than five minutes old or in the future is refused, unless more is allowed', async () => {
  const call = { body, headers: signed('secret'), secret: 'secret' };
  for (const seconds of [-301, 301]) {
    await expect(verifyWebhook({ ...call, now: now + seconds * 1000 })).rejects.toThrow('is too far from');
  }
  await verifyWebhook({ ...call, now: now + 300_000 });
  await verifyWebhook({ ...call, now: now + 301_000, toleranceSeconds: 600 });
});

test.each([{ toleranceSeconds: Number.NaN }, { toleranceSeconds: -1 }, { now: Number.NaN }])(
  'a call is not accepted with %o, which no time could exceed',
  async (options) => {
    const call = { body, headers: signed('secret'), secret: 'secret', now, ...options };
    await expect(verifyWebhook(call)).rejects.toThrow(TypeError);
  },
);

test.each([
  [undefined, 'secret is missing'],
  ['', 'secret is missing'],
  [['right', ''], 'secret is missing'],
  [[], 'secret is missing'],
  ['whsec_', 'secret must be base64 after whsec_'],
  ['whsec_nearly_base64', 'secret must be base64 after whsec_'],
])('an invalid secret (%j) is reported, whatever was sent', async (secret, message) => {
  const call = { body, headers: {}, secret: secret as string, now };
  await expect(verifyWebhook(call)).rejects.toThrow(new TypeError(message));
});

test.each(['soon', '1e9', ' 1773500966', `${now}0`, '-1'])(
  'the timestamp %j is refused, because it is not a number of seconds',
  async (timestamp) => {
    const headers = { ...signed('secret'), 'webhook-timestamp': timestamp };
    const call = verifyWebhook({ body, headers, secret: 'secret', now });
    await expect(call).rejects.toThrow(new WebhookVerificationError('webhook-timestamp is not a number'));
  },
);

test('Node 18 verifies a call too, although it has no global `crypto`', async () => {
  const call = { body, headers: signed('secret'), secret: 'secret', now };
  vi.stubGlobal('crypto', undefined);
  const verified = verifyWebhook(call).finally(() => vi.unstubAllGlobals());
  expect(await verified).toMatchObject({ id: 'evt_1' });
});

test.each([undefined, {}, { id: 'evt_1' }])(
  'a parsed body instead of the raw one (%j) is reported',
  async (parsed) => {
    const call = { body: parsed as unknown as string, headers: signed('secret'), secret: 'secret', now };
    await expect(verifyWebhook(call)).rejects.toThrow(/^body must be the raw body/);
  },
);

test('during a secret rotation, either of two signatures and either of two secrets is enough', async () => {
  const headers = signedHeaders({ id: 'evt_1', atSeconds, body }, ['new', 'old']);
  for (const secret of ['new', 'old', ['other', 'old']]) await verifyWebhook({ body, headers, secret, now });
  await expect(verifyWebhook({ body, headers, secret: ['other'], now })).rejects.toThrow('no signature');
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'a call without %s is refused',
  async (name) => {
    const headers = { ...signed('secret'), [name]: undefined };
    await expect(verifyWebhook({ body, headers, secret: 'secret', now })).rejects.toThrow(
      `${name} is missing`,
    );
  },
);

test('an invocation by the host is distinguished from events by its signed id', async () => {
  const headers = signed('secret', 'inv_1');
  const message = await verifyWebhook({ body, headers, secret: 'secret', now });
  expect(message).toEqual({ id: 'inv_1', kind: 'invocation', payload: JSON.parse(body) });
});

test('a registered secret that is almost base64 still signs as before', () => {
  const bytes = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
  expect(signed('whsec_')).toEqual(signed(bytes('whsec_')));
  expect(signed('whsec_-_-')).toEqual(signed('whsec_+/+='));
});

describe('the Standard Webhooks library', () => {
  const fresh = (secret: string) =>
    signedHeaders({ id: 'evt_1', atSeconds: Math.floor(Date.now() / 1000), body }, [secret]);

  test('accepts a secret that begins with whsec_', () => {
    const [, secret = ''] = secrets;
    expect(new Webhook(secret).verify(body, fresh(secret))).toEqual(JSON.parse(body));
  });

  test('accepts any other secret in the raw format', () => {
    const [secret = ''] = secrets;
    const raw = (text: string) => new Webhook(new TextEncoder().encode(text), { format: 'raw' });
    expect(raw(secret).verify(body, fresh(secret))).toEqual(JSON.parse(body));
    expect(() => raw('another').verify(body, fresh(secret))).toThrow();
  });
});
