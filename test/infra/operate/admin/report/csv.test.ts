import { expect, test } from 'vitest';
import { csvOf } from '../../../../../infra/operate/admin/report/csv.ts';

test('rows are CSV with a header, each line ended by CRLF, and an empty cell for nothing', () => {
  const rows = [
    { a: 'x', b: 1, c: true },
    { a: null, c: 'y' },
  ];
  expect(csvOf(['a', 'b', 'c'], rows)).toBe('a,b,c\r\nx,1,true\r\n,,y\r\n');
  expect(csvOf(['a', 'b'], [])).toBe('a,b\r\n');
});

test('commas, quotes and line ends are quoted', () => {
  const text = ['a,b', 'say "a"', 'a\r\nb', 'a\nb', ' a '].map((a) => csvOf(['a'], [{ a }]).slice(3, -2));
  expect(text).toEqual(['"a,b"', '"say ""a"""', '"a\r\nb"', '"a\nb"', ' a ']);
});

test('what a spreadsheet would take for a formula is made a text, and numbers stay numbers', () => {
  const cells = ['=1+1', '+1', '-1', '@a', '\t=1', '=a,"b"', -1, 'a=1'];
  const text = cells.map((a) => csvOf(['a'], [{ a }]).slice(3, -2));
  expect(text).toEqual(["'=1+1", "'+1", "'-1", "'@a", "'\t=1", '"\'=a,""b"""', '-1', 'a=1']);
});
