import { gzipSync } from 'node:zlib';
import { refusals } from '../refusals.ts';

type Packed = { body: string; isBase64Encoded?: boolean; headers: Record<string, string> };

// Maximum bytes of a body. Lambda limits the escaped response to 6,291,456 bytes, which includes headers.
export const maxResponseBytes = 6_250_000;
/** Bodies shorter than this are not compressed, because compression would save too few bytes. */
const minCompressedBytes = 1024;
// gzip levels. Reports have a lower level: compressing their large pages more would cost more time than the smaller
// transfer saves.
const levels = { page: 6, report: 3 };

const varies = { vary: 'accept-encoding' };

/** Compresses a body with gzip if the client accepts gzip and the body is at least 1 KiB long. */
export function compress(
  body: string,
  acceptEncoding: string | undefined,
  level: number = levels.page,
): Packed {
  if (body.length < minCompressedBytes || !acceptsGzip(acceptEncoding)) return { body, headers: varies };
  return {
    body: gzipSync(body, { level }).toString('base64'),
    isBase64Encoded: true,
    headers: { ...varies, 'content-encoding': 'gzip' },
  };
}

/** Compresses a report's page if the client accepts gzip. Throws a refusal (422) if the page exceeds Lambda's 6 MB. */
export function compressReport(body: string, acceptEncoding: string | undefined): Packed {
  const packed = compress(body, acceptEncoding, levels.report);
  if (bytesOf(packed) <= maxResponseBytes) return packed;
  const advice = packed.isBase64Encoded ? '' : ', or send Accept-Encoding: gzip';
  throw refusals.invalid(`page_size: Response would be larger than 6 MB, ask for a smaller page${advice}`);
}

function bytesOf({ body, isBase64Encoded }: Packed): number {
  // Base64 has one byte per character. Other text has at most three, so a short body fits without exact counting.
  if (isBase64Encoded || body.length <= maxResponseBytes / 4) return body.length;
  return Buffer.byteLength(JSON.stringify(body));
}

/** Returns whether `Accept-Encoding` allows gzip and does not prefer an uncompressed body (RFC 9110, 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = preferenceWeights(acceptEncoding ?? '');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** Parses `Accept-Encoding` or `Accept-Language` to weights. The first of duplicates counts; invalid weights are 0. */
export function preferenceWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice('q='.length) ?? '1';
    if (!weights.has(coding)) weights.set(coding, qvalue.test(weight) ? Number(weight) : 0);
  }
  return weights;
}

const qvalue = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
