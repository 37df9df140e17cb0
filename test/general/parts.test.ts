/** Each call that has parts, of which some fail: nothing counts as done that was not, nothing is lost or doubled. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as indexRows } from '../../functions/workers/index-rows.ts';
import { handler as publishEvents } from '../../functions/workers/publish-events.ts';
import { handler as runSpins } from '../../functions/workers/run-spins.ts';
import { handler as sendWebhook } from '../../functions/workers/send-webhook.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { dueItemKeyOf, dueItemOf } from '../../shared/amoe/open-orders.ts';
import { placeOrder } from '../../shared/amoe/place-order.ts';
import { sendSpinShards } from '../../shared/amoe/spin-queue.ts';
import { sqs } from '../../shared/aws.ts';
import { createClient } from '../../shared/client/client.ts';
import { operations } from '../../shared/client/operations.ts';
import { shardOf } from '../../shared/shards.ts';
import { getItem, getItems, putItem, putItems, tableClient, tableName } from '../../shared/table/client.ts';
import { mergeRanges } from '../../shared/table/merged.ts';
import { batches, countItems, readRange } from '../../shared/table/ranges.ts';
import { activeReportKey } from '../../shared/table/row-index-keys.ts';
import { invocationKey } from '../../shared/table/webhook-keys.ts';
import { type Delivery, enqueueDeliveries, enqueueForLater } from '../../shared/webhooks/delivery-queue.ts';
import { readParkedDeliveries } from '../../shared/webhooks/parked.ts';
import { newOrganization, times } from '../support/api.ts';
import { useDeliveryQueue } from '../support/delivery-queue.ts';
import { promisedOn } from '../support/promised.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { insertOf, transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';
import { makeUser } from '../support/round-trips.ts';

// Gives this file its own delivery queue, so that the stage's workers wait.
await useDeliveryQueue();
const folder = join(import.meta.dirname, '../..');
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
// Ends the random pauses between attempts.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

/** Says whether AWS refuses a part now: in the reply, or by failing the request that contains the part. */
type Refuses = (part: string) => Way | undefined;
type Way = 'part' | 'request';
/** `done`: the parts with an effect. `counted`: those that the caller takes as done, and does not hand over again. */
type Result = { done: string[]; counted: string[] };
type Row = {
  files: string[];
  prepare: () => Promise<{ parts: string[]; run: (parts: string[], refuses: Refuses) => Promise<Result> }>;
  /** True if a part may take effect twice without harm. */
  mayRepeat?: boolean;
  /** How AWS refuses parts. Default: in both ways. */
  ways?: Way[];
};

// biome-ignore lint/suspicious/noExplicitAny: the inputs of all commands
type Any = any;
type Stack = { add: (middleware: Any, options: object) => void; remove: (name: string) => boolean };

/** Answers a client's calls during `work` instead of AWS, unless `answer` returns undefined. */
async function answering<T>(
  { middlewareStack }: { middlewareStack: unknown },
  answer: (command: string, input: Any) => object | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const stack = middlewareStack as Stack;
  const middleware =
    (next: Any, { commandName }: Any) =>
    async (args: Any) => {
      const output = answer(String(commandName).replace('Command', ''), args.input);
      return output ? { output: { $metadata: {}, ...output }, response: {} } : next(args);
    };
  stack.add(middleware, { step: 'initialize', priority: 'high', name: 'answering' });
  return work().finally(() => stack.remove('answering'));
}

/** Splits parts as AWS does. Throws if it refuses the whole request. */
function split<T>(parts: T[], nameOf: (part: T) => string, refuses: Refuses) {
  const refused: T[] = [];
  const accepted: T[] = [];
  for (const part of parts) {
    const way = refuses(nameOf(part));
    if (way === 'request') throw new Error('planted');
    (way ? refused : accepted).push(part);
  }
  return { refused, accepted };
}

type Message = { Id: string; MessageBody?: string; ReceiptHandle?: string };
/** Answers SQS's batches, and notes the accepted entries in `done`. */
const batchesOfSqs =
  (done: string[], refuses: Refuses, nameOf: (entry: Message) => string) => (_: string, input: Any) => {
    const { refused, accepted } = split(input.Entries as Message[], nameOf, refuses);
    done.push(...accepted.map(nameOf));
    return {
      Successful: accepted.map(({ Id }) => ({ Id })),
      Failed: refused.map(({ Id }) => ({ Id, Code: 'InternalError' })),
    };
  };

