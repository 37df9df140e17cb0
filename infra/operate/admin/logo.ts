import { readFile } from 'node:fs/promises';
import { imageTypeOf } from '../../../shared/organizations/logo.ts';
import { Problem } from '../../common/problem.ts';

/** Returns a URL unchanged, and a file as a data URL. Throws a Problem for an unusable file. */
export async function readLogo(typed: string, maxBytes: number): Promise<string> {
  if (/^(https?|data):/i.test(typed)) return typed;
  const bytes = await readFile(typed).catch((error: Error) => {
    throw new Problem(`${typed} can't be read: ${error.message}`);
  });
  if (bytes.length > maxBytes)
    throw new Problem(
      `${typed} has ${bytes.length} bytes. The limit is ${maxBytes}: use a smaller image, or its https URL.`,
    );
  const type = imageTypeOf(bytes);
  if (!type) throw new Problem(`${typed} is not a PNG, JPEG, WebP or SVG image.`);
  return `data:${type};base64,${bytes.toString('base64')}`;
}
