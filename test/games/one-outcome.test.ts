import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createPlay, play } from '../../shared/games/plays.ts';
import { client } from '../../shared/table/client.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { brokenConnection } from '../support/dynamodb-errors.ts';
import { accountOf, newUrl, openUrl, spinUrl } from './support/plays.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

describe('one URL has one outcome', () => {
  test('when it is played ten times at once, from tabs with seeds of their own', async () => {
    const user = await api.user(10);
    const url = await newUrl(api, user);
    const answers = await Promise.all(times(10, (i) => spinUrl(url, { client_seed: `tab ${i}` })));
    expect(answers.map(({ status }) => status)).toEqual(times(10, () => 200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { outcomes, balance } = await accountOf(api, user);
    expect(outcomes).toEqual([answers[0]!.body.outcome]);
    expect(balance).toBe(9 + (outcomes[0].prize.tickets ?? 0));
  });

  test('also where a try to make it, which nobody waited for, arrives only after it was played', async () => {
    const { organizationId } = api;
    const userId = await api.user(1000);
    const send = vi.spyOn(client, 'send');
    const { token } = await createPlay({
      organizationId,
      userId,
      game: 'truck',
      lang: 'en',
      now: Date.now(),
    });
    const late = send.mock.lastCall![0];
    send.mockRestore();
    const { outcome } = await play(token, '', Date.now());
    await client.send(late).catch(() => {});
    expect((await play(token, 'again', Date.now())).outcome).toEqual(outcome);
  });

  test('when the page is reloaded: it shows the outcome, and asking again answers it', async () => {
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

describe('a play whose answer is lost', () => {
  test.each([1, 2])('on its way from the table, %i times, is played once and answered', async (losses) => {
    const user = await api.user(1);
    const token = (await newUrl(api, user)).split('/').at(-1)!;
    let left = losses;
    const { result: played } = await watchingCalls(
      client,
      () => play(token, 'seed', Date.now()),
      ({ operation }) =>
        operation === 'TransactWriteItems' && left-- > 0 ? { after: brokenConnection() } : undefined,
    );
    const { outcomes, balance } = await accountOf(api, user);
    expect(outcomes).toEqual([played.outcome]);
    expect(balance).toBe(played.outcome.prize.tickets ?? 0);
  });

  test('on its way to the browser is asked for again, and the same', async () => {
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