/** Runs `work` whose error says that no part counts as done. */
const countedUnlessThrown = (parts: string[], work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => parts,
    () => [],
  );

const names = (count: number) => times(count, (index) => `part-${String(index).padStart(3, '0')}`);
const deliveryOf = (event_id: string, organization_id = 'org_1', webhook_id = 'wh_1'): Delivery => ({
  organization_id,
  webhook_id,
  event_id,
  event_type: 'invoke',
  attempt: 1,
});
const eventIn = ({ MessageBody = '' }: Message) => String(JSON.parse(MessageBody).event_id);
const keyOf = (pk: string) => ({ pk, sk: 's' });
const eventOf = (messages: [string, object][]) =>
  ({ Records: messages.map(([messageId, body]) => ({ messageId, body: JSON.stringify(body) })) }) as SQSEvent;
const context = { getRemainingTimeInMillis: () => 100_000 } as Context;
/** Returns the messages that a queue deletes after the worker's response. */
const handled = (parts: string[], work: Promise<{ batchItemFailures: { itemIdentifier: string }[] }>) =>
  work.then(
    ({ batchItemFailures: failed }) =>
      parts.filter((part) => !failed.some(({ itemIdentifier }) => itemIdentifier === part)),
    () => [],
  );
/** Fails calls to the table that name a refused part. */
const failingCalls =
  (parts: string[], refuses: Refuses, inCommand: RegExp) => (command: string, input: Any) => {
    const text = inCommand.test(command) ? JSON.stringify(input) : '';
    if (parts.some((part) => text.includes(part) && refuses(part))) throw new Error('planted');
    return undefined;
  };

async function dueOrder(): Promise<{
  organization: string;
  message: object;
  isDone: () => Promise<boolean>;
}> {
  const { organizationId } = await newOrganization();
  const user = await readUser(organizationId, await makeUser(organizationId));
  const asked = { num_of_spins: 1, idempotency_key: 'a' };
  const request = { organizationId, userId: user.user_id, asked, now: Date.now() };
  const { user: ordering, order } = placeOrder(user, request, promisedOn('1999-01-01'));
  await putItems([ordering, order, dueItemOf(order, 1)]);
  const message = { organization_id: organizationId, shard: shardOf(user.user_id), day: '1999-01-01' };
  return { organization: organizationId, message, isDone: async () => !(await getItem(dueItemKeyOf(order))) };
}

