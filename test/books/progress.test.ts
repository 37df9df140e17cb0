import { expect, test } from 'vitest';
import { progressBar } from '../../infra/verify/progress.ts';

function shownOn(isTTY: boolean, shares: number[]): string[] {
  const written: string[] = [];
  const bar = progressBar({ isTTY, write: (text) => written.push(text) });
  for (const share of shares) bar.show(share);
  bar.end();
  return written;
}

test('a terminal shows the progress once per percent, and clears it at the end', () => {
  const written = shownOn(true, [0, 0.5, 0.503, 1, 1.2]);
  const bar = (full: number) => `\r[${'#'.repeat(full)}${' '.repeat(40 - full)}]`;
  expect(written.slice(0, 3)).toEqual([`${bar(0)} 0%`, `${bar(20)} 50%`, `${bar(40)} 100%`]);
  expect(written[3]).toMatch(/^\r {47}\r$/);
  expect(written).toHaveLength(4);
});

test('a stream that is not a terminal shows no progress', () =>
  expect(shownOn(false, [0, 0.5, 1])).toEqual([]));
