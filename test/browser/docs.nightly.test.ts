import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { guides } from '../../functions/docs/page/guides.ts';
import { baseUrl, newOrganization } from '../support/api.ts';
import { operations } from '../support/document.ts';
import {
  accessibilityViolations,
  desktop,
  newPage,
  overflowOf,
  phone,
  screenshot,
  useBrowser,
} from './support/browser.ts';

const sizes: Record<string, BrowserContextOptions> = { phone, desktop };

async function open(page: string, size: BrowserContextOptions) {
  const opened = await newPage(await useBrowser(), size);
  await opened.page.goto(`${baseUrl}/docs?page=${page}`);
  return opened;
}

/** Operations that include each HTTP method, requests with and without a body, and a webhook. */
const sampleOperations = [
  'tickets-ticketsCredit',
  'play-playOpen',
  'amoe-amoeGuestQueue',
  'reports-reportsOutcomes',
  'webhooks-webhooksUpdate',
  'webhooks-webhooksDelete',
  'webhooks-receiveOutcome',
];

describe.each(Object.keys(sizes))('on a %s', (size) => {
  test.each([...guides, { page: 'errors' }])(
    'the page $page is accessible and requests nothing from other origins',
    async (guide) => {
      const { page, problems, requested } = await open(guide.page, sizes[size]!);
      expect(await page.locator('h1').count()).toBe(1);
      await screenshot(page, `docs-${guide.page}-${size}`);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(requested.filter((url) => !url.startsWith(`${baseUrl}/`) && !url.startsWith('data:'))).toEqual(
        [],
      );
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  test('the reference shows every operation, is accessible, and neither links to nor requests other origins', async () => {
    const { page, problems, requested } = await open('reference', sizes[size]!);
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(operations.length);
    await screenshot(page, `docs-reference-${size}`);
    for (const id of sampleOperations) {
      await page.locator(`#operations-${id} .opblock-summary-control`).click();
      await page.locator(`#operations-${id} .responses-table`).waitFor();
    }
    await page.locator('.models-control').click();
    expect(await accessibilityViolations(page)).toEqual([]);
    const links = page.locator('a');
    const leadsTo = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(leadsTo.filter((url) => !url.startsWith(`${baseUrl}/`))).toEqual([]);
    await page.locator('#operations-tickets-ticketsCredit').scrollIntoViewIfNeeded();
    await screenshot(page, `docs-operation-${size}`);
    expect(await overflowOf(page)).toBe(0);
    expect(requested.filter((url) => !url.startsWith(`${baseUrl}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

test('the guide on embedding leads to the JSON Schema of messages', async () => {
  const { markdown } = guides.find(({ page }) => page === 'embed')!;
  const [, link = ''] = /\[JSON Schema\]\(([^)]*)\)/.exec(markdown)!;
  const response = await fetch(`${baseUrl}/docs${link}`);
  expect(response.headers.get('content-type')).toContain('application/schema+json');
  expect(((await response.json()) as { anyOf: object[] }).anyOf).toHaveLength(6);
});

test('an operation can be tried out from the reference', async () => {
  const api = await newOrganization();
  const { page, problems } = await open('reference', desktop);
  await page.locator('.btn.authorize').click();
  await page.locator('#auth-bearer-value').fill(api.apiKey);
  await page.locator('#api_key_value').fill(api.organizationId);
  expect(await accessibilityViolations(page)).toEqual([]);
  // Each click changes the first of the remaining "Authorize" buttons to "Logout".
  for (let clicks = 0; clicks < 2; clicks++)
    await page.locator('.auth-btn-wrapper .authorize').first().click();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.locator('.btn-done').first().click();
  await page.locator('#operations-users-usersCreate .opblock-summary-control').click();
  const operation = page.locator('#operations-users-usersCreate');
  await operation.locator('.try-out__btn').click();
  await operation.locator('.execute').click();
  await operation.locator('.live-responses-table .response-col_status').last().waitFor();
  expect(await operation.locator('.live-responses-table').textContent()).toContain('usr_');
  expect(await accessibilityViolations(page)).toEqual([]);
  const user = await api.get('/users', { external_reference: 'anna-17' });
  expect(user.status).toBe(200);
  // Expects that the page sends no optional parameters. With their example values, the report would have no rows.
  const change = { amount: 5, idempotency_key: 'present-1' };
  await api.post(`/users/${user.body.user_id}/tickets/credit`, change);
  const report = page.locator('#operations-reports-reportsTickets');
  await report.locator('.opblock-summary-control').click();
  await report.locator('.try-out__btn').click();
  await report.locator('.execute').click();
  await report.locator('.live-responses-table .response-col_status').last().waitFor();
  expect(await report.locator('.live-responses-table').textContent()).toContain(user.body.user_id);
  await screenshot(page, 'docs-tried-out-desktop');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the search leads to an operation, also from the reference itself', async () => {
  const { page, problems } = await open('reference#/users/usersCreate', phone);
  await page.locator('.responses-table').waitFor();
  await page.locator('.search input').fill('tickets.credit');
  await page.locator('.search li').first().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.locator('.search input').press('Enter');
  await page.locator('#operations-tickets-ticketsCredit .responses-table').waitFor();
  expect(await page.locator('#operations-tickets-ticketsCredit').textContent()).toContain(
    'incentives.tickets.credit(…)',
  );
  expect(problems).toEqual([]);
  await page.context().close();
});
