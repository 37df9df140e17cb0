import { gzipSync } from 'node:zlib';
import { refusals } from '../refusals.ts';

/** Part of a Lambda function's answer: the body, and the headers that say how it is packed. */
export type Packed = { body: string; isBase64Encoded?: boolean; headers: Record<string, string> };

// Lambda returns at most 6 MB (6,291,456 bytes), as JSON: quotes of a plain body and base64 count. The rest is for headers.
const mostBytes = 6_250_000;
const worthwhileBytes = 1024;
// Of a report, higher levels cost more time than the bytes that they save take on the way. Of a page, 5 takes as long as
// 3 and saves a kilobyte; brotli that takes no longer saves nothing more.
const levels = { page: 5, report: 3 };

const varies = { vary: 'accept-encoding' };

/** Packs a body for a client: as gzip if the client accepts that and the body has at least 1 KB. */
export function pack(body: string, acceptEncoding: string | undefined, level: number = levels.page): Packed {
  if (body.length < worthwhileBytes || !acceptsGzip(acceptEncoding)) return { body, headers: varies };
  return {
    body: gzipSync(body, { level }).toString('base64'),
    isBase64Encoded: true,
    headers: { ...varies, 'content-encoding': 'gzip' },
  };
}

/** Packs a page of a report. Throws a 422 on `page_size` if even so it is more than Lambda can return. */
export function packReport(body: string, acceptEncoding: string | undefined): Packed {
  const packed = pack(body, acceptEncoding, levels.report);
  if (bytesOf(packed) <= mostBytes) return packed;
  const advice = packed.isBase64Encoded ? '' : ', or send Accept-Encoding: gzip';
  throw refusals.invalid(`page_size: Response would be larger than 6 MB, ask for a smaller page${advice}`);
}

function bytesOf({ body, isBase64Encoded }: Packed): number {
  // A character takes up to three bytes, and two if it has to be escaped: a short body needs no counting.
  if (isBase64Encoded || body.length <= mostBytes / 4) return body.length;
  return Buffer.byteLength(JSON.stringify(body));
}

/**
 * Whether a client that sends this `Accept-Encoding` takes gzip, and would not rather have the body as it is
 * (RFC 9110, 12.5.3). A request without the header takes anything; it gets the body as it is.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const weights = weightsOf(acceptEncoding ?? '');
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** The weight of each coding that the header names, in lower case; of one named twice, the first. */
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
