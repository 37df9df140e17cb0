import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { games } from '../../shared/vocabulary.ts';
import { accountOf, newUrl, spinUrl } from '../games/support/plays.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { newPage, outcomeShown, playButton, playToResult, useBrowser } from './support/browser.ts';

let api: Api;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([newOrganization(), useBrowser()]);
});

const open = async (url: string) => {
  const opened = await newPage(browser);
  await opened.page.goto(url);
  return opened;
};

const numberIn = (text: string | null) => Number(text?.replaceAll(/\D/g, ''));

describe('the page and the service together', () => {
  const clientSeeds: string[] = [];

  test.each(games)('play %s to the recorded outcome, and the browser verifies the draw', async (game) => {
    const user = await api.user(20);
    const { page, problems, context } = await open(await newUrl(api, user, { game }));
    expect(await page.locator('#balance').textContent()).toBe('20');
    const cost = numberIn(await playButton(page).textContent());
    await playToResult(page);
    const { outcomes, balance, transactions } = await accountOf(api, user);
    expect(transactions.map(({ amount }: { amount: number }) => amount)).toContain(-cost);
    expect(outcomes).toHaveLength(1);
    expect(await outcomeShown(page)).toBe(outcomes[0].id);
    expect(await page.locator('#balance').textContent()).toBe(String(balance));
    await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
    const [, , , clientSeed = ''] = await page.locator('#fair dd').allTextContents();
    expect(clientSeeds).not.toContain(clientSeed);
    clientSeeds.push(clientSeed);
    await page.reload();
    expect(await outcomeShown(page)).toBe(outcomes[0].id);
    await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
    await context.close();
  });

  test('show the outcome that another device has played meanwhile, and say so', async () => {
    const user = await api.user(1);
    const url = await newUrl(api, user);
    const { page, context } = await open(url);
    const { body } = await spinUrl(url, { client_seed: 'the other device' });
    await playToResult(page);
    expect(await outcomeShown(page)).toBe(body.outcome.id);
    await page.locator('#verdict[data-verdict=elsewhere]').waitFor({ state: 'attached' });
    await context.close();
  });

  test.each([
    ['jackpot', '$100'],
    ['tickets_only', 'ticket'],
  ])('end a debug %s with the requested result, and the browser accepts the draw', async (result, shown) => {
    const user = await api.user(1);
    const { body } = await api.post(`/debug/users/${user}/games/play`, { result });
    const { page, problems, context } = await open(body.url);
    expect(await playToResult(page)).toContain(shown);
    await page.locator('#verdict[data-verdict=good]').waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
    await context.close();
  });

  test('say that the user needs more tickets, and play when there are enough', async () => {
    const user = await api.user(0);
    const { page, context } = await open(await newUrl(api, user));
    expect(await page.locator('#play').getAttribute('data-state')).toBe('refused');
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'one' });
    await playButton(page).click();
    await page.locator('#play[data-state=ready]').waitFor();
    await playToResult(page);
    expect((await accountOf(api, user)).outcomes).toHaveLength(1);
    await context.close();
  });
});
