import { gzipSync } from 'node:zlib';
import { refusals } from '../refusals.ts';

/** The body of a Lambda answer and the headers of its encoding. */
export type Packed = { body: string; isBase64Encoded?: boolean; headers: Record<string, string> };

// Lambda returns at most 6,291,456 bytes of JSON, including escapes and base64. The rest is left for headers.
const mostBytes = 6_250_000;
const worthwhileBytes = 1024;
// For reports, higher levels take longer than sending the bytes that they save. For pages, level 5 takes as long as
// level 3 and saves a kilobyte; brotli in the same time saves no more.
const levels = { page: 5, report: 3 };

const varies = { vary: 'accept-encoding' };

/** Compresses a body with gzip if the client accepts it and the body has at least 1 KB. */
export function pack(body: string, acceptEncoding: string | undefined, level: number = levels.page): Packed {
  if (body.length < worthwhileBytes || !acceptsGzip(acceptEncoding)) return { body, headers: varies };
  return {
    body: gzipSync(body, { level }).toString('base64'),
    isBase64Encoded: true,
    headers: { ...varies, 'content-encoding': 'gzip' },
  };
}

/** Compresses a page of a report. Throws a 422 on `page_size` if the result is more than Lambda can return. */
export function packReport(body: string, acceptEncoding: string | undefined): Packed {
  const packed = pack(body, acceptEncoding, levels.report);
  if (bytesOf(packed) <= mostBytes) return packed;
  const advice = packed.isBase64Encoded ? '' : ', or send Accept-Encoding: gzip';
  throw refusals.invalid(`page_size: Response would be larger than 6 MB, ask for a smaller page${advice}`);
}

function bytesOf({ body, isBase64Encoded }: Packed): number {
  // A character takes at most three bytes, so a short body needs no exact count.
  if (isBase64Encoded || body.length <= mostBytes / 4) return body.length;
  return Buffer.byteLength(JSON.stringify(body));
}

/**
 * Whether a client with this `Accept-Encoding` accepts gzip and does not prefer the plain body (RFC 9110, 12.5.3).
 * Without the header the client gets the plain body.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = weightsOf(acceptEncoding ?? '');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** Returns the weight of each coding in the header, in lower case. The first mention of a coding counts. */
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
