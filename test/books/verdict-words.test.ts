import { expect, test } from 'vitest';
import { localAuthority, rootFingerprint } from '../../infra/develop/local/authority.ts';
import { verdictPage } from '../../infra/verify/page.ts';
import { drawsSection } from '../../infra/verify/page-draws.ts';
import { summaryOf } from '../../infra/verify/summary.ts';
import type { CodeVerdict, DayVerdict, Verdict } from '../../shared/books/check/verdict.ts';
import { isoOf } from '../../shared/time.ts';
import { worldOfOne } from './support/attacks.ts';
import { booksOf, filesOf, keptLine } from './support/books.ts';
import { announce, close, win } from './support/drawings.ts';
import { honestDays } from './support/honest.ts';
import { daysAfter, midnightOf } from './support/plain.ts';
import { timestamped } from './support/timestamps.ts';
import { verified } from './support/verified.ts';
import { act, change, credit, deliver, newWorld, type Rec } from './support/world.ts';

const row = (tag: 'th' | 'td', ...cells: string[]) =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('\n')}</tr>`;
const pays = { kind: 'prize_gift_card', amount: 1, value_usd: 1000, stock: 5, stock_per_day: 2 } as const;
/** Returns the part of the page about draws of two prizes of which only the first was drawn. */
const partFor = ([regular, amoe]: [number, number], more: object = {}) =>
  drawsSection({
    table: 'truck',
    whole: true,
    prizes: [
      { id: 'a', label: 'Truck entry', weight: 3, share: 0.75, pays, regular, amoe },
      { id: 'b', label: 'Nothing', weight: 1, share: 0.25, pays: undefined, regular: 0, amoe: 0 },
    ],
    draws: { regular, amoe },
    ...more,
  }).markup;

test('draws show what each prize pays, its odds and its share of plays and of free spins', () => {
  const part = partFor([8, 0]);
  const paid = '1 prize_gift_card, worth 1000 USD, 5 in stock, 2 a day';
  expect(part).toContain('<h3>truck, all prizes</h3>');
  expect(part).toContain(
    row('th', 'Prize', 'Pays', 'Published odds', 'Plays', 'Share', 'Free spins', 'Share'),
  );
  expect(part).toContain(row('td', 'Truck entry', paid, '75.000%', '8', '100.000%', '0', '–'));
  expect(partFor([8, 0], { whole: false })).toContain('<h3>truck, the 2 prizes still available</h3>');
});

const found = (count: number, listed: number): CodeVerdict => ({
  code: 'balance',
  means: 'A balance is wrong',
  count,
  first: Array.from({ length: listed }, (_, i) => ({
    sentence: `Sentence ${i}.`,
    organization_id: 'org_1',
    day: '2026-01-05',
    file: 'a\u001b[2J.records',
    line: i + 2,
    record: 'txn_1',
  })) as CodeVerdict['first'],
});
const verdict = (fields: Partial<Verdict>): Verdict => ({
  verdict: 'findings',
  days_checked: 1,
  findings: [],
  noticed: [],
  organizations: [],
  ...fields,
});
const books = {
  organization_id: 'org_1',
  days: [{ day: '2026-01-05', isChecked: false, kept_line: 'org_1 2026-01-05 0f' }],
  budgets: [{ budget: 'cash', granted: { usd: 3 } }],
  draws: [],
  actions: [],
  drawings: [],
} as unknown as Verdict['organizations'][number];

test('the summary lists findings with their place, notices and lines to keep, without control characters', () => {
  const noticed = [{ ...found(1, 0), code: 'timestamp_missing' }];
  expect(summaryOf(verdict({ findings: [found(1, 1)], noticed, organizations: [books] }))).toBe(
    [
      'FINDINGS: one day checked.',
      '  balance (1): A balance is wrong',
      '    a\\u001b[2J.records, line 2, txn_1: Sentence 0.',
      '',
      'Limitations and notices:',
      '  timestamp_missing (1): A balance is wrong',
      '',
      'Lines to keep:',
      '  org_1 2026-01-05 0f',
    ].join('\n'),
  );
  const several = summaryOf(verdict({ verdict: 'good', days_checked: 2, findings: [found(5, 2)] }));
  expect(several).toMatch(/^GOOD: 2 days checked, no findings\.\n/);
  expect(several).toContain('\n    and 3 more\n');
});

test('the page lists every change that an operator made, behind however many of a host', async () => {
  const world = newWorld();
  for (let cost = 2; cost < 30; cost++) {
    change(world, { cost_truck: cost }, undefined, { despite_rules: 'Spring' });
    act(world, 'page_changed', { page: { before: {}, after: { brand_name: `brand ${cost}` } } });
    act(world, 'key_created', { key_id: `key ${cost}` });
  }
  const page = verdictPage(await verified(filesOf(booksOf(world))));
  for (let cost = 2; cost < 30; cost++) {
    expect(page).toContain(`&quot;after&quot;:{&quot;cost_truck&quot;:${cost}}`);
    expect(page).toContain(`key ${cost}`);
  }
  expect(page).toContain('&quot;daily_cash_limit_usd&quot;:500');
  expect(page).toContain('brand 21');
  expect(page).not.toContain('brand 22');
  expect(page).toContain('And 8 more changes of the play page.');
});

test('the page and the summary say of each drawing what it was for and how it ended', async () => {
  const { world, user } = worldOfOne();
  credit(world, user, 3, 'truck');
  const called = announce(world);
  act(world, 'drawing_called_off', { drawing: called }, { why: 'A misprint' });
  const terms = announce(world, { value_usd: 45_000.5 });
  close(world, terms, [user]);
  win(world, terms, user.id);
  deliver(world, user, { id: `${terms.drawing_id}:1`, prize: terms.prize } as unknown as Rec);
  const open = announce(world);
  const found = await verified(filesOf(booksOf(world)));
  expect(found.findings).toEqual([]);
  const page = verdictPage(found).replaceAll('\n', ' ');
  const [won, off, left] = [`Won by ${user.id}.`, 'called off, so nobody wins: A misprint', 'list is not in'];
  for (const text of [won, off, left, 'They show whether somebody']) expect(page).toContain(text);
  expect(page).toContain(
    row('td', '1', '1', user.id, 'recorded as delivered on 2026-03-10').replaceAll('\n', ' '),
  );
  expect(page).toMatch(/one prize worth 45,000.5 USD, .+ announced at 2026-03-06T.+made at 2026-03-08T/);
  expect(page.match(/the winners follow from/g)).toHaveLength(2);
  const lines = summaryOf(found)
    .split('\n')
    .filter((line) => line.includes('drw_'));
  expect(lines.map((line) => line.slice(0, 42))).toEqual(
    [called, terms, open].map(({ drawing_id }) => `  ${drawing_id} (A truck)`.slice(0, 42)),
  );
});

test('the page shows no characters that turn the direction of text, so that 100000 does not look like 000001', () => {
  const turned = { ...found(1, 1), first: [{ sentence: 'ana\u{202e}: 100000' }] };
  expect(verdictPage(verdict({ findings: [turned] }))).toContain('ana\\u202e: 100000');
});

test('findings without a file name their day or their organization, and without either nothing', () => {
  const [first] = found(1, 1).first;
  const { file, line, record, day, organization_id, ...rest } = first!;
  const placed = (finding: object) =>
    summaryOf(verdict({ findings: [{ ...found(1, 0), first: [finding] as CodeVerdict['first'] }] }));
  expect(placed({ ...rest, day, organization_id })).toContain('    2026-01-05: Sentence 0.\n');
  expect(placed({ ...rest, organization_id })).toContain('    org_1: Sentence 0.\n');
  expect(placed(rest)).toContain('\n    Sentence 0.\n');
});

test('the verdict and its page state of each day what its book says', async () => {
  const books = booksOf(honestDays());
  const files = timestamped(filesOf(books));
  const result = await verified(files);
  const [{ days } = { days: [] }] = result.organizations;
  const expected = books.days.map(({ day, records }): Required<DayVerdict> => {
    const name = `${books.organizationId}.${day}.book`;
    const { counts, sums, settings } = JSON.parse(files.get(name)!.split('\n')[3]!);
    const stated = { records: records.length, counts, sums, settings };
    const at = isoOf(midnightOf(daysAfter(day, 1)) + 65 * 60_000);
    const timestamp = {
      at,
      authority: 'CN=Incentives local timestamp root',
      fingerprint: rootFingerprint(localAuthority),
    };
    return { day, stage: 'staging', isChecked: true, kept_line: keptLine(files, name), ...stated, timestamp };
  });
  expect(days).toEqual(expected);
  const page = verdictPage(result);
  for (const { day, records, sums, counts, timestamp } of expected) {
    const figures = [records, sums.spins.regular, sums.spins.amoe, sums.spins.debug, counts.actions];
    expect(page).toContain(row('td', day, 'yes', ...figures.map(String), timestamp.at));
  }
});
