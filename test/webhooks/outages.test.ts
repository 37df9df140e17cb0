import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HistoryRecord } from '../../shared/accounts/records.ts';
import type { User } from '../../shared/accounts/user.ts';
import { sqs } from '../../shared/aws.ts';
import { putItem, tableClient } from '../../shared/table/client.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { unwellWebhooks } from '../../shared/table/webhook-keys.ts';
import type { DeliveryDeps } from '../../shared/webhooks/attempt.ts';
import { invokeWebhook } from '../../shared/webhooks/invocations.ts';
import type { CallResponse } from '../../shared/webhooks/post.ts';
import { publishEvents } from '../../shared/webhooks/publishing.ts';
import { sweepReceivers } from '../../shared/webhooks/sweep.ts';
import {
  deleteWebhook,
  readWebhook,
  registerWebhook,
  updateWebhook,
  type Webhook,
  webhookViewOf,
} from '../../shared/webhooks/webhooks.ts';
import { newOrganization, times } from '../support/api.ts';
import { type Call, type Fault, watchingCalls } from '../support/calls.ts';
import { counted } from '../support/counted.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';
import { isNightly, rowsFor } from '../support/nightly.ts';
import { useOwnTable } from '../support/own-table.ts';
import { transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const deliveries = await useDeliveryQueue();
const { clock, queue } = deliveries;
await useOwnTable('outages');

type Sent = { id: string; sequence: number; data: { user_id: string; external_reference?: string } };
type Arrived = Sent & { at: number; url: string; ok: boolean };
type Host = {
  organizationId: string;
  webhookId: string;
  url: string;
  user: User;
  committed: Map<number, number>;
};

let hosts: Host[];
let arrived: Arrived[];
/** How a receiver responds; by default with 200. */
let answers: Map<string, (sent: Sent) => CallResponse>;
let messages: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() });
  // The list of receivers that are not well has those of earlier tests.
  for (const { organization_id, webhook_id } of (await readRange(unwellWebhooks())) as Webhook[])
    await deleteWebhook(organization_id, webhook_id);
  [hosts, arrived, answers, messages] = [[], [], new Map(), 0];
});
afterEach(() => vi.useRealTimers());

const fields = (callback_url: string) => ({ callback_url, secret_key: 'secret' });

/** Creates an organization with a webhook, which was registered an hour ago. */
async function newHost(name: string): Promise<Host> {
  const { organizationId } = await newOrganization();
  const url = `https://${name}.example.com/in`;
  const { webhook_id } = await registerWebhook(organizationId, fields(url), clock.now() - hour);
  const user = userOf(organizationId, `usr_${name}`);
  const host = { organizationId, webhookId: webhook_id, url, user, committed: new Map() };
  hosts.push(host);
  return host;
}

/** Commits a transaction and publishes its event. With `indexed` false, the index does not show the record. */
async function commit(host: Host, { indexed = true } = {}): Promise<Written> {
  const { record, user } = await transactionOf(host.user, 'tickets', clock.now());
  host.user = user;
  host.committed.set(record.event_sequence, clock.now());
  if (indexed) await writeRecords([record as Written]);
  await publishEvents([record as HistoryRecord]);
  return record as Written;
}

const deps = (): DeliveryDeps =>
  deliveries.deps(async (url, _, body) => {
    const sent = JSON.parse(body) as Sent;
    const answer = answers.get(url)?.(sent) ?? { status: 200 };
    arrived.push({ ...sent, at: clock.now(), url, ok: 'status' in answer && answer.status < 300 });
    return answer;
  });

const tolerant = async (work: () => Promise<unknown>) => {
  await work().catch((error) => {
    if (!String(error).includes('planted')) throw error;
  });
};
/** Lets time pass. Sweeps at every `sweepMs`, and handles the queue's due messages every `stepMs`. */
async function pass(ms: number, stepMs = 5 * second, sweepMs = minute): Promise<void> {
  for (const end = clock.now() + ms; clock.now() < end; ) {
    const before = clock.now();
    await clock.advance(Math.min(stepMs, end - before));
    vi.setSystemTime(clock.now());
    const isSweep = Math.floor(clock.now() / sweepMs) > Math.floor(before / sweepMs);
    if (isSweep) await tolerant(() => sweepReceivers(clock.now, () => false));
    messages += await deliveries.handle(deps());
  }
}
/** Lets time pass, with an event of the host every `everyMs`. */
async function live(host: Host, ms: number, everyMs: number, stepMs = 5 * second): Promise<void> {
  for (let left = ms; left > 0; left -= everyMs) {
    await commit(host);
    await pass(Math.min(left, everyMs), stepMs);
  }
}

