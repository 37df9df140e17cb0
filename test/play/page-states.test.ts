import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { renderPlayPage } from '../../functions/play/page/render.ts';
import { formatDollars, formatTime } from '../../functions/play/page/text.ts';
import { en } from '../../functions/play/page/texts/en.ts';
import type { ListedPrize, PageView } from '../../functions/play/page/view.ts';
import { fairnessMarkup } from '../../functions/play/page/won.ts';
import { pageSettingsIn } from '../../shared/organizations/page-settings.ts';
import { holds } from '../../shared/vocabulary.ts';
import { prizeOf } from '../support/prize.ts';

const cash: ListedPrize = { ...prizeOf('cash_usd', 10, 1), available: true, value_usd: 12.5 };
const gone: ListedPrize = { ...prizeOf('cash_usd', 500, 1), available: false, out_for: 'won' };
const ready: PageView = {
  lang: 'en',
  game: 'prizewheel',
  state: 'ready',
  now: '2026-11-25T12:00:00.000Z',
  expires_at: '2026-11-25T12:29:01.000Z',
  cost: 2,
  balance: 9,
  prizes: [cash, gone],
  commitment: 'c0ffee',
  page: pageSettingsIn({}),
};
const played: Partial<PageView> = {
  state: 'played',
  outcome: { id: 'out_1', prize: { cash_usd: 10 }, timestamp: ready.now } as never,
};
const pageOf = (part: Partial<PageView> = {}) => renderPlayPage({ ...ready, ...part });
/** Returns the HTML that a browser shows, without the page's data and script. */
const shown = ({ html }: { html: string }) => /<main.*?<script/s.exec(html)![0];
const shownOf = (part?: Partial<PageView>) => shown(pageOf(part));

/** Parts that only some pages have. */
const parts = {
  sound: 'id="sound"',
  play: 'id="go"',
  countdown: 'id="left"',
  refusal: 'class="result refusal"',
  until: 'class="when"',
  result: 'id="result"',
  noScript: '<noscript>',
  winsUsedUp: 'today’s limit of 3 wins',
  odds: 'id="odds"',
};
const partsOf = (html: string) =>
  Object.entries(parts).flatMap(([name, marker]) => (html.includes(marker) ? [name] : []));

describe('the page shows', () => {
  test('the fingerprint of the list of a drawing that has closed, in both languages', () => {
    const prize = { en: 'A truck', es: 'Una camioneta' };
    const drawing = { prize, closes: '2026-11-24', draws_at: ready.now, root: 'f00d' };
    const drawings = [{ type: 'truck' as const, entries: 0, open: [drawing] }];
    expect(shownOf({ drawings })).toMatch(/A truck: drawn on <time.+ November 24, 2026\. .+ list: f00d/);
    expect(shownOf({ lang: 'es', drawings })).toMatch(/Una camioneta: se sortea el <time.+ lista: f00d/);
  });

  test.each<[string, Partial<PageView>, string[]]>([
    ['a play', {}, ['sound', 'play', 'countdown', 'noScript', 'odds']],
    [
      'a limit of wins',
      { wins_used_up: 3 },
      ['sound', 'play', 'countdown', 'noScript', 'winsUsedUp', 'odds'],
    ],
    ['a result, and nothing to play', { ...played, wins_used_up: 3 }, ['result', 'odds']],
    ['no refusal without a reason', { state: 'refused' }, ['odds']],
    ['only the reason if the URL has expired', { state: 'expired' }, []],
    ['no odds without prizes', { prizes: [] }, ['sound', 'play', 'countdown', 'noScript']],
  ])('%s', (_, view, expected) => {
    expect(partsOf(shownOf(view))).toEqual(expected);
  });

  test.each(['insufficient_tickets', 'daily_spin_limit_reached', ...holds] as const)(
    'the refusal %s, with a countdown unless it outlasts the URL',
    (code) => {
      const { title, button } = { button: undefined, ...en.refused[code] };
      const html = shownOf({ state: 'refused', restriction: { code } });
      const isLasting = code === 'daily_spin_limit_reached' || code === 'user_frozen';
      const expected = [...(button ? ['play'] : []), ...(isLasting ? [] : ['countdown']), 'refusal', 'odds'];
      expect(partsOf(html)).toEqual(expected);
      expect(html).toContain(`<h2>${title}</h2>`);
    },
  );

  test.each([
    ['en', 'This game costs 5 tickets and you have 1 ticket.'],
    ['es', 'Este juego cuesta 5 boletos y tienes 1 boleto.'],
  ] as const)('what a game costs and what the player has, in %s', (lang, sentence) => {
    const restriction = { code: 'insufficient_tickets' } as const;
    expect(shownOf({ lang, cost: 5, balance: 1, state: 'refused', restriction })).toContain(sentence);
  });

  test('the number of a day’s plays and when plays are possible again', () => {
    const restriction = {
      code: 'daily_spin_limit_reached',
      limit: 1,
      until: '2026-11-26T05:00:00.000Z',
    } as const;
    const html = shownOf({ state: 'refused', restriction });
    expect(partsOf(html)).toContain('until');
    expect(html).toContain('You’ve used your play for today.');
    expect(html).toContain('November 26 at 12:00 AM EST');
  });

  test('the minutes left, rounded up, and the value of prizes', () => {
    const html = shownOf();
    expect(html).toContain('30 minutes left to play');
    expect(html).toContain('Worth $12.50');
    expect(html.match(/<tr class="gone">/g)).toHaveLength(1);
  });
});

