import { expect, test } from 'vitest';
import { formatCsv, reportColumnsOf } from '../../../../../infra/operate/admin/report/csv.ts';

test('rows are CSV with a header, CRLF line ends, and empty cells for missing values', () => {
  const rows = [
    { a: 'x', b: 1, c: true },
    { a: null, c: 'y' },
  ];
  expect(formatCsv(['a', 'b', 'c'], rows)).toBe('a,b,c\r\nx,1,true\r\n,,y\r\n');
  expect(formatCsv(['a', 'b'], [])).toBe('a,b\r\n');
});

test('commas, quotes and line ends are quoted', () => {
  const text = ['a,b', 'say "a"', 'a\r\nb', 'a\nb', ' a '].map((a) => formatCsv(['a'], [{ a }]).slice(3, -2));
  expect(text).toEqual(['"a,b"', '"say ""a"""', '"a\r\nb"', '"a\nb"', ' a ']);
});

test.each([' ', '\u00a0', '\u3000', '\u200b', '\u2060', '\ufeff', '\u202e', '\n', '\u0000', ' \t\u00a0 '])(
  'text that a spreadsheet trims to a formula is escaped: %j',
  (start) => {
    for (const formula of ['=1+1', '+1', '-1', '@a', '＝1+1', '＋1', '－1', '＠a']) {
      expect(formatCsv(['a'], [{ a: start + formula }])).toContain(`'${start}${formula}`);
    }
    expect(formatCsv(['a'], [{ a: `${start}a=1` }])).not.toContain("'");
  },
);

test('text that looks like a formula is escaped, and numbers stay numbers', () => {
  const cells = ['=1+1', '+1', '-1', '@a', '\t=1', '=a,"b"', -1, 'a=1'];
  const text = cells.map((a) => formatCsv(['a'], [{ a }]).slice(3, -2));
  expect(text).toEqual(["'=1+1", "'+1", "'-1", "'@a", "'\t=1", '"\'=a,""b"""', '-1', 'a=1']);
});

test('a time has a second column in New York time, which is empty without a time', () => {
  const rows = ['2026-01-01T04:59:59.999Z', '2026-07-01T04:00:00.000Z', null].map((won_at) => ({ won_at }));
  expect(formatCsv(['won_at'], rows).split('\r\n')).toEqual([
    'won_at,won_at_new_york',
    '2026-01-01T04:59:59.999Z,2025-12-31 23:59:59',
    '2026-07-01T04:00:00.000Z,2026-07-01 00:00:00',
    ',',
    '',
  ]);
});

test("each row has the report's days, and whether they are complete", () => {
  const head = { organization_id: 'org_1', complete: false };
  const stamps = [{ from: '2026-01-01', to: '2026-01-31' }, { day: '2026-01-02' }, { year: 2026 }].map((of) =>
    formatCsv(['a'], [{ a: 1 }], reportColumnsOf({ ...head, ...of })),
  );
  expect(stamps).toEqual(
    ['2026-01-01,2026-01-31', '2026-01-02,2026-01-02', '2026-01-01,2026-12-31'].map(
      (days) => `a,organization_id,report_from,report_to,report_complete\r\n1,org_1,${days},false\r\n`,
    ),
  );
});