const fails = (host: Host, answer: CallResponse = { error: 'refused' }) =>
  answers.set(host.url, () => answer);
const works = (host: Host) => answers.delete(host.url);
const webhookOf = ({ organizationId, webhookId }: Host) => readWebhook(organizationId, webhookId);
const stateOf = async (host: Host) => (await webhookOf(host)).receiver?.state ?? 'well';
const callsOf = (host: Host) => arrived.filter(({ url }) => url === host.url);
const received = (host: Host) => callsOf(host).filter(({ ok }) => ok);
/** Returns how long after its commit, or after `from` if later, each event first arrived. */
function delaysOf(host: Host, from = 0): number[] {
  return [...host.committed].map(([sequence, at]) => {
    const first = received(host).find((call) => call.sequence === sequence)?.at ?? Number.POSITIVE_INFINITY;
    return first - Math.max(at, from);
  });
}
const longest = (host: Host, from = 0) => Math.max(...delaysOf(host, from));

describe('after an outage', () => {
  const outages = [
    [90 * second, 10 * second],
    [90 * second, hour],
    [hour, 10 * second],
    [hour, hour],
  ] as const;
  test.each(rowsFor(outages, 1))(
    'of %i ms, with an event each %i ms, everything arrives within two minutes',
    async (outage, every) => {
      for (const offset of rowsFor([0, 30 * second, 55 * second], 1)) {
        const host = await newHost(`outage${outage}-${every}-${offset}`);
        const other = await newHost(`beside${outage}-${every}-${offset}`);
        await pass(minute - (clock.now() % minute) + offset);
        if (every < hour) await live(host, minute, every);
        fails(host);
        await commit(other);
        const before = messages;
        await live(host, outage, every);
        const cost = { messages: messages - before, calls: callsOf(host).filter(({ ok }) => !ok).length };
        works(host);
        const from = clock.now();
        await live(host, 5 * minute, every);
        expect(longest(host, from)).toBeLessThanOrEqual(2 * minute);
        expect(longest(other)).toBeLessThanOrEqual(5 * second);
        const doubles = received(host).length - host.committed.size;
        // The minute before the failure, and the minute that the index may lack, are sent again.
        expect(doubles).toBeLessThanOrEqual((4 * minute) / Math.min(every, minute) + 4);
        await pass(5 * minute);
        expect(await stateOf(host)).toBe('well');
        expect(cost.calls).toBeLessThan(outage / minute + 5 + (2 * 30 * second) / every);
      }
    },
  );
});

describe('a receiver that is down for six days', () => {
  test('costs one call a minute, is switched off after five days with an alarm, and receives everything after a PUT', async () => {
    const host = await newHost('days');
    fails(host);
    await live(host, hour, 10 * minute);
    expect(await stateOf(host)).toBe('paused');
    let before = callsOf(host).length;
    await live(host, hour, 5 * minute);
    expect(callsOf(host).length - before).toBe(60);
    // Sweeps seldom, to keep the test fast.
    for (let i = 0; i < 59; i++) {
      await commit(host);
      await pass(2 * hour, hour, hour);
    }
    const lost = ({ operation }: Call) =>
      operation === 'PutItem' ? { after: new Error('lost') } : undefined;
    const pastDue = () => watchingCalls(tableClient, () => pass(day, hour, hour), lost);
    expect(await counted('WebhooksSwitchedOff', pastDue)).toEqual([1]);
    const shown = await webhookViewOf(await webhookOf(host));
    expect(shown).toMatchObject({ failing_since: expect.any(String), disabled_at: expect.any(String) });
    expect(Date.parse(shown.disabled_at!) - Date.parse(shown.failing_since!)).toBeGreaterThanOrEqual(5 * day);
    before = callsOf(host).length;
    await commit(host);
    await pass(2 * hour, minute);
    expect(callsOf(host)).toHaveLength(before);
    expect([queue.messages(), await readRange(unwellWebhooks())]).toEqual([[], []]);
    works(host);
    const from = clock.now();
    const { organizationId, webhookId, url } = host;
    await updateWebhook(organizationId, webhookId, fields(url), from);
    await pass(2 * minute);
    expect(longest(host, from)).toBeLessThanOrEqual(2 * minute);
    await pass(3 * minute);
    expect(await stateOf(host)).toBe('well');
  });
});

