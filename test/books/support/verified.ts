/** Runs verify on files that a test generated. */

import { listBookFiles } from '../../../shared/books/check/files.ts';
import { type VerifyOptions, verifyBookFiles } from '../../../shared/books/check/verify.ts';
import { inFolder } from './books.ts';

/** Writes the files to a folder and returns verify's verdict on them. */
export const verified = (files: Map<string, string | Uint8Array>, options: Partial<VerifyOptions> = {}) =>
  inFolder(files, (folder) => verifyBookFiles(listBookFiles([folder]), { kept: [], ...options }));

/** Verifies files. Returns verify's verdict on them, and the numbers of findings and of notices by code. */
export async function codesIn(
  files: Map<string, string | Uint8Array>,
  options: Partial<VerifyOptions> = {},
): Promise<{ verdict: string; found: Record<string, number>; noticed: Record<string, number> }> {
  const { verdict, findings, noticed } = await verified(files, options);
  const counts = (all: { code: string; count: number }[]) =>
    Object.fromEntries(all.map(({ code, count }) => [code, count]));
  return { verdict, found: counts(findings), noticed: counts(noticed) };
}