const rows: Record<string, Row> = {
  'a delivery that is queued': {
    files: ['shared/webhooks/delivery-queue.ts'],
    prepare: async () => ({
      parts: names(23),
      async run(parts, refuses) {
        const done: string[] = [];
        const answer = batchesOfSqs(done, refuses, eventIn);
        const { failed } = await answering(sqs(), answer, () =>
          enqueueDeliveries(parts.map((id) => deliveryOf(id))),
        );
        const left = failed.map(({ event_id }) => event_id);
        return { done, counted: parts.filter((part) => !left.includes(part)) };
      },
    }),
  },
  'a retry that is queued for later': {
    files: ['shared/webhooks/delivery-queue.ts'],
    prepare: async () => ({
      parts: names(12),
      async run(parts, refuses) {
        const done: string[] = [];
        const queue = async (part: string) =>
          countedUnlessThrown([part], enqueueForLater(deliveryOf(part), 5000, 0));
        const counted = await answering(sqs(), batchesOfSqs(done, refuses, eventIn), () =>
          Promise.all(parts.map(queue)),
        );
        return { done, counted: counted.flat() };
      },
    }),
  },
  'a shard of the spin run': {
    files: ['shared/send-messages.ts'],
    mayRepeat: true,
    prepare: async () => ({
      parts: names(23),
      async run(parts, refuses) {
        const done: string[] = [];
        const nameOf = ({ MessageBody = '' }: Message) => String(JSON.parse(MessageBody).organization_id);
        const messages = parts.map((organization_id) => ({ organization_id, shard: 0, day: '2026-01-01' }));
        const sending = answering(sqs(), batchesOfSqs(done, refuses, nameOf), () => sendSpinShards(messages));
        return { done, counted: await countedUnlessThrown(parts, sending) };
      },
    }),
  },
  'a parked delivery that an operator looked at, and that is visible again': {
    files: ['shared/webhooks/parked.ts'],
    mayRepeat: true,
    prepare: async () => ({
      parts: names(13),
      async run(parts, refuses) {
        const done: string[] = [];
        const waiting = [...parts];
        const changed = batchesOfSqs(done, refuses, ({ ReceiptHandle }) => ReceiptHandle!);
        const looking = answering(
          sqs(),
          (command, input) => {
            if (command !== 'ReceiveMessage') return changed(command, input);
            const handles = waiting.splice(0, 10);
            return {
              Messages: handles.map((part) => ({
                Body: JSON.stringify(deliveryOf(part)),
                ReceiptHandle: part,
              })),
            };
          },
          () => readParkedDeliveries(1000),
        );
        return { done, counted: await countedUnlessThrown(parts, looking) };
      },
    }),
  },
  'an item that is read': {
    files: ['shared/table/client.ts'],
    mayRepeat: true,
    prepare: async () => ({
      parts: names(101),
      async run(parts, refuses) {
        const answer = (_: string, { RequestItems }: Any) => {
          const keys = RequestItems[tableName()].Keys as { pk: string }[];
          const { refused, accepted } = split(keys, ({ pk }) => pk, refuses);
          const open = refused.length > 0 && { [tableName()]: { Keys: refused } };
          return { Responses: { [tableName()]: accepted.reverse() }, UnprocessedKeys: open || {} };
        };
        const read = await answering(tableClient, answer, () => getItems(parts.map(keyOf))).catch(() => []);
        // Each item is at the index of its key.
        const counted = parts.filter((part, index) => read[index]?.pk === part);
        expect(counted).toHaveLength(read.length);
        return { done: counted, counted };
      },
    }),
  },
  'an item that is written': {
    files: ['shared/table/client.ts'],
    mayRepeat: true,
    prepare: async () => ({
      parts: names(25),
      async run(parts, refuses) {
        const done: string[] = [];
        const answer = (_: string, { RequestItems }: Any) => {
          const nameOf = ({ PutRequest }: Any) => String(PutRequest.Item.pk);
          const { refused, accepted } = split(RequestItems[tableName()] as Any[], nameOf, refuses);
          done.push(...accepted.map(nameOf));
          return { UnprocessedItems: refused.length > 0 ? { [tableName()]: refused } : {} };
        };
        const writing = answering(tableClient, answer, () => putItems(parts.map(keyOf)));
        return { done, counted: await countedUnlessThrown(parts, writing) };
      },
    }),
  },
  'a message of the worker that sends webhooks': {
    files: ['functions/workers/send-webhook.ts'],
    ways: ['request'],
    async prepare() {
      const api = await newOrganization();
      const { body } = await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
      const parts = names(5).map((name) => `inv_${name}`);
      for (const part of parts) await putItem({ ...invocationKey(api.organizationId, part), payload: '{}' });
      return {
        parts,
        async run(parts, refuses) {
          const before = receiver.calls.length;
          const event = eventOf(parts.map((id) => [id, deliveryOf(id, api.organizationId, body.webhook_id)]));
          const faults = failingCalls(parts, refuses, /^BatchGet/);
          const counted = await answering(tableClient, faults, () => handled(parts, sendWebhook(event)));
          return { done: receiver.calls.slice(before).map(({ id }) => id), counted };
        },
      };
    },
  },
  'a message of the worker that runs free spins': {
    files: ['functions/workers/run-spins.ts'],
    ways: ['request'],
    async prepare() {
      const orders = await Promise.all(times(3, dueOrder));
      const isDone = async () => {
        const flags = await Promise.all(orders.map(({ isDone }) => isDone()));
        return orders.filter((_, index) => flags[index]).map(({ organization }) => organization);
      };
      return {
        parts: orders.map(({ organization }) => organization),
        async run(parts, refuses) {
          const before = await isDone();
          const asked = orders.filter(({ organization }) => parts.includes(organization));
          const event = eventOf(asked.map(({ organization, message }) => [organization, message]));
          const faults = failingCalls(parts, refuses, /^Query/);
          const counted = await answering(tableClient, faults, () =>
            handled(parts, runSpins(event, context)),
          );
          return { done: (await isDone()).filter((one) => !before.includes(one)), counted };
        },
      };
    },
  },
  "a delivery of the stream's batch, which continues from the first failed record": {
    files: ['functions/workers/publish-events.ts'],
    async prepare() {
      const api = await newOrganization();
      const webhooks = await Promise.all(
        ['a', 'b'].map(async (path) => {
          const fields = { callback_url: `https://hooks.example.com/${path}`, secret_key: 's' };
          return (await api.post('/webhooks', fields)).body.webhook_id as string;
        }),
      );
      const later = Date.now() + 1000;
      const records = await Promise.all(
        times(3, async (index) => {
          const user = userOf(api.organizationId, `usr_${index}`);
          return (await transactionOf(user, 'tickets', later + index)).record as Written;
        }),
      );
      const partsOf = ({ user_id }: Written) => webhooks.map((webhook) => `${user_id} ${webhook}`);
      return {
        parts: records.flatMap(partsOf),
        async run(parts, refuses) {
          const done: string[] = [];
          const given = records.filter((record) => partsOf(record).some((part) => parts.includes(part)));
          const nameOf = ({ MessageBody = '' }: Message) => {
            const { record, webhook_id } = JSON.parse(MessageBody);
            return `${record.user_id} ${webhook_id}`;
          };
          const event = { Records: given.map((record, index) => insertOf(record, String(index))) };
          const { batchItemFailures } = await answering(sqs(), batchesOfSqs(done, refuses, nameOf), () =>
            publishEvents(event),
          );
          const failed = batchItemFailures[0]?.itemIdentifier ?? given.length;
          return { done, counted: given.slice(0, Number(failed)).flatMap(partsOf) };
        },
      };
    },
  },
  'a report of which the stream’s batch has new rows': {
    files: ['functions/workers/index-rows.ts'],
    ways: ['request'],
    mayRepeat: true,
    async prepare() {
      const records = await Promise.all(
        times(3, async () => {
          const { organizationId } = await newOrganization();
          return (await transactionOf(userOf(organizationId, 'usr_1'), 'tickets', Date.now())).record;
        }),
      );
      await writeRecords(records as Written[]);
      const parts = records.map(({ organization_id }) => organization_id);
      return {
        parts,
        async run(_, refuses) {
          const event = { Records: records.map((record) => insertOf(record)) };
          const faults = failingCalls(parts, refuses, /^Put/);
          const counted = await answering(tableClient, faults, () =>
            handled(parts, indexRows(event, context)),
          );
          const marked = await Promise.all(parts.map((one) => getItem(activeReportKey(one, 'tickets'))));
          return { done: parts.filter((_, index) => marked[index]), counted };
        },
      };
    },
  },
};

