import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packClient } from '../../infra/develop/client/pack.ts';
import { type Api, baseUrl, newOrganization } from '../support/api.ts';
import { type Served, serve } from '../support/serve.ts';
import { newPage, useBrowser } from './support/browser.ts';

let folder: string;
let api: Api;
let host: Served;

/** Starts a host app that serves the client's modules, and forwards `/api` to the service with its API key. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-'));
  packClient(folder);
  api = await newOrganization();
  host = await serve(async (request, response) => {
    const { method = '', url = '' } = request;
    if (url === '/') return response.setHeader('content-type', 'text/html').end('<!doctype html>');
    if (url.endsWith('.js')) {
      response.setHeader('content-type', 'text/javascript');
      return response.end(readFileSync(join(folder, 'client', url)));
    }
    const body = await text(request);
    const answer = await fetch(baseUrl + url.slice('/api'.length), {
      method,
      headers: { authorization: `Bearer ${api.apiKey}`, 'x-organization-id': api.organizationId },
      ...(body && { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page's program is a string, because the test runner would rewrite the `import()` in a function. */
const use = `(async () => {
  const { createClient } = await import('/client.js');
  const incentives = createClient({ baseUrl: location.origin + '/api' });
  const { user_id } = await incentives.users.create({ external_reference: 'in a browser' });
  const again = incentives.users.create({ external_reference: 'in a browser' });
  return { user_id, refused: await again.catch(({ code }) => code) };
})()`;

test('the client works in a browser through a proxy that adds the API key', async () => {
  const { page, problems } = await newPage(await useBrowser());
  await page.goto(`${host.url}/`);
  const seen: { user_id: string } = await page.evaluate(use);
  expect(seen).toEqual({ user_id: expect.stringMatching(/^usr_/), refused: 'external_reference_taken' });
  expect((await api.get('/users', { external_reference: 'in a browser' })).body.user_id).toBe(seen.user_id);
  expect(problems).toEqual([]);
  await page.context().close();
});
