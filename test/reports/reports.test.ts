import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { tableClient } from '../../shared/table/client.ts';
import { recordKey, recordTimeKey } from '../../shared/table/keys.ts';
import { fastUlid } from '../bench/meter.ts';
import { type Api, baseUrl, newOrganization, times } from '../support/api.ts';
import { expectError, expectInvalid, expectSuccess, instant } from '../support/expectations.ts';
import { invoke } from '../support/invoke.ts';
import { createRandom } from '../support/random.ts';
import { raw } from '../support/raw.ts';
import { outcomeOf, transactionOf, userOf, type Written, writeRecords } from '../support/records.ts';

const reports = ['/tickets/history', '/entrties/history', '/game/history'];
const nobody = 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const noPage = { total_count: 0, page: 0, page_size: 1000, total_pages: 0 };

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

const getWithBody = (path: string, body: unknown) =>
  raw({
    method: 'GET',
    target: path,
    headers: {
      authorization: `Bearer ${api.apiKey}`,
      'x-organization-id': api.organizationId,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

/** Creates an organization with ten outcomes: one per day at 12:00 UTC, from March 1, 2025. */
async function tenOutcomes() {
  const own = await newOrganization();
  const id = await own.user();
  let user = userOf(own.organizationId, id);
  const written: Written[] = [];
  for (let i = 0; i < 10; i++) {
    const next = await outcomeOf(user, Date.UTC(2025, 2, 1 + i, 12));
    user = next.user;
    written.push(next.record as Written);
  }
  await writeRecords(written);
  return { own, user: id, ids: written.map(({ id }) => id) };
}

describe('a report shows', () => {
  test('ticket transactions, oldest first, with exactly the fields of the contract', async () => {
    const own = await newOrganization();
    const user = await own.user();
    const post = (direction: string, amount: number, more = {}) =>
      own.post(`/users/${user}/tickets/${direction}`, { amount, idempotency_key: direction, ...more });
    const credit = await post('credit', 5, { description: 'Welcome' });
    const debit = await post('debit', 2);
    expectSuccess(await own.get('/tickets/history'), {
      ...noPage,
      total_count: 2,
      total_pages: 1,
      transactions: [
        {
          transaction_id: credit.body.transaction_id,
          idempotency_key: 'credit',
          amount: 5,
          description: 'Welcome',
          date_created: instant,
          result_effective_date: instant,
          user_id: user,
        },
        {
          transaction_id: debit.body.transaction_id,
          idempotency_key: 'debit',
          amount: -2,
          description: '',
          date_created: instant,
          result_effective_date: instant,
          user_id: user,
        },
      ],
    });
  });

  test('entry transactions of both types, or of one type', async () => {
    const own = await newOrganization();
    const user = await own.user();
    for (const [i, type] of ['truck', 'flight', 'truck'].entries()) {
      await own.post(`/users/${user}/entries/credit`, { amount: i + 1, type, idempotency_key: `${i}` });
    }
    const shown = async (query: Record<string, string>) => {
      const { body } = await own.get('/entrties/history', query);
      const rows = body.transactions as { entry_type: string; amount: number }[];
      return [body.total_count, rows.map(({ entry_type, amount }) => `${entry_type} ${amount}`)];
    };
    expect(await shown({})).toEqual([3, ['truck 1', 'flight 2', 'truck 3']]);
    expect(await shown({ entry_type: 'truck' })).toEqual([2, ['truck 1', 'truck 3']]);
    expect(await shown({ entry_type: 'flight', user_id: user })).toEqual([1, ['flight 2']]);
    expect(await shown({ user_id: user })).toEqual([3, ['truck 1', 'flight 2', 'truck 3']]);
  });

  test('outcomes with their game, without their play type', async () => {
    const { own, user, ids } = await tenOutcomes();
    const { body } = await own.get('/game/history', { page_size: 1 });
    expect(body).toEqual({
      status: 'success',
      items: [
        {
          id: ids[0],
          user_id: user,
          game: 'prizewheel',
          prize: { tickets: 5 },
          timestamp: '2025-03-01T12:00:00.000Z',
          game_status: 'Ticket-only',
          result_effective_date: '2025-03-01T05:00:00.000Z',
        },
      ],
      total_count: 10,
      page: 0,
      page_size: 1,
      total_pages: 10,
    });
  });

  test('rows from the start of a range up to but excluding its end', async () => {
    const { own, ids } = await tenOutcomes();
    const shown = async (query: Record<string, string>) => {
      const { body } = await own.get('/game/history', query);
      return body.items.map(({ id }: { id: string }) => ids.indexOf(id));
    };
    const noon = (day: number) => `2025-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;
    expect(await shown({ start: noon(3), end: noon(5) })).toEqual([2, 3]);
    expect(await shown({ start: '2025-03-09T08:00:00.001-04:00' })).toEqual([9]);
    expect(await shown({ end: '2025-03-02' })).toEqual([0]);
    expect(await shown({ start: noon(4), end: noon(4) })).toEqual([]);
    const justAfter = (day: number) => noon(day).replace('Z', '0001Z');
    expect(await shown({ start: justAfter(3), end: justAfter(5) })).toEqual([3, 4]);
    expect(await shown({ start: justAfter(3), end: justAfter(3) })).toEqual([]);
    expect(await shown({ start: '9999-12-31T23:59:59.999999Z' })).toEqual([]);
    expect(await shown({ start: noon(10), end: '9999-12-31T23:59:59.999999Z' })).toEqual([9]);
  });

  test('pages without gaps or repeats, and an empty page after the last', async () => {
    const { own, ids } = await tenOutcomes();
    const pages = await Promise.all(
      times(5, (page) => own.get('/game/history', { page, page_size: 3, start: '2025-03-01' })),
    );
    expect(pages.map(({ body }) => body.items.map(({ id }: { id: string }) => ids.indexOf(id)))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
      [9],
      [],
    ]);
    expect(pages.map(({ body }) => [body.total_count, body.total_pages])).toEqual(times(5, () => [10, 4]));
  });

  test('no rows of other organizations', async () => {
    await (await newOrganization()).user(3);
    const own = await newOrganization();
    expectSuccess(await own.get('/tickets/history'), { ...noPage, transactions: [] });
  });

  test('an empty page for a user without rows', async () => {
    const user_id = await api.user();
    expectSuccess(await api.get('/game/history', { user_id }), { ...noPage, items: [] });
  });
});

test('a user’s report has all rows, even if an eventually consistent read misses one', async () => {
  const user = await api.user();
  const credit = (amount: number) =>
    api.post(`/users/${user}/tickets/credit`, { amount, idempotency_key: `${amount}` });
  for (const amount of [1, 2, 3]) await credit(amount);
  // Simulates replicas that differ: the page lacks the second row, but has a row that was written after the count.
  let counted = false;
  const copy = { step: 'initialize', name: 'copy' } as const;
  tableClient.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as QueryCommandInput;
      const isOfCopy = !input.ConsistentRead && !input.IndexName && input.Limit !== undefined;
      if (isOfCopy) input.Limit! += 1;
      const answer = await next(args);
      if (isOfCopy) (answer.output as QueryCommandOutput).Items?.splice(1, 1);
      if (!counted) await credit(4);
      counted = true;
      return answer;
    },
    copy,
  );
  const { organizationId } = api;
  const { body } = await invoke('reports/tickets', { organizationId, query: { user_id: user } });
  tableClient.middlewareStack.remove(copy.name);
  const amounts = body.transactions.map(({ amount }: { amount: number }) => amount);
  expect(amounts).toEqual([1, 2, 3, 4].slice(0, body.total_count));
});

describe('parameters', () => {
  test('may be in the body of a GET request; the query takes precedence', async () => {
    const { own, user } = await tenOutcomes();
    api = own;
    const body = { start: '2025-03-03', page: 1, page_size: 2, user_id: user };
    const answer = await getWithBody('/game/history?page=2', body);
    expect(answer.body).toMatchObject({ total_count: 8, page: 2, page_size: 2, total_pages: 4 });
    expect(answer.body.items[0].timestamp).toBe('2025-03-07T12:00:00.000Z');
  });

  test('in a body must be numbers where numbers are expected', async () => {
    expectInvalid(
      await getWithBody('/game/history', { page: true }),
      'page: Input should be a valid integer',
    );
  });

  test.each(reports)('of %s that are invalid are refused', async (path) => {
    const refused = async (query: Record<string, string | number>, message: string) =>
      expectInvalid(await api.get(path, query), message);
    await refused({ start: 'yesterday' }, 'start: Input should be a valid datetime');
    await refused({ end: '2025-02-30' }, 'end: Input should be a valid datetime');
    await refused(
      { start: '2025-03-02T00:00:00Z', end: '2025-03-01T00:00:00Z' },
      'start: Input must not be after end',
    );
  });

  test.each(reports)('of %s: a page far after the last one is empty', async (path) => {
    const { status, body } = await api.get(path, { page: 1_000_000_000, page_size: 10_000 });
    expect([status, body.page, (body.items ?? body.transactions).length]).toEqual([200, 1e9, 0]);
  });

  test.each(reports)('of %s: an unknown user is refused', async (path) => {
    const others = await (await newOrganization()).user(1);
    for (const user_id of [nobody, 'guest', '', others]) {
      expectError(await api.get(path, { user_id }), 404, 'user_not_found', 'Invalid user ID');
    }
  });

  test('an unknown entry type is refused', async () => {
    const answer = await api.get('/entrties/history', { entry_type: 'boat' });
    expectInvalid(answer, "entry_type: Input should be 'truck' or 'flight'");
  });
});

describe('large responses', () => {
  let large: Api;
  beforeAll(async () => {
    large = await newOrganization();
    const user = userOf(large.organizationId, await large.user());
    // Uses the current minute, because the local stage would index older rows during the test.
    const start = Date.now();
    const { record } = await transactionOf(user, 'tickets', start);
    const rows = times(3600, (i) => {
      const ulid = fastUlid(start + i);
      return {
        ...record,
        ...recordKey(large.organizationId, user.user_id, 'tickets', ulid),
        ...recordTimeKey(large.organizationId, user.user_id, 'tickets', ulid),
        transaction_id: `txn_${ulid}`,
        number: i + 1,
        // Uses the longest allowed texts. They repeat only after 80 KB, so that gzip with its window of 32 KB hardly
        // compresses them.
        description: texts[i % texts.length],
        idempotency_key: texts[(i + 1) % texts.length]!.slice(0, 510),
      };
    });
    await writeRecords(rows as never);
  });

  const random = createRandom('long texts');
  const texts = times(40, () =>
    times(500, () => String.fromCodePoint(0x20000 + random.below(0xa000))).join(''),
  );

  const ask = (path: string, encoding: string) =>
    new Promise<{ status: number; encoding: string | undefined; vary: string | undefined; bytes: Buffer }>(
      (resolve, reject) => {
        const headers = {
          authorization: `Bearer ${large.apiKey}`,
          'x-organization-id': large.organizationId,
          'accept-encoding': encoding,
        };
        const asked = request(baseUrl + path, { headers }, async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          const { 'content-encoding': encoding, vary } = response.headers;
          resolve({ status: response.statusCode!, encoding, vary, bytes: Buffer.concat(chunks) });
        });
        asked.on('error', reject).end();
      },
    );

  test('are compressed if the client accepts it, with the same content', async () => {
    const packed = await ask('/tickets/history?page_size=50', 'br, gzip');
    const plain = await ask('/tickets/history?page_size=50', 'identity');
    expect([packed.encoding, plain.encoding]).toEqual(['gzip', undefined]);
    expect([packed.vary, plain.vary]).toEqual(['accept-encoding', 'accept-encoding']);
    expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()));
  });

  test('with rows of the maximum size are complete and in the order of time if they fit', async () => {
    const { status, bytes } = await ask('/tickets/history?page_size=1200&page=2', 'gzip');
    expect(status).toBe(200);
    const { transactions } = JSON.parse(gunzipSync(bytes).toString());
    const ids = transactions.map(({ transaction_id }: { transaction_id: string }) => transaction_id);
    expect(ids).toHaveLength(1200);
    expect(ids).toEqual(ids.toSorted());
  });

  test('above Lambda’s limit are refused, with advice', async () => {
    const advice = 'page_size: Response would be larger than 6 MB, ask for a smaller page';
    const packed = await ask('/tickets/history?page_size=10000', 'gzip');
    const plain = await ask('/tickets/history?page_size=3000', 'identity');
    expect([packed.status, JSON.parse(packed.bytes.toString()).message]).toEqual([422, advice]);
    const more = `${advice}, or send Accept-Encoding: gzip`;
    expect([plain.status, JSON.parse(plain.bytes.toString()).message]).toEqual([422, more]);
  });
});
