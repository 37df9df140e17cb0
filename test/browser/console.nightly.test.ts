import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningConsole, startConsole } from '../../infra/operate/console/server.ts';
import { appendRecord, type NewRecord, type OutcomeRecord } from '../../shared/accounts/records.ts';
import { createUser } from '../../shared/accounts/references.ts';
import { readUser, type User } from '../../shared/accounts/user.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { freezeUser } from '../../shared/actions/freeze.ts';
import { putItems } from '../../shared/table/client.ts';
import { newYorkTime, startOfToday } from '../../shared/time.ts';
import { games, type PlayType } from '../../shared/vocabulary.ts';
import { newUrl, spinUrl } from '../games/support/plays.ts';
import {
  dayOfRecord,
  outcomesIn,
  type Small,
  smallOrganization,
  sum,
} from '../infra/operate/admin/report/support.ts';
import { newOrganization } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';
import {
  accessibilityViolations,
  desktop,
  newPage,
  overflowOf,
  screenshot,
  useBrowser,
} from './support/browser.ts';

let browser: Browser;
let small: Small;
let running: RunningConsole;
beforeAll(async () => {
  [browser, small, running] = await Promise.all([
    useBrowser(),
    smallOrganization(),
    startConsole({ stage: 'local' }),
  ]);
  await small.api.post('/webhooks', { callback_url: 'http://127.0.0.1:9/', secret_key: 'secret' });
});
afterAll(() => running.stop());

async function open(view: string, query: Record<string, string> = {}, org = small.api.organizationId) {
  const opened = await newPage(browser, desktop);
  await opened.page.goto(running.link);
  await show(opened.page, view, query, org);
  return opened;
}

async function show(page: Page, view: string, query: Record<string, string>, org = small.api.organizationId) {
  await page.goto(`${new URL(running.link).origin}/#/${view}?${new URLSearchParams({ org, ...query })}`);
  await page.locator(`header a[href="#/${view}?org=${org}"][aria-current="page"]`).waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
}

const savedText = async (page: Page, press: () => Promise<void>) => {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
};

/** Returns the time of day in New York, such as `23:59:59`. */
const timeInNewYork = (iso: string) => newYorkTime(Date.parse(iso)).slice(11, 19);

test('every page shows real data, and is accessible in each size and color scheme', async () => {
  const { page, problems } = await newPage(browser, desktop);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.goto(running.link);
  const user = small.users[0]!;
  const views: [string, Record<string, string>, string][] = [
    ['today', {}, 'By the hour'],
    ['users', { user }, 'The host debited 3 tickets'],
    ['explain', { id: user }, 'truck entries'],
    ['games', { game: 'truck' }, 'Plays at mean cash'],
    ['drawings', {}, 'No drawing has been announced.'],
    ['winners', {}, 'Records read'],
    ['prizes', {}, 'Prizes that the host hands out'],
    ['winners', { report: 'taxes' }, 'whole USD, for a year'],
    ['winners', { report: 'liability' }, 'tickets'],
    ['webhooks', {}, 'http://127.0.0.1:9/'],
    ['books', {}, 'No day has been closed yet.'],
    ['audit', {}, 'The organization was created'],
    ['commands', {}, 'webhooks replay'],
  ];
  for (const [view, query, text] of views) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    await show(page, view, query);
    await page.getByText(text, { exact: false }).first().waitFor();
    await screenshot(page, `console-${view}`, true);
    expect(await accessibilityViolations(page), view).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 820, height: 1180 });
    await screenshot(page, `console-${view}-tablet`, true);
    expect(await accessibilityViolations(page), `${view}, tablet`).toEqual([]);
    for (const width of [820, 345]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await overflowOf(page), `${view}, ${width} px`).toBe(0);
      const menu = await page
        .locator('header nav ul')
        .evaluate((list) => list.scrollWidth - list.clientWidth);
      expect(menu, `menu, ${width} px`).toBe(0);
    }
    // Allows a request twice, because the page can render another organization before this one.
    const repeated = [...Map.groupBy(sent, String)].filter(([, { length }]) => length > 2);
    expect(repeated, view).toEqual([]);
    sent.length = 0;
  }
  expect(problems).toEqual([]);
  await page.context().close();
});

