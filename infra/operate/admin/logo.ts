import { readFile, stat } from 'node:fs/promises';
import { imageTypeOf } from '../../../shared/organizations/logo.ts';
import { Problem } from '../../common/problem.ts';

/** Returns a URL unchanged, and a file as a data URL. Throws a Problem for an unusable file. */
export async function readLogo(typed: string, maxBytes: number): Promise<string> {
  if (/^(https?|data):/i.test(typed)) return typed;
  const size = await stat(typed).then(
    ({ size }) => size,
    (error: Error) => {
      throw new Problem(`${typed} can't be read: ${error.message}`);
    },
  );
  if (size > maxBytes) {
    throw new Problem(
      `${typed} has ${size} bytes. The limit is ${maxBytes}: use a smaller image, or its https URL.`,
    );
  }
  const bytes = await readFile(typed);
  const type = imageTypeOf(bytes);
  if (!type) throw new Problem(`${typed} is not a PNG, JPEG, WebP or SVG image.`);
  return `data:${type};base64,${bytes.toString('base64')}`;
}
