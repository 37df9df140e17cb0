import { gzipSync } from 'node:zlib';
import { refusals } from '../refusals.ts';

/** Part of a Lambda function's answer: the body, and the headers that say how it is packed. */
export type Packed = { body: string; isBase64Encoded?: boolean; headers?: Record<string, string> };

// Lambda answers at most 6 MB (6,291,456 bytes), as JSON: quotes of a plain body and base64 count. The rest is for headers.
const mostBytes = 6_250_000;
const worthwhileBytes = 1024;
// The step from 1 to higher levels costs more time than the bytes that it saves take on the way.
const level = 3;

const varies = { vary: 'accept-encoding' };

/**
 * Packs a large body for a client, as gzip where it accepts that (from 1 KB on). Throws a 422 on `page_size`
 * where even so it is more than Lambda can answer.
 */
export function pack(body: string, acceptEncoding: string | undefined): Packed {
  if (body.length < worthwhileBytes) return { body, headers: varies };
  if (acceptsGzip(acceptEncoding)) {
    const packed = gzipSync(body, { level }).toString('base64');
    if (packed.length > mostBytes) throw tooLarge('ask for a smaller page');
    return {
      body: packed,
      isBase64Encoded: true,
      headers: { ...varies, 'content-encoding': 'gzip' },
    };
  }
  // A character takes up to three bytes, and two where it has to be escaped.
  if (body.length > mostBytes / 4 && Buffer.byteLength(JSON.stringify(body)) > mostBytes) {
    throw tooLarge('ask for a smaller page, or send Accept-Encoding: gzip');
  }
  return { body, headers: varies };
}

const tooLarge = (advice: string) =>
  refusals.invalid(`page_size: Response would be larger than 6 MB, ${advice}`);

/** Whether an `Accept-Encoding` header names gzip, or anything at all, without the weight 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(acceptEncoding = ''): boolean {
  const weights = acceptEncoding
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/));
  const found = weights.find(([coding]) => coding === 'gzip') ?? weights.find(([coding]) => coding === '*');
  return found !== undefined && Number(found[1] ?? 1) > 0;
}