/** Refuses the parts, once each or always. */
const refusing = (refused: string[], how: Way, isForEver: boolean): Refuses => {
  const open = new Set(refused);
  return (part) => (open.has(part) && (isForEver || open.delete(part)) ? how : undefined);
};
const ofParts: Record<string, (parts: string[]) => string[]> = {
  first: (parts) => parts.slice(0, 1),
  middle: (parts) => [parts[Math.floor(parts.length / 2)]!],
  last: (parts) => parts.slice(-1),
  all: (parts) => parts,
};

describe.each(Object.entries(rows))('%s', (_, row) => {
  test.each(Object.entries(ofParts))(
    'is neither lost nor counted as done if AWS refuses the %s',
    async (_, of) => {
      const { prepare, mayRepeat = false, ways = ['part', 'request'] } = row;
      for (const how of ways)
        for (const isForEver of [false, true]) {
          const { parts, run } = await prepare();
          const refused = of(parts);
          const first = await run(parts, refusing(refused, how, isForEver));
          expect(first.counted.filter((part) => !first.done.includes(part))).toEqual([]);
          if (isForEver) expect(first.counted.filter((part) => refused.includes(part))).toEqual([]);
          const open = parts.filter((part) => !first.counted.includes(part));
          const next = open.length > 0 ? await run(open, () => undefined) : { done: [], counted: [] };
          expect([...first.counted, ...next.counted].sort()).toEqual([...parts].sort());
          const done = [...first.done, ...next.done].sort();
          expect(mayRepeat ? [...new Set(done)] : done).toEqual([...parts].sort());
        }
    },
  );
});

test('one rejected message of the spin run keeps back no other organization', async () => {
  const { parts, run } = await rows['a shard of the spin run']!.prepare();
  const { done } = await run(parts, refusing(parts.slice(0, 1), 'part', true));
  expect(done).toEqual(parts.slice(1));
});

