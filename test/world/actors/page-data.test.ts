import { expect, test } from 'vitest';
import { renderPage } from '../../../functions/play/page/render.ts';
import type { PageView } from '../../../functions/play/page/view.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { pageData } from './page-data.ts';

test('the page’s data and visible text are read', () => {
  const view: PageView = {
    lang: 'en',
    game: 'truck',
    state: 'ready',
    now: '2026-03-01T12:00:00.000Z',
    expires_at: '2026-03-01T12:30:00.000Z',
    cost: 5,
    balance: 1234,
    prizes: defaultPrizeTables.truck.prizes.map((prize) => ({ ...prize, available: true })),
    tickets_only: false,
    commitment: 'c'.repeat(64),
  };
  const { text, ...data } = pageData(renderPage(view).html)!;
  expect(data).toEqual({ ...view, framers: [] });
  expect(text).toMatch(/5 tickets/);
  expect(text).toMatch(/1,234/);
  expect(text).not.toMatch(/[<>{}]/);
});

test('the page of an unknown URL has data', () => {
  const { html } = renderPage({
    lang: 'es',
    game: 'flight',
    state: 'unknown',
    now: '2026-03-01T12:00:00.000Z',
  });
  expect(pageData(html)).toMatchObject({ lang: 'es', state: 'unknown' });
});

test('another page has no data', () => {
  expect(pageData('<html><p>Sign in to the network</p></html>')).toBeUndefined();
});