describe('the policy allows exactly the page’s own styles and scripts', () => {
  const brand = { brand_accent: '#0a7d4f', brand_background: '#ffffff' };
  test.each([
    ['with colors', { page: pageSettingsIn(brand) }],
    ['without colors', {}],
  ])('%s', (_, view) => {
    const { html, headers } = pageOf(view);
    for (const [tag, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ] as const) {
      const inPage = [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text!);
      const hashes = inPage.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      expect(headers['content-security-policy']).toContain(`${directive} ${hashes.join(' ')};`);
    }
  });

  test('and any website around the page of an unknown URL', () => {
    const { html, headers } = renderPlayPage({
      lang: 'en',
      game: 'prizewheel',
      state: 'unknown',
      now: ready.now,
    });
    expect(headers['content-security-policy']).toMatch(/frame-ancestors https: http:\/\/localhost/);
    expect(html).toContain('id="back" type="button" hidden');
  });
});

test.each([
  [{ brand_accent: '#0a7d4f' }, '--accent:#0a7d4f;--accent-edge:', '--on-page'],
  [{ brand_accent_text: '#123456' }, '--accent-text:', '--accent:#'],
])('the page’s colors %o set only what they concern', (settings, contained, absent) => {
  const [own] = /<style>:root.*?<\/style>/.exec(pageOf({ page: pageSettingsIn(settings) }).html)!;
  expect(own).toContain(contained);
  expect(own).not.toContain(absent);
});

describe('a prize', () => {
  test('is introduced by how large it is, without a line about tickets if it was free', () => {
    const of = (prize: object, cost: number) =>
      shownOf({ ...played, cost, outcome: { ...played.outcome, prize } as never });
    expect(of({ tickets: 1 }, 2)).toContain(`<small>${en.client.won.small} </small>`);
    expect(of({ tickets: 3 }, 2)).toContain(`<small>${en.client.won.other} </small>`);
    const withoutBalance = ({ balance: _, ...view }: PageView) => shown(renderPlayPage(view));
    expect(withoutBalance({ ...ready, ...played, cost: 0 })).not.toContain('class="now"');
    expect(withoutBalance({ ...ready, ...played })).toContain('class="now"');
  });
});

describe('the section about the draw', () => {
  const fairness = { commitment: 'c', server_seed: 's', client_seed: 't', prize_table_version: 'v' };
  const fair = (more: object, prizes: ListedPrize[]) =>
    fairnessMarkup(en, { lang: 'en', commitment: 'c', prizes, fairness: { ...fairness, ...more } as never })
      .html;

  test('counts the prizes that could be won, and the cash that was left', () => {
    const tickets = { ...prizeOf('tickets', 1, 1), available: true };
    const never = { ...prizeOf('tickets', 7, 0), available: true };
    const cashLeft = fair({ budgets: { cash: { granted: 40, grants: 4, limit: 100 } } }, [
      tickets,
      never,
      cash,
    ]);
    expect(cashLeft).toContain('2 of 3');
    expect(cashLeft).toContain('$60');
  });

  test('has no lines without a budget or prizes', () => {
    const names = [en.client.fair.set, en.client.fair.cash, en.client.fair.stock].map(
      (name) => `<dt>${name}</dt>`,
    );
    const [without, all] = [
      fair({}, []),
      fair({ budgets: { stock: { number: 1 }, cash: { granted: 0, grants: 0, limit: 9 } } }, [cash]),
    ];
    expect(names.filter((name) => without.includes(name))).toEqual([]);
    expect(names.filter((name) => all.includes(name))).toEqual(names);
  });
});

test('times and amounts are written as in the page’s language', () => {
  expect(formatTime('es', ready.now, 'America/New_York')).toContain('noviembre');
  expect([formatDollars('es', 12.5), formatDollars('en', 1000)]).toEqual(['$12.50', '$1,000']);
});
