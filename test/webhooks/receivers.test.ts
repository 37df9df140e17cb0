import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { guardedPost } from '../../shared/webhooks/post.ts';
import { decryptSecrets, registerWebhook, updateWebhook } from '../../shared/webhooks/webhooks.ts';
import { type Api, callsOf, newOrganization, times } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Behaviour, isSignedWith, type Receiver, startReceiver } from '../support/receiver.ts';
import { serve } from '../support/serve.ts';

let api: Api;
const open: Receiver[] = [];
beforeAll(async () => {
  api = await newOrganization();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

async function receive(behaviour?: Behaviour, of = api) {
  const receiver = await startReceiver(behaviour);
  open.push(receiver);
  const fields = { callback_url: receiver.url, secret_key: 'old secret' };
  const { webhook_id } = (await of.post('/webhooks', fields)).body as { webhook_id: string };
  const change = (more: object) => of.put(`/webhooks/${webhook_id}`, { ...fields, ...more });
  return { receiver, webhook_id, change, forget: () => of.delete(`/webhooks/${webhook_id}`) };
}
/** Credits `count` tickets one by one, and so causes as many events. Uses several users, to avoid conflicts. */
async function credit(count: number, of = api) {
  const users = await Promise.all(times(Math.ceil(count / 5), () => of.user()));
  await Promise.all(
    times(count, (i) => {
      const path = `/users/${users[i % users.length]}/tickets/credit`;
      return of.post(path, { amount: 1, idempotency_key: randomUUID() });
    }),
  );
}
const until = <T>(read: () => Promise<T>, check: (value: T) => void) =>
  eventually(async () => check(await read()));

describe('secrets', () => {
  test('sign for a day after their replacement', async () => {
    const [hour, now] = [3_600_000, Date.now()];
    const fields = { callback_url: 'https://hooks.example.com/', secret_key: 'old' };
    const { organizationId } = await newOrganization();
    const { webhook_id } = await registerWebhook(organizationId, fields, now);
    const replace = (secret_key: string, at: number) =>
      updateWebhook(organizationId, webhook_id, { ...fields, secret_key }, at);
    await replace('new', now + hour);
    const webhook = await replace('newest', now + 3 * hour);
    const signing = (hours: number) => decryptSecrets(webhook, now + hours * hour);
    expect(await signing(24)).toEqual(['newest', 'new', 'old']);
    expect(await signing(26)).toEqual(['newest', 'new']);
    expect(await signing(28)).toEqual(['newest']);
  });

  test('the old and the new secret both sign after a change', async () => {
    const { receiver, change, forget } = await receive();
    await credit(1);
    const [before] = await receiver.until(1);
    await change({ secret_key: 'new secret' });
    await credit(1);
    const [, after] = await receiver.until(2);
    expect(['old secret', 'new secret'].map((secret) => isSignedWith(secret, before!))).toEqual([
      true,
      false,
    ]);
    expect(['old secret', 'new secret'].map((secret) => isSignedWith(secret, after!))).toEqual([true, true]);
    await forget();
  });

  test('a change with the same secret adds no second signature', async () => {
    const { receiver, change, forget } = await receive();
    await change({ event: 'balance_updated' });
    await credit(1);
    const [call] = await receiver.until(1);
    expect(call!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
    await forget();
  });

  test('do not appear in the history', async () => {
    const mine = await newOrganization();
    const { receiver, forget } = await receive(undefined, mine);
    await credit(1, mine);
    await receiver.until(1);
    await until(
      () => callsOf(mine),
      (calls) => expect(calls).toHaveLength(1),
    );
    expect(JSON.stringify(await callsOf(mine))).not.toContain('old secret');
    await forget();
  });
});

describe('a receiver', () => {
  test('is called again after a failure, with the same id and body and a new signature', async () => {
    const mine = await newOrganization();
    let answered = 0;
    const { receiver, forget } = await receive(() => (answered++ === 0 ? 500 : 204), mine);
    await credit(1, mine);
    const [first, second] = await receiver.until(2);
    expect([second!.id, second!.text]).toEqual([first!.id, first!.text]);
    expect(isSignedWith('old secret', second!)).toBe(true);
    await until(
      () => callsOf(mine),
      (calls) => expect(calls).toHaveLength(2),
    );
    const calls = await callsOf(mine);
    expect(calls.map(({ attempt, response_status }: never) => [attempt, response_status])).toEqual([
      [1, 500],
      [2, 204],
    ]);
    await forget();
  });

  test('delays no other receiver if it hangs', async () => {
    // Repeats the test if a hanging call timed out before the other receiver got its calls. A timed-out call no longer
    // blocks other calls, so the test would prove nothing.
    await eventually(async () => {
      const mine = await newOrganization();
      let given = 0;
      const hanging = await receive((_, response) => {
        response.once('close', () => {
          given += 1;
        });
        return undefined;
      }, mine);
      await credit(30, mine);
      await hanging.receiver.until(30);
      const prompt = await receive();
      await credit(5);
      await prompt.receiver.until(5);
      const givenUpBefore = given;
      await Promise.all([hanging.forget(), prompt.forget()]);
      expect(givenUpBefore).toBe(0);
    });
  });
});

describe('a call', () => {
  const ask = (url: string, options: Parameters<typeof guardedPost>[1] = {}, stage = 'local') =>
    guardedPost(stage, options)(url, {}, '{}');

  test('has 15 s, a third of its function’s time, because an attempt also reads and writes', async () => {
    const limits = vi.spyOn(AbortSignal, 'timeout');
    const { receiver } = await receive();
    await ask(receiver.url);
    expect(limits.mock.calls).toContainEqual([15_000]);
    limits.mockRestore();
  });

  test('fails if the response takes too long', async () => {
    const { receiver } = await receive(() => undefined);
    expect(await ask(receiver.url, { timeout: 50 })).toEqual({ error: 'timeout' });
  });

  test('succeeds by its status, whatever the size of the body', async () => {
    const { receiver } = await receive((_, response) => {
      response.writeHead(200);
      const more = () => response.write('x'.repeat(65_536), () => setImmediate(more));
      more();
      return undefined;
    });
    expect(await ask(receiver.url)).toMatchObject({ status: 200 });
  });

  test('succeeds by its status, even if the body never ends', async () => {
    const { receiver } = await receive((_, response) => {
      response.writeHead(202, { 'content-length': 10 }).write('x');
      return undefined;
    });
    expect(await ask(receiver.url)).toMatchObject({ status: 202 });
  });

  test('fails if the response headers never end', async () => {
    const { receiver } = await receive((_, response) => {
      response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end();
      return undefined;
    });
    expect(await ask(receiver.url)).toEqual({ error: 'call failed: HPE_HEADER_OVERFLOW' });
  });

  test('fails if the response switches protocols', async () => {
    const { receiver } = await receive((_, response) => {
      response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
      return undefined;
    });
    expect(await ask(receiver.url)).toEqual({ error: 'connection reset' });
  });

  test('reuses the previous call’s connection', async () => {
    const { receiver } = await receive((_, response) => {
      response.writeHead(200, { 'retry-after': '7' }).end('x'.repeat(100));
      return undefined;
    });
    const post = guardedPost('local');
    for (const _ of times(3, () => 0)) {
      expect(await post(receiver.url, {}, '{}')).toEqual({ status: 200, retryAfter: '7' });
    }
    expect(receiver.connections()).toBe(1);
  });

  test('connects to the checked address, even if the name resolves differently a moment later', async () => {
    const { receiver } = await receive();
    const { port } = new URL(receiver.url);
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const resolve = async () => (answers[asked++] ?? []).map((address) => ({ address, family: 4 }));
    expect(await ask(`http://rebound.example:${port}/`, { resolve })).toMatchObject({ status: 200 });
    expect(receiver.calls).toHaveLength(1);
    expect(asked).toBe(1);
  });

  test('is not made if the name resolves to a private address', async () => {
    const inside = async () => [{ address: '10.0.0.1', family: 4 }];
    expect(await ask('https://inside.example/', { resolve: inside }, 'production')).toEqual({
      error: 'the address is not public',
    });
  });

  test('is not made to loopback or without TLS outside the local stage', async () => {
    const { server, port, close } = await serve((_, response) => response.end());
    const called = vi.fn();
    server.on('connection', called);
    const loopback = async () => [{ address: '127.0.0.1', family: 4 }];
    for (const url of [
      `http://hooks.example:${port}/`,
      `https://127.0.0.1:${port}/`,
      `https://hooks.example:${port}/`,
    ]) {
      expect(await ask(url, { resolve: loopback }, 'staging')).toEqual({
        error: 'the address is not public',
      });
    }
    expect(called).not.toHaveBeenCalled();
    await close();
  });

  test('opens a new connection after a pause, because old ones may be dead', async () => {
    let dead = new WeakSet<Socket>();
    const seen = new WeakSet<Socket>();
    // Fails requests on connections in `dead`, like connections that were closed while Lambda had frozen the function.
    const { url, close } = await serve(({ socket }, response) => {
      if (dead.has(socket)) return socket.destroy();
      seen.add(socket);
      return response.end();
    });
    let time = 0;
    const post = guardedPost('local', { now: () => time });
    const call = () => post(`${url}/`, {}, '{}');
    for (const _ of times(3, () => 0)) expect(await call()).toMatchObject({ status: 200 });
    dead = seen;
    time += 5_000;
    expect(await call()).toMatchObject({ status: 200 });
    await close();
  });

  test('to an unreachable receiver has a readable error', async () => {
    const { receiver } = await receive();
    await receiver.close();
    expect(await ask(receiver.url)).toEqual({ error: 'connection refused' });
  });
});