test('today shows the figures of the records, and all times in New York time', async () => {
  const { page } = await newPage(browser, { ...desktop, timezoneId: 'Asia/Tokyo' });
  await page.goto(running.link);
  await show(page, 'today', { day: small.to });
  const outcomes = outcomesIn(small.records.filter((record) => dayOfRecord(record) === small.to));
  const countOf = (of: OutcomeRecord[], type: PlayType) => of.filter((o) => o.play_type === type).length;
  const cashOf = (of: OutcomeRecord[]) => sum(of.map(({ prize }) => prize.cash_usd ?? 0));
  const columnsOf = (of: OutcomeRecord[]) => [
    `${countOf(of, 'regular')}`,
    `${countOf(of, 'amoe')}`,
    `$${cashOf(of)}`,
  ];
  const users = new Set(outcomes.map(({ user_id }) => user_id)).size;
  const figures = page.locator('.figures strong');
  expect(await figures.allTextContents()).toEqual([...columnsOf(outcomes), `${users}`]);
  const cellsOf = (caption: string, cell: string) =>
    page.getByRole('region', { name: caption }).locator(`tbody td${cell}`).allTextContents();
  expect(await cellsOf('Plays by game', ':not(:first-child)')).toEqual(
    games.flatMap((game) => columnsOf(outcomes.filter((outcome) => outcome.game === game))),
  );
  const hours = Map.groupBy(outcomes, ({ timestamp }) => timeInNewYork(timestamp).slice(0, 2));
  const cells = Map.groupBy((await cellsOf('Plays by the hour', '')).entries(), ([at]) => Math.floor(at / 4));
  const shownHours = [...cells.values()].map((row) => row.map(([, text]) => text));
  expect(shownHours.filter(([, ...figures]) => figures.join() !== '0,0,$0')).toEqual(
    [...hours].sort().map(([hour, of]) => [`${hour}:00`, ...columnsOf(of)]),
  );
  const won = outcomes.filter(({ prize }) => Object.keys(prize).some((kind) => /^(cash|prize)_/.test(kind)));
  const times = won.map(({ timestamp }) => timeInNewYork(timestamp)).sort();
  expect((await cellsOf('Latest winners', ':first-child')).map((text) => text.slice(-12, -4))).toEqual(
    times.reverse(),
  );
  await page.context().close();
});

test('calls are listed from the start of the chosen period', async () => {
  const { page } = await open('webhooks');
  const startOf = async (period: string) => {
    const [request] = await Promise.all([
      page.waitForRequest('**/run'),
      page.locator('main select').selectOption(period),
    ]);
    return Date.parse(request.postDataJSON().values.from) / 60_000;
  };
  const fiveMinutes = await startOf('Last 5 minutes');
  expect(fiveMinutes - (await startOf('Last hour'))).toBeCloseTo(55);
  expect(fiveMinutes - (await startOf('Last day'))).toBeCloseTo(24 * 60 - 5);
  expect(fiveMinutes - (await startOf('Last week'))).toBeCloseTo(7 * 24 * 60 - 5);
  await page.context().close();
});

test('the link’s token is not in the address, and scripts cannot read it', async () => {
  const { page } = await open('today');
  expect(page.url()).not.toContain('token');
  expect(await page.evaluate(() => document.cookie)).toBe('');
  const others = await newPage(browser, desktop);
  await others.page.goto(new URL(running.link).origin);
  expect(await others.page.textContent('body')).toContain('Open the link');
  await others.context.close();
  await page.context().close();
});

test('a description cannot turn the rest of its sentence around', async () => {
  const user = await small.api.user();
  const credit = { amount: 1250, description: 'Gift\u202e', idempotency_key: 'turned' };
  await small.api.post(`/users/${user}/tickets/credit`, credit);
  const { page } = await open('users', { user });
  await page.getByText('The host credited 1,250 tickets, “Gift\\u202e”.').waitFor();
  expect(await page.locator('body').evaluate(({ outerHTML }) => /\p{Bidi_Control}/u.test(outerHTML))).toBe(
    false,
  );
  await page.context().close();
});

