import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as credit } from '../../functions/tickets/credit.ts';
import { createPlayUrl, play } from '../../shared/games/plays.ts';
import { tableClient } from '../../shared/table/client.ts';
import { newOrganization } from '../support/api.ts';
import { type Call, type Fault, watchingCalls } from '../support/calls.ts';
import { sdkError } from '../support/dynamodb-errors.ts';
import { type EndpointName, eventOf, invoke } from '../support/invoke.ts';
import { untilAnswered } from '../support/repeat.ts';
import { makeUser } from '../support/round-trips.ts';

let organizationId: string;
beforeEach(async () => {
  ({ organizationId } = await newOrganization());
});

type Request = Omit<Parameters<typeof invoke>[1], 'organizationId'>;
/** Returns whether the client times out waiting for a call's response, although the table executes the call. */
type Slow = (operation: string) => boolean;
const tooLate: Fault = { after: sdkError('TimeoutError') };
const writes: Slow = (operation) => operation === 'TransactWriteItems';

/** Runs a request against a slow table: each call advances the clock by 3 s, so few retries are possible. */
async function whileSlow(slow: Slow, endpoint: EndpointName, request: Request, fate: Fault = tooLate) {
  const step = vi.spyOn(performance, 'now');
  const start = performance.now();
  let calls = 0;
  step.mockImplementation(() => start + calls * 3000);
  try {
    const run = () => invoke(endpoint, { organizationId, ...request });
    const { result } = await watchingCalls(tableClient, run, ({ operation }) => {
      calls++;
      return slow(operation) ? fate : undefined;
    });
    return result;
  } finally {
    step.mockRestore();
  }
}

const endsIn = (ms: number) => ({ getRemainingTimeInMillis: () => ms });
const unknown = { status: 503, body: { code: 'outcome_unknown' } };
const operations: [EndpointName, object][] = [
  ['tickets/credit', { amount: 3 }],
  ['tickets/debit', { amount: 3 }],
  ['entries/credit', { amount: 3 }],
  ['amoe/queue', { num_of_spins: 3 }],
  ['amoe/guest-play', { num_of_spins: 3 }],
];

describe('a change whose writes get no response', () => {
  test.each(operations)('%s is looked up before the response', async (endpoint, fields) => {
    const body = { ...fields, idempotency_key: 'slow' };
    let request = {};
    // Repeats the request while it gets a 503, because a busy machine can be too slow to look up the result.
    const answer = await untilAnswered(async () => {
      request = { path: { user_id: await makeUser(organizationId, 5) }, body };
      return whileSlow(writes, endpoint, request);
    });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('idempotent-replayed');
    const again = await invoke(endpoint, { organizationId, ...request });
    expect([again.body, again.headers['idempotent-replayed']]).toEqual([answer.body, 'true']);
  });

  test.each(operations)('%s that cannot be looked up has an unknown outcome', async (endpoint, fields) => {
    const path = { user_id: await makeUser(organizationId, 5) };
    const request = { path, body: { ...fields, idempotency_key: 'slow' } };
    let written = false;
    const all: Slow = (operation) => {
      written ||= writes(operation);
      return written;
    };
    const answer = await whileSlow(all, endpoint, request);
    expect(answer).toMatchObject(unknown);
    expect(answer.headers).toHaveProperty('retry-after', '1');
    const again = await invoke(endpoint, { organizationId, ...request });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
  });

  test('creates one user, whom a retry finds', async () => {
    const body = { external_reference: 'slow' };
    expect(await whileSlow(() => true, 'users/create', { body })).toMatchObject(unknown);
    const again = await invoke('users/create', { organizationId, body });
    expect(again.status).toBe(200);
    const found = await invoke('users/find', { organizationId, query: body });
    expect(found.body.user_id).toBe(again.body.user_id);
    const [now, dayMs] = [Date.now(), 24 * 3_600_000];
    const repeated = (afterMs: number) =>
      invoke('users/create', { organizationId, body, now: now + afterMs });
    expect((await repeated(dayMs - 60_000)).body).toEqual(again.body);
    expect((await repeated(dayMs)).status).toBe(409);
  });

  test('that creates a user is looked up by reference', async () => {
    const answer = await untilAnswered(() =>
      whileSlow(writes, 'users/create', { body: { external_reference: crypto.randomUUID() } }),
    );
    expect(answer.status).toBe(200);
  });
});

test('a change that is in progress at the function’s timeout has an unknown outcome', async () => {
  const path = { user_id: await makeUser(organizationId, 5) };
  const request = { organizationId, path, body: { amount: 3, idempotency_key: 'late' } };
  // The write ends only after the response. The function has 100 ms left (`endsIn(100)`), so it cannot wait.
  const ending = Promise.withResolvers<void>();
  const soon = async ({ operation }: Call): Promise<Fault> => {
    if (operation === 'TransactWriteItems') await ending.promise;
    return undefined;
  };
  const run = () => credit(eventOf('tickets/credit', request) as never, endsIn(100) as never);
  const { result } = await watchingCalls(tableClient, run, soon);
  expect([result.statusCode, JSON.parse(result.body).code]).toEqual([503, 'outcome_unknown']);
  ending.resolve();
});

test('a lost registration is not reported as created', async () => {
  const body = { callback_url: 'https://example.com/lost', secret_key: 'secret', event: 'all' };
  const lost = { instead: sdkError('TimeoutError') };
  expect(await whileSlow(writes, 'webhooks/create', { body }, lost)).toMatchObject(unknown);
  const { body: all } = await invoke('webhooks/list', { organizationId, query: {} });
  expect(all.webhooks).toEqual([]);
});

test('a play that lost its response is not refused because of its own effect', async () => {
  const userId = await makeUser(organizationId, 1000);
  const newUrl = () => createPlayUrl({ organizationId, userId, game: 'truck', lang: 'en', now: Date.now() });
  for (const _ of [1, 2, 3, 4]) await play((await newUrl()).token, '', Date.now());
  const { token } = await newUrl();
  const spin = () => invoke('play/spin', { organizationId, path: { token }, body: {} });
  let written = false;
  // The write of the user's fifth play succeeds, but its response is lost. Later reads of the play session time out.
  const { result } = await watchingCalls(tableClient, spin, ({ operation }) => {
    written ||= writes(operation);
    return writes(operation) || (written && operation === 'GetItem') ? tooLate : undefined;
  });
  expect(result).toMatchObject(unknown);
  expect((await spin()).status).toBe(200);
});

test('creating a user again after a successful response is a conflict', async () => {
  const body = { external_reference: 'told' };
  expect((await invoke('users/create', { organizationId, body })).status).toBe(200);
  expect((await invoke('users/create', { organizationId, body })).status).toBe(409);
});
