import { beforeAll, describe, expect, test, vi } from 'vitest';
import { findDrawFaults } from '../../infra/operate/admin/explain/verify-outcome.ts';
import { findOutcome } from '../../shared/games/find-outcome.ts';
import { createPlayUrl, play } from '../../shared/games/plays.ts';
import { tableClient } from '../../shared/table/client.ts';
import { isoOf, startOfDay } from '../../shared/time.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { brokenConnection } from '../support/dynamodb-errors.ts';
import { accountOf, newUrl, openUrl, spinUrl } from './support/plays.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

describe('one URL has one outcome', () => {
  test('when ten tabs with different client seeds play it at once', async () => {
    const user = await api.user(10);
    const url = await newUrl(api, user);
    const answers = await Promise.all(times(10, (i) => spinUrl(url, { client_seed: `tab ${i}` })));
    expect(answers.map(({ status }) => status)).toEqual(times(10, () => 200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { outcomes, balance } = await accountOf(api, user);
    expect(outcomes).toEqual([answers[0]!.body.outcome]);
    expect(balance).toBe(9 + (outcomes[0].prize.tickets ?? 0));
  });

  test('when a lost request to create it reaches the table after the play', async () => {
    const { organizationId } = api;
    const userId = await api.user(1000);
    const send = vi.spyOn(tableClient, 'send');
    const { token } = await createPlayUrl({
      organizationId,
      userId,
      game: 'truck',
      lang: 'en',
      now: Date.now(),
    });
    const late = send.mock.lastCall![0];
    send.mockRestore();
    const { outcome } = await play(token, '', Date.now());
    await tableClient.send(late).catch(() => {});
    expect((await play(token, 'again', Date.now())).outcome).toEqual(outcome);
  });

  test('when the page is reloaded: it shows the outcome, and a second spin returns it', async () => {
    const user = await api.user(3);
    const url = await newUrl(api, user);
    const first = await spinUrl(url, { client_seed: 'first' });
    const page = await openUrl(url);
    expect(page.status).toBe(200);
    expect(page.body).toContain('data-state="played"');
    expect(page.body).toContain(first.body.outcome.id);
    expect((await spinUrl(url, { client_seed: 'second' })).body).toEqual(first.body);
  });
});

describe('a play whose response is lost', () => {
  test.each([1, 2])('on the way from the table, %i times, is played once and returned', async (losses) => {
    const user = await api.user(1);
    const token = (await newUrl(api, user)).split('/').at(-1)!;
    let left = losses;
    const { result: played } = await watchingCalls(
      tableClient,
      () => play(token, 'seed', Date.now()),
      ({ operation }) =>
        operation === 'TransactWriteItems' && left-- > 0 ? { after: brokenConnection() } : undefined,
    );
    const { outcomes, balance } = await accountOf(api, user);
    expect(outcomes).toEqual([played.outcome]);
    expect(balance).toBe(played.outcome.prize.tickets ?? 0);
  });

  test('on the way to the browser is returned to the next request', async () => {
    const url = await newUrl(api, await api.user(1));
    const abort = new AbortController();
    const asked = fetch(`${url}/spin`, { method: 'POST', body: '{}', signal: abort.signal });
    abort.abort();
    await expect(asked).rejects.toThrow();
    const [first, second] = [await spinUrl(url), await spinUrl(url)];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });
});

test('a play after midnight has the new day, and the secret of the day of its URL', async () => {
  const { organizationId } = api;
  const midnight = startOfDay('2040-03-02');
  const userId = await api.user(10);
  const asked = { organizationId, userId, game: 'prizewheel', lang: 'en', now: midnight - 60_000 } as const;
  const { token } = await createPlayUrl(asked);
  const { outcome } = await play(token, '', midnight + 60_000);
  expect(outcome.result_effective_date).toBe(isoOf(midnight));
  const recorded = await findOutcome(organizationId, outcome.id);
  expect(recorded!.secret_day).toBe('2040-03-01');
  expect(await findDrawFaults(recorded!)).toEqual([]);
});
