/** Reads a logo file for the play page and returns it as a data URL. */
import { readFile, stat } from 'node:fs/promises';
import { Problem } from '../../common/problem.ts';

/**
 * Recognizes image types by a file's first bytes. Accepts SVG, because browsers run no scripts in an SVG shown as an
 * image.
 */
const fileSignatures: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  'image/jpeg': (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  'image/webp': (bytes) => /^RIFF[\s\S]{4}WEBP/.test(bytes.subarray(0, 12).toString('latin1')),
  'image/svg+xml': (bytes) => /^(<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<svg[\s>]/.test(bytes.toString()),
};

const typeOf = (bytes: Buffer) => Object.keys(fileSignatures).find((type) => fileSignatures[type]!(bytes));

/** Returns whether a text is a data URL of an image whose bytes match the declared type. */
export function isImageData(text: string): boolean {
  const [, type, data = ''] = /^data:(image\/[a-z+]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  return type !== undefined && typeOf(Buffer.from(data, 'base64')) === type;
}

/** Converts a typed logo to a URL; a file becomes a data URL. Throws a Problem for an unusable file. */
export async function logoTyped(typed: string, maxBytes: number): Promise<string> {
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
  const type = typeOf(bytes);
  if (!type) throw new Problem(`${typed} is not a PNG, JPEG, WebP or SVG image.`);
  return `data:${type};base64,${bytes.toString('base64')}`;
}
