/** Runs verify on files that a test generated. */

import { listedOf } from '../../../shared/books/check/findings.ts';
import { filesAmong } from '../../../shared/books/verify/book-files.ts';
import { type VerifyOptions, verify } from '../../../shared/books/verify/verify.ts';
import { inFolder } from './books.ts';

const defaults: VerifyOptions = {
  kept: [],
  threads: 0,
  threadFile: new URL('../../../infra/verify/standalone.ts', import.meta.url),
};

/** Writes the files to a folder and returns verify's verdict on them. */
export const verified = (files: Map<string, string | Uint8Array>, options: Partial<VerifyOptions> = {}) =>
  inFolder(files, (folder) => verify(filesAmong([folder]), { ...defaults, ...options }));

/** Verifies files. Returns verify's verdict on them, and the numbers of findings and of notices by code. */
export async function codesIn(
  files: Map<string, string | Uint8Array>,
  options: Partial<VerifyOptions> = {},
): Promise<{ verdict: string; found: Record<string, number>; noticed: Record<string, number> }> {
  const { verdict, findings, noticed } = await verified(files, options);
  for (const { code, first, count } of findings) {
    if (first.length !== Math.min(count, listedOf(code))) throw new Error('not all findings are listed');
  }
  const counts = (all: { code: string; count: number }[]) =>
    Object.fromEntries(all.map(({ code, count }) => [code, count]));
  return { verdict, found: counts(findings), noticed: counts(noticed) };
}