test('each call with parts has a row here', () => {
  const files = ['functions', 'shared', 'infra']
    .flatMap((room) =>
      readdirSync(join(folder, room), { recursive: true }).map((file) => join(room, String(file))),
    )
    // The local stage imitates AWS.
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('infra/develop/local/'));
  const hasParts = (file: string) =>
    /new \w*Batch\w*Command\(|batchItemFailures/.test(readFileSync(join(folder, file), 'utf8'));
  expect(files.filter(hasParts).sort()).toEqual(
    [...new Set(Object.values(rows).flatMap(({ files }) => files))].sort(),
  );
});

describe('a list of several pages', () => {
  const pageItems = [['a', 'b'], [], ['c']].map((page) => page.map((sk) => ({ pk: 'p', sk })));
  const range = { partition: 'p', prefix: '' };
  const all = ['a', 'b', 'c'];
  const allOf = async <T>(pages: AsyncIterable<T>): Promise<T[]> => {
    const found: T[] = [];
    for await (const page of pages) found.push(page);
    return found;
  };
  const reads: Record<string, () => Promise<unknown[]>> = {
    readRange: async () => (await readRange(range)).map(({ sk }) => sk),
    batches: async () => (await allOf(batches(range))).flat().map(({ sk }) => sk),
    merged: async () =>
      (await allOf(mergeRanges([range]))).flatMap(({ items }) => items.map(({ item }) => item.sk)),
    countItems: async () => all.slice(0, await countItems(range)),
  };
  const answer =
    (failing: number) =>
    (_: string, { ExclusiveStartKey: start }: Any) => {
      const page = start ? Number(start.page) : 0;
      if (page === failing) throw new Error('planted');
      const Items = pageItems[page]!;
      const sk = page === 0 ? 'b' : 'bb';
      const LastEvaluatedKey = page < 2 ? { pk: 'p', sk, page: page + 1 } : undefined;
      return { Items, Count: Items.length, LastEvaluatedKey };
    };
  test.each(Object.entries(reads))('of the table is complete, or fails: %s', async (_, read) => {
    expect(await answering(tableClient, answer(-1), read)).toEqual(all);
    for (const failing of [0, 1, 2])
      await expect(answering(tableClient, answer(failing), read)).rejects.toThrow('planted');
  });

  const lists = Object.entries(operations).flatMap(([group, methods]) =>
    Object.entries(methods as Record<string, { items?: string; query: readonly string[] }>).flatMap(
      ([method, { items, query }]) =>
        items ? [{ name: `${group}.${method}`, group, method, items, query }] : [],
    ),
  );
  test.each(lists)('of the client is complete, or fails: $name', async ({ group, method, items, query }) => {
    const paging = (page: number) => {
      if (query.includes('after')) return { next: `n${page + 1}`, is_all: page === 2 };
      if (query.includes('page')) return { page, total_pages: 3 };
      return { next_token: page < 2 ? `n${page + 1}` : '' };
    };
    for (const failing of [-1, 0, 1, 2])
      for (const tries of [1, 2]) {
        let failures = 0;
        const fetch = (async (url: string) => {
          const { searchParams } = new URL(url);
          const at =
            searchParams.get('page') ??
            (searchParams.get('after') ?? searchParams.get('next_token'))?.slice(1);
          const page = Number(at ?? 0);
          if (page === failing && failures++ === 0)
            return Response.json(
              { status: 'error', code: 'unavailable', message: '' },
              { status: 503, headers: { 'retry-after': '0' } },
            );
          return Response.json({
            status: 'success',
            [items]: pageItems[page]!.map(({ sk }) => sk),
            ...paging(page),
          });
        }) as typeof globalThis.fetch;
        const api = createClient({ baseUrl: 'https://api.example.com', tries, fetch }) as Any;
        const found: unknown[] = [];
        const reading = (async () => {
          for await (const item of api[group][method].each({ user_id: 'usr_1', start: 's', end: 'e' }))
            found.push(item);
        })();
        const isComplete = failing === -1 || tries > 1;
        if (isComplete) await reading;
        else await expect(reading).rejects.toThrow();
        const before = pageItems
          .slice(0, failing)
          .flat()
          .map(({ sk }) => sk);
        expect(found).toEqual(isComplete ? all : before);
      }
  });
});