describe('a paused receiver', () => {
  /** Commits events to a receiver that fails, until it is paused. */
  async function paused(name: string, events = 3): Promise<Host> {
    const host = await newHost(name);
    fails(host);
    for (let i = 0; i < events; i++) await commit(host);
    await pass(2 * minute);
    expect(await stateOf(host)).toBe('paused');
    return host;
  }

  test('gets another event by each probe, so that one that it cannot digest holds up nothing', async () => {
    const host = await newHost('poison');
    answers.set(host.url, ({ sequence }) => ({ status: sequence === 1 ? 500 : 200 }));
    for (let i = 0; i < 3; i++) {
      await commit(host);
      await pass(hour);
    }
    expect(
      delaysOf(host)
        .slice(1)
        .every((ms) => ms <= 2 * minute),
    ).toBe(true);
    await pass(30 * hour, minute, 15 * minute);
    const parked = deliveries.parked();
    expect(new Set(parked.map(({ event_id }) => event_id)).size).toBe(1);
    expect(parked[0]).toMatchObject({ attempt: 1 });
    const before = callsOf(host).length;
    await commit(host);
    await pass(hour);
    expect([callsOf(host).length - before, await stateOf(host)]).toEqual([1, 'well']);
  });

  test('has no messages on the queue, not even those of its first events', async () => {
    const host = await paused('quiet');
    await commit(host);
    await pass(20 * minute);
    expect(queue.messages()).toEqual([]);
  });

  test('is not probed before the time that it asked for, up to a day', async () => {
    const host = await newHost('asking');
    fails(host, { status: 503, retryAfter: '86400' });
    await commit(host);
    await pass(day, minute);
    const before = callsOf(host).length;
    await pass(day - 10 * minute, 10 * minute);
    expect(callsOf(host).length - before).toBeLessThanOrEqual(1);
    works(host);
    await pass(2 * hour, minute);
    expect(longest(host)).toBeLessThan(2.1 * day);
  });

  test('gets invocations, of which a successful one resumes it', async () => {
    const host = await paused('invoked');
    works(host);
    const { organizationId, webhookId } = host;
    await invokeWebhook({ organizationId, webhookId, body: '{"test":1}', now: clock.now() });
    await pass(10 * second);
    expect(callsOf(host).some(({ id }) => id === undefined)).toBe(true);
    expect(longest(host, clock.now())).toBeLessThan(minute);
  });

  test('gets nothing after it is deleted', async () => {
    const host = await paused('deleted');
    await deleteWebhook(host.organizationId, host.webhookId);
    works(host);
    await pass(hour, minute);
    expect(received(host)).toEqual([]);
    expect([queue.messages(), await readRange(unwellWebhooks())]).toEqual([[], []]);
  });

  test('gets no personal data of a user who was erased meanwhile', async () => {
    const host = await newHost('erased');
    fails(host);
    const record = await commit(host);
    await pass(10 * minute);
    const { external_reference: _, ...erased } = record;
    await putItem(erased);
    works(host);
    await pass(5 * minute);
    const [call] = received(host);
    expect(call!.data).toMatchObject({ user_id: host.user.user_id });
    expect(call!.data).not.toHaveProperty('external_reference');
  });

  test('does not keep the sweep from others, even if its item is broken', async () => {
    const [bad, host] = [await paused('bad'), await paused('good')];
    await putItem({ ...(await webhookOf(bad)), callback_url: 'nonsense', receiver: { state: 'paused' } });
    works(host);
    await pass(2 * minute);
    expect(longest(host)).toBeLessThan(5 * minute);
  });

  test('gets a record that the index shows a minute late', async () => {
    const host = await paused('late');
    const record = await commit(host, { indexed: false });
    works(host);
    await pass(50 * second);
    await writeRecords([record]);
    await pass(2 * minute);
    expect(longest(host)).toBeLessThan(4 * minute);
  });

  test('does not get what it missed twice if a newer webhook has its URL, nor earlier events than the newer one', async () => {
    const host = await paused('older');
    const later = clock.now();
    const { webhook_id } = await registerWebhook(
      host.organizationId,
      { ...fields(host.url), event: 'balance_updated' },
      later,
    );
    await pass(2 * minute);
    await commit(host);
    await pass(minute);
    works(host);
    const from = clock.now();
    await pass(5 * minute);
    expect(longest(host, from)).toBeLessThanOrEqual(2 * minute);
    const newer = (await readWebhook(host.organizationId, webhook_id)).receiver;
    expect(newer).toBeUndefined();
    expect(received(host).filter(({ sequence }) => sequence === 4).length).toBeLessThanOrEqual(3);
  });

  test('that fails again during its replay gets the rest later', async () => {
    const host = await newHost('again');
    fails(host);
    await pass(minute - (clock.now() % minute));
    await live(host, 30 * minute, 20 * second);
    let taken = 0;
    answers.set(host.url, () => (++taken > 20 ? { error: 'refused' } : { status: 200 }));
    await pass(20 * minute);
    expect(await stateOf(host)).toBe('paused');
    expect(queue.messages().length).toBeLessThan(80);
    works(host);
    const from = clock.now();
    await pass(5 * minute);
    const late = delaysOf(host, from).filter((ms) => ms > 2 * minute);
    expect(late).toEqual([]);
    await pass(day, minute);
    expect(deliveries.parked()).toEqual([]);
  });
});

