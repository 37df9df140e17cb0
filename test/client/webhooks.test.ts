import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../shared/client/webhooks.ts';
import { signedHeaders } from '../../shared/webhooks/signature.ts';

const atSeconds = 1_773_500_966;
const now = atSeconds * 1000;
const body = '{"id":"evt_1","type":"cash_won","data":{"cash_usd":10,"name":"Zoë"}}';
const secrets = ['plain text, of any kind ☺', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'YWJj'];
const signed = (secret: string, id = 'evt_1') => signedHeaders({ id, atSeconds, body }, [secret]);

describe.each(secrets)('with the secret %s', (secret) => {
  test('what the service signed is verified', async () => {
    const message = await verifyWebhook({ body, headers: signed(secret), secret, now });
    expect(message).toEqual({ id: 'evt_1', kind: 'event', event: JSON.parse(body) });
  });

  test('bytes and Headers do as well, and names of headers in any case', async () => {
    const headers = new Headers(signed(secret));
    for (const bytes of [Buffer.from(body), Uint8Array.from(Buffer.from(body)).buffer]) {
      expect(await verifyWebhook({ body: bytes, headers, secret, now })).toMatchObject({ id: 'evt_1' });
    }
    const upper = Object.fromEntries(
      Object.entries(signed(secret)).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await verifyWebhook({ body, headers: upper, secret, now })).toMatchObject({ id: 'evt_1' });
  });

  test('what was altered, or signed with another secret, is not', async () => {
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

test('what is older or newer than five minutes is refused, unless more is allowed', async () => {
  const call = { body, headers: signed('secret'), secret: 'secret' };
  for (const seconds of [-301, 301]) {
    await expect(verifyWebhook({ ...call, now: now + seconds * 1000 })).rejects.toThrow('webhook-timestamp');
  }
  await verifyWebhook({ ...call, now: now + 299_000 });
  await verifyWebhook({ ...call, now: now + 301_000, toleranceSeconds: 600 });
});

test.each([undefined, '', 'whsec_', 'whsec_nearly_base64', ['right', ''], []])(
  'a receiver without a secret that can be one (%j) is told so, whatever was sent',
  async (secret) => {
    const call = { body, headers: {}, secret: secret as string, now };
    await expect(verifyWebhook(call)).rejects.toThrow(expect.objectContaining({ name: 'TypeError' }));
  },
);

test.each([undefined, {}, { id: 'evt_1' }])(
  'a body that is not what was sent (%j) is told of',
  async (parsed) => {
    const call = { body: parsed as unknown as string, headers: signed('secret'), secret: 'secret', now };
    await expect(verifyWebhook(call)).rejects.toThrow(/^body must be the raw body/);
  },
);

test('while a secret is replaced, either of the two signatures is enough, and either of two secrets', async () => {
  const headers = signedHeaders({ id: 'evt_1', atSeconds, body }, ['new', 'old']);
  for (const secret of ['new', 'old', ['other', 'old']]) await verifyWebhook({ body, headers, secret, now });
  await expect(verifyWebhook({ body, headers, secret: ['other'], now })).rejects.toThrow('no signature');
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'a call without %s is refused',
  async (name) => {
    const headers = { ...signed('secret'), [name]: undefined };
    await expect(verifyWebhook({ body, headers, secret: 'secret', now })).rejects.toThrow(name);
  },
);

test('what a host had sent itself is told apart from events by its signed id', async () => {
  const headers = signed('secret', 'inv_1');
  const message = await verifyWebhook({ body, headers, secret: 'secret', now });
  expect(message).toEqual({ id: 'inv_1', kind: 'invocation', payload: JSON.parse(body) });
});

test('a secret that was registered before what is nearly base64 was refused signs as it did', () => {
  const bytes = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
  expect(signed('whsec_')).toEqual(signed(bytes('whsec_')));
  expect(signed('whsec_-_-')).toEqual(signed('whsec_+/+='));
});

describe('the library of Standard Webhooks', () => {
  const fresh = (secret: string) =>
    signedHeaders({ id: 'evt_1', atSeconds: Math.floor(Date.now() / 1000), body }, [secret]);

  test('takes a secret that begins with whsec_ as it is', () => {
    const [, secret = ''] = secrets;
    expect(new Webhook(secret).verify(body, fresh(secret))).toEqual(JSON.parse(body));
  });

  test('takes the bytes of any other secret, in the format raw', () => {
    const [secret = ''] = secrets;
    const raw = (text: string) => new Webhook(new TextEncoder().encode(text), { format: 'raw' });
    expect(raw(secret).verify(body, fresh(secret))).toEqual(JSON.parse(body));
    expect(() => raw('another').verify(body, fresh(secret))).toThrow();
  });
});
