import { expect, test } from 'vitest';
import { find } from '../../functions/docs/page/client/search.ts';
import { explanations } from '../../functions/docs/page/errors.ts';
import type { Place } from '../../functions/docs/page/search.ts';
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

test('the search finds sections of guides, errors, operations, methods of the client and events', async () => {
  const places: Place[] = JSON.parse(await pageNamed('search.json'));
  const first = (query: string) => find(places, query)[0]?.href;
  expect(first('read missed')).toBe('?page=webhooks#read-what-you-missed');
  expect(first('play_voided')).toBe('?page=errors#play_voided');
  expect(first('/users/{user_id}/tickets/credit')).toBe('?page=reference#/tickets/ticketsCredit');
  expect(first('amoe.guestQueue')).toBe('?page=reference#/amoe/amoeGuestQueue');
  expect(find(places, 'POST cash_won').map(({ href }) => href)).toContain(
    '?page=reference#/webhooks/receiveCashWon',
  );
  expect(find(places, 'no such words')).toEqual([]);
  expect(find(places, ' ')).toEqual([]);
});