test('a webhook that was registered after the failure of another gets nothing from before', async () => {
  const host = await newHost('first');
  fails(host);
  for (let i = 0; i < 3; i++) await commit(host);
  await pass(20 * second);
  const url = 'https://second.example.com/in';
  await registerWebhook(host.organizationId, fields(url), clock.now());
  answers.set(url, () => ({ error: 'refused' }));
  await pass(5 * second);
  await commit(host);
  await pass(3 * minute);
  answers.clear();
  await pass(5 * minute);
  expect(new Set(arrived.filter((call) => call.url === url).map(({ sequence }) => sequence))).toEqual(
    new Set([4]),
  );
  expect(longest(host)).toBeLessThan(5 * minute);
});

test('receivers that fail a fifth of their calls get everything, and delay no other', async () => {
  const other = await newHost('well');
  const shaky = [];
  for (const number of times(5, (i) => i)) {
    const host = await newHost(`shaky${number}`);
    let called = number;
    answers.set(host.url, () => ({ status: ++called % 5 === 0 ? 500 : 200 }));
    shaky.push(host);
  }
  for (let i = 0; i < 60; i++) {
    for (const host of [other, ...shaky]) await commit(host);
    await pass(20 * second);
  }
  await pass(10 * minute);
  expect(longest(other)).toBeLessThanOrEqual(5 * second);
  for (const host of shaky) {
    expect(longest(host)).toBeLessThanOrEqual(2 * minute);
    expect(callsOf(host).length).toBeLessThan(1.5 * host.committed.size);
  }
});

describe.runIf(isNightly)('a crash', () => {
  const planted = new Error('planted');

  /** An outage of two minutes, in which the n-th call of a kind fails. Returns the number of calls. */
  async function outage(name: string, of: 'table' | 'queue', nth: number, fault: Fault): Promise<number> {
    const host = await newHost(name);
    let calls = 0;
    const breaks = ({ operation }: { operation: string }) =>
      /^(Put|Update|Send)/.test(operation) && ++calls === nth ? fault : undefined;
    const run = async () => {
      fails(host);
      await pass(2 * minute, 5 * second);
      works(host);
      await pass(4 * minute, 5 * second);
    };
    for (let i = 0; i < 3; i++) await commit(host);
    await watchingCalls(of === 'table' ? tableClient : (sqs() as never), run, breaks);
    await pass(5 * minute);
    expect([name, longest(host)]).toEqual([name, expect.any(Number)]);
    expect(longest(host)).toBeLessThan(10 * minute);
    expect(await stateOf(host)).toBe('well');
    return calls;
  }

  test.each(['table', 'queue'] as const)(
    'at any write to the %s, before or after it, loses nothing',
    async (of) => {
      const count = await outage(`${of}-none`, of, 0, undefined);
      expect(count).toBeGreaterThan(4);
      for (let nth = 1; nth <= count; nth++) {
        await outage(`${of}-before-${nth}`, of, nth, { instead: planted });
        await outage(`${of}-after-${nth}`, of, nth, { after: planted });
      }
    },
  );
});
