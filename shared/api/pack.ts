import { gzipSync } from 'node:zlib';
import { refusals } from '../refusals.ts';

/** The body of a Lambda answer, with the headers that declare its encoding. */
export type Packed = { body: string; isBase64Encoded?: boolean; headers: Record<string, string> };

// Lambda's limit is 6,291,456 bytes of JSON, including escapes and base64. The difference leaves room for
// headers.
const maxBytes = 6_250_000;
/** Bodies below this size are not compressed, because that saves little. */
const minCompressedBytes = 1024;
// gzip levels. For reports, a higher level takes longer than sending the bytes that it saves. For pages,
// level 5 is as fast as level 3 and saves a kilobyte; brotli saves no more in the same time.
const levels = { page: 5, report: 3 };

const varies = { vary: 'accept-encoding' };

/** Compresses a body with gzip if the client accepts gzip and the body has at least 1 KiB. */
export function pack(body: string, acceptEncoding: string | undefined, level: number = levels.page): Packed {
  if (body.length < minCompressedBytes || !acceptsGzip(acceptEncoding)) return { body, headers: varies };
  return {
    body: gzipSync(body, { level }).toString('base64'),
    isBase64Encoded: true,
    headers: { ...varies, 'content-encoding': 'gzip' },
  };
}

/** Compresses a page of a report. Refuses the `page_size` with a 422 if the page exceeds Lambda's limit. */
export function packReport(body: string, acceptEncoding: string | undefined): Packed {
  const packed = pack(body, acceptEncoding, levels.report);
  if (bytesOf(packed) <= maxBytes) return packed;
  const advice = packed.isBase64Encoded ? '' : ', or send Accept-Encoding: gzip';
  throw refusals.invalid(`page_size: Response would be larger than 6 MB, ask for a smaller page${advice}`);
}

function bytesOf({ body, isBase64Encoded }: Packed): number {
  // A character takes at most three bytes, so a short body needs no exact count.
  if (isBase64Encoded || body.length <= maxBytes / 4) return body.length;
  return Buffer.byteLength(JSON.stringify(body));
}

/**
 * Whether a client with this `Accept-Encoding` accepts gzip and does not prefer the plain body (RFC 9110,
 * 12.5.3). Without the header the client gets the plain body.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = weightsOf(acceptEncoding ?? '');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/**
 * Returns the weight of each coding in the header, by lower-case name. If a coding is repeated, the first
 * counts.
 */
function weightsOf(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice('q='.length) ?? '1';
    if (!weights.has(coding)) weights.set(coding, qvalue.test(weight) ? Number(weight) : 0);
  }
  return weights;
}

const qvalue = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
