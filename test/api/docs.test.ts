import { expect, test } from 'vitest';
import { find } from '../../functions/docs/page/client/search.ts';
import { explanations } from '../../functions/docs/page/errors.ts';
import type { Place } from '../../functions/docs/page/search.ts';
import { stages } from '../../infra/deploy/stages.ts';
import { codesOf } from '../../shared/api/openapi/refused.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { baseUrl } from '../support/api.ts';
import { operations } from '../support/document.ts';

const pageNamed = async (page: string) => (await fetch(`${baseUrl}/docs?page=${page}`)).text();

test('each error code is explained once', () => {
  expect(Object.keys(explanations)).toEqual(codesOf(allRoutes));
});

test('the page of errors and limits has statuses and bounds from the routes', async () => {
  const html = await pageNamed('errors');
  expect(html).toContain('<code id="insufficient_tickets">insufficient_tickets</code></td><td>400, 409</td>');
  expect(html).toContain('<code>amount</code></td><td>1 to 1,000,000,000</td><td>tickets, entries</td>');
  expect(html).toContain('<code>description</code></td><td>up to 500 characters</td>');
  expect(html).toContain('<code>external_reference</code></td><td>1 to 255 characters</td><td>users</td>');
});

test('the page of errors and limits has the limits of requests a second, as stages are deployed', async () => {
  const { production, staging } = stages;
  const limit = production.requestsPerSecond.toLocaleString('en-US');
  const html = await pageNamed('errors');
  expect(html).toContain(`${limit} of an operation on production`);
  expect(html).toContain(`${staging.requestsPerSecond} of an operation on staging`);
});

test('the page of errors and limits names the operations of a field whose bounds differ', async () => {
  const html = await pageNamed('errors');
  const rows = [...html.matchAll(/<code>num_of_spins<\/code><\/td><td>(.*?)<\/td><td>(.*?)<\/td>/g)];
  expect(rows.map(([, bounds, where = '']) => [bounds, where.replace(/<[^>]+>/g, '')])).toEqual([
    ['1 to 1,000', 'POST /users/{user_id}/game/queue, POST /users/guest/{user_id}/game/queue'],
    ['1 to 100', 'POST /users/guest/{user_id}/game/play'],
  ]);
  expect(html).toContain('<a href="?page=reference#/amoe/amoeGuestPlay">');
});

test('the search finds sections of guides, errors, operations, methods of the client and events', async () => {
  const places: Place[] = JSON.parse(await pageNamed('search.json'));
  const first = (query: string) => find(places, query)[0]?.href;
  expect(first('read events')).toBe('?page=events#read-events');
  expect(first('miss no event')).toBe('?page=events');
  expect(first('play_voided')).toBe('?page=errors#play_voided');
  const hrefOf = ({ tags, operationId }: (typeof operations)[number]['operation']) =>
    `?page=reference#/${tags[0]}/${operationId}`;
  for (const { path, operation } of operations) {
    const ofPath = operations.filter((other) => other.path === path);
    expect(ofPath.map((other) => hrefOf(other.operation))).toContain(first(path));
    expect(first(operation['x-client-method'] ?? operation.operationId)).toBe(hrefOf(operation));
  }
  expect(find(places, 'POST cash_won').map(({ href }) => href)).toContain(
    '?page=reference#/webhooks/receiveCashWon',
  );
  expect(find(places, 'no such words')).toEqual([]);
  expect(find(places, ' ')).toEqual([]);
});
