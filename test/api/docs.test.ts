import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorExplanations } from '../../functions/docs/page/errors.ts';
import { guides } from '../../functions/docs/page/guides.ts';
import { stages } from '../../infra/deploy/stages.ts';
import { pythonFile } from '../../infra/develop/client/pack.ts';
import { refusalCodesOf } from '../../shared/api/openapi/refused.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { baseUrl } from '../support/api.ts';

const pageNamed = async (page: string) => (await fetch(`${baseUrl}/docs?page=${page}`)).text();

test('each error code is explained once', () => {
  expect(Object.keys(errorExplanations)).toEqual(refusalCodesOf(allRoutes));
});

test('the page of errors and limits has statuses and bounds from the routes', async () => {
  const html = await pageNamed('errors');
  expect(html).toContain(
    '<code id="insufficient_tickets">insufficient_tickets</code></td>\n<td>400, 409</td>',
  );
  expect(html).toContain('<code>amount</code></td>\n<td>1 to 1,000,000,000</td>\n<td>tickets, entries</td>');
  expect(html).toContain('<code>description</code></td>\n<td>up to 500 characters</td>');
  expect(html).toContain(
    '<code>external_reference</code></td>\n<td>1 to 255 characters</td>\n<td>users</td>',
  );
});

test('the page of errors and limits has the limits of requests a second, as stages are deployed', async () => {
  const { production, staging } = stages;
  const limit = production.requestsPerSecond.toLocaleString('en-US');
  const html = await pageNamed('errors');
  expect(html).toContain(`${limit} of an operation on production`);
  expect(html).toContain(`${staging.requestsPerSecond} of an operation on staging`);
});

/** Links of a text in Markdown, except those to other websites. */
const linksIn = (markdown: string) =>
  [...markdown.matchAll(/\]\(([^)#]+)[^)]*\)/g)]
    .map(([, url = '']) => url)
    .filter((url) => url.startsWith(baseUrl) || !url.startsWith('https:'));

test('each page is also served as Markdown, and the index of these lists it', async () => {
  const index = await fetch(`${baseUrl}/docs/llms.txt`);
  expect(index.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const listed = linksIn(await index.text());
  const pages = [...guides, { page: 'errors' }].map(({ page }) => `${baseUrl}/docs/${page}.md`);
  expect(listed).toEqual(expect.arrayContaining([...pages, `${baseUrl}/docs/openapi.json`]));
  const linked = new Set(listed);
  for (const url of pages) {
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const markdown = await page.text();
    expect(markdown).toMatch(/^# /);
    for (const link of linksIn(markdown)) linked.add(link);
  }
  for (const url of linked) expect({ url, status: (await fetch(url)).status }).toEqual({ url, status: 200 });
});

test('the reference leads readers without JavaScript to the document and to Markdown', async () => {
  const [, noscript = ''] = /<noscript>(.*)<\/noscript>/.exec(await pageNamed('reference')) ?? [];
  expect(noscript).toContain('OpenAPI');
  expect(noscript).toContain('href="?page=llms.txt"');
});

test('hosts without npm get the listener for messages of the play page as a module', async () => {
  const module = `data:text/javascript,${encodeURIComponent(await pageNamed('incentives-page.js'))}`;
  const { pageMessageOf } = await import(module);
  const frame = { src: 'https://play.example.com/play/1', contentWindow: {} };
  const data = { source: 'incentives', version: 1, type: 'started', data: {} };
  const event = { origin: 'https://play.example.com', source: frame.contentWindow, data };
  expect(pageMessageOf(event, frame)).toEqual(data);
  expect(pageMessageOf({ ...event, origin: 'https://evil.example' }, frame)).toBeUndefined();
});

test('the Python client is a file beside the guides', async () => {
  const response = await fetch(`${baseUrl}/docs/incentives.py`);
  expect(response.headers.get('content-type')).toBe('text/x-python; charset=utf-8');
  expect(await response.text()).toBe(readFileSync(pythonFile, 'utf8').trim());
});
