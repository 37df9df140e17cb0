import { expect, test } from 'vitest';
import { explanations } from '../../functions/docs/page/errors.ts';
import { stages } from '../../infra/deploy/stages.ts';
import { codesOf } from '../../shared/api/openapi/refused.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { baseUrl } from '../support/api.ts';

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