describe('a change', () => {
  test('is described, runs after confirmation, and shows its result', async () => {
    const { organizationId: org } = await newOrganization();
    const { page, problems } = await open('games', {}, org);
    const button = page.getByRole('button', { name: 'Limits', exact: true });
    await button.click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain('Set the daily limits (days in New York)');
    expect(await dialog.textContent()).not.toContain('production');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    await dialog.getByLabel('Daily cash').fill('lots');
    await dialog.getByRole('button', { name: 'Limits now' }).click();
    expect(await dialog.getByLabel('Reason').evaluate((field) => field.matches(':invalid'))).toBe(true);
    await dialog.getByLabel('Reason').fill('Holiday weekend');
    await dialog.getByRole('button', { name: 'Limits now' }).click();
    await dialog.getByText('The command failed. --daily-cash: Input').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByLabel('Daily cash').fill('750');
    expect(await dialog.locator('code').textContent()).toContain(`game limits --org ${org} --daily-cash 750`);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('$750', { exact: true }).waitFor();
    await show(page, 'audit', {}, org);
    await page.getByText('Daily cash limit: $500 → $750').waitFor();
    const newest = page.getByRole('region', { name: 'Actions' }).locator('tbody tr').first();
    expect(await newest.textContent()).toContain('Holiday weekend');
    await show(page, 'today', {}, org);
    expect(await page.locator('.figures').textContent()).toContain('The day’s limit is $750');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that failed reloads the page, even if the operator goes back and cancels', async () => {
    const { organizationId: org } = await newOrganization();
    const { page } = await open('games', {}, org);
    await page.getByRole('button', { name: 'Limits', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Daily cash').fill('lots');
    await dialog.getByLabel('Reason').fill('Holiday weekend');
    await page.keyboard.press('Enter');
    await changeSettings(org, { daily_cash_limit_usd: 750 }, testContext());
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('$750', { exact: true }).waitFor();
    await page.context().close();
  });

  test('warns in production, and holds are shown', async () => {
    const api = await newOrganization();
    const { organizationId: org } = api;
    await changeSettings(org, { paused: 'amoe truck' }, testContext());
    const user = await api.user(3);
    await freezeUser(org, user, testContext());
    const { page, problems } = await open('games', { game: 'flight' }, org);
    await page.route('**/commands', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), stage: 'production' } });
    });
    await page.reload();
    await page.getByText('AMOE, Truck').waitFor();
    await page.getByRole('button', { name: 'Limits', exact: true }).click();
    expect(await page.getByRole('dialog').textContent()).toContain('This changes production immediately.');
    await page.keyboard.press('Escape');
    await show(page, 'users', { user }, org);
    await page.getByText('Frozen: only operators and drawings change this user’s balances').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('of prizes is imported after a dry run, and one prize after another is delivered', async () => {
    const api = await newOrganization();
    const { organizationId: org } = api;
    await changeSettings(org, { tracked_prizes: 'prize_gift_card' }, testContext());
    await putPrizeTable(org, 'prizewheel', [prizeOf('prize_gift_card', 1, 1)], testContext());
    const user = await api.user(2);
    const won = [];
    for (const _ of [1, 2]) won.push((await spinUrl(await newUrl(api, user))).body.outcome.id);
    const { page, problems } = await open('prizes', {}, org);
    const rows = page.getByRole('region', { name: 'Prizes' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('File').fill(`prize_id,state,reference\n${won[1]},delivered,parcel 1`);
    await dialog.getByLabel('Reason').fill('Parcels of today');
    await dialog.getByLabel('Dry run').check();
    await dialog.getByRole('button', { name: 'Import CSV now' }).click();
    await dialog.getByText('Wrong').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByLabel('Dry run').uncheck();
    await dialog.getByRole('button', { name: 'Import CSV now' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link').first().click();
    await page.getByText('The prize: It is owed').waitFor();
    await page.getByRole('button', { name: 'Deliver', exact: true }).click();
    await dialog.getByLabel('Reference').fill('parcel 2');
    await dialog.getByLabel('Reason').fill('Handed over');
    await dialog.getByRole('button', { name: 'Deliver now' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('The prize: It is delivered').waitFor();
    await expect.poll(() => rows.count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('a table', () => {
  test('is exported as CSV, with formulas made harmless', async () => {
    const api = await newOrganization();
    const user = await api.user();
    const description = '=HYPERLINK("https://evil.example")';
    await api.post(`/users/${user}/tickets/credit`, { amount: 5, description, idempotency_key: 'a' });
    const { page } = await open('users', { user }, api.organizationId);
    const { name, text } = await savedText(page, () =>
      page.getByRole('button', { name: 'Export CSV' }).click(),
    );
    expect(name).toBe('timeline.csv');
    // The byte order mark tells spreadsheets that the file is UTF-8.
    expect(text).toMatch(/^\ufeffdate_created,date_created_new_york,kind,sentence,amount,balance_after,/);
    expect(text).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
    await page.context().close();
  });

  test('of 10,000 rows sorts and filters while rendering only 500, and exports all rows', async () => {
    const { organizationId } = await newOrganization();
    const user = await userWithRecords(organizationId, 10_000);
    const { page } = await open('users', { user }, organizationId);
    let pages = 0;
    await page.route('**/run', (route) => (++pages === 3 ? route.abort() : route.continue()));
    await page.getByRole('button', { name: 'Load all' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Load all' }).click();
    await page.getByText('10,000 rows').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('tbody tr').count()).toBe(500);
    await page.getByText('The first 500 are shown.').waitFor();
    await page.getByRole('button', { name: 'Balance' }).click();
    expect(await page.locator('tbody tr').first().textContent()).toContain('Number 1.');
    await page.getByLabel('Filter Timeline').fill('Number 77.');
    await page.getByText('1 of 10,000 rows').waitFor();
    const { text } = await savedText(page, () => page.getByRole('button', { name: 'Export CSV' }).click());
    expect(text.trimEnd().split('\r\n').length).toBe(10_001);
    await page.context().close();
  });
});

/** Creates a user and writes `count` records directly to the table, because requests would take too long. */
async function userWithRecords(organizationId: string, count: number): Promise<string> {
  const now = Date.now();
  const { user_id } = await createUser(organizationId, 'busy', now);
  let user: User = await readUser(organizationId, user_id);
  const records: object[] = [];
  for (let number = 1; number <= count; number++) {
    const fields = {
      kind: 'tickets',
      amount: 1,
      balance_after: number,
      description: `Number ${number}.`,
      idempotency_key: `${number}`,
      result_effective_date: startOfToday(now),
    } satisfies NewRecord;
    const { user: after, record } = appendRecord(user, fields, now);
    user = { ...after, balances: { ...user.balances, tickets: number } };
    records.push(record);
  }
  const writes = [...records, user];
  const batches = Array.from({ length: Math.ceil(writes.length / 25) }, (_, i) =>
    writes.slice(i * 25, i * 25 + 25),
  );
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (let i = lane; i < batches.length; i += 4) await putItems(batches[i] as User[]);
    }),
  );
  return user_id;
}
