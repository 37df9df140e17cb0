/** Asks authorities for timestamps. Checks each token, because an authority can answer wrongly. */
import { randomBytes, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, PKIStatus, TimeStampReq, TimeStampResp } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { fetchBoundedBody } from '../bounded-request.ts';
import { log } from '../log.ts';
import type { TimestampAuthority } from '../stage-authorities.ts';
import { isoOf } from '../time.ts';
import { certificateFingerprint } from './certificate-path.ts';
import { maxTimestampTokenBytes, type Timestamp } from './timestamp.ts';
import { BadTimestamp, certificateOf, checkTimestampToken, sha256Oid } from './token.ts';

/** `answerMs` are milliseconds for a complete response. `roots` are root certificates (PEM) that tokens may lack. */
type AskOptions = { answerMs?: number; roots?: readonly string[] };
const usualAnswerMs = 10_000;
/** An authority's clock and this machine's clock may differ by at most this many milliseconds. */
const maxClockErrorMs = 300_000;
/** An authority that failed this often is not asked again by the same asker, because each failure can take 10 s. */
const maxFailures = 3;

/** Returns a timestamp of a SHA-256 digest, if an authority gave one. Times are in epoch milliseconds. */
export type AskForTimestamp = (
  digest: Uint8Array,
  now: number,
  earliest?: number,
) => Promise<Timestamp | undefined>;

export function createTimestampAsker(
  authorities: readonly TimestampAuthority[],
  { answerMs = usualAnswerMs, roots = rootCertificates }: AskOptions = {},
): AskForTimestamp {
  const failures = new Map<TimestampAuthority, number>();
  return async (digest, now, earliest = 0) => {
    for (const authority of authorities) {
      const failed = failures.get(authority) ?? 0;
      if (failed >= maxFailures) continue;
      try {
        return await askAuthority(authority, digest, { now, earliest }, { answerMs, roots });
      } catch (error) {
        failures.set(authority, failed + 1);
        const reason = error instanceof Error ? error.message : String(error);
        log.warn('a timestamp authority gave no timestamp', { url: authority.url, reason });
      }
    }
    return undefined;
  };
}

async function askAuthority(
  { url, root }: TimestampAuthority,
  digest: Uint8Array,
  { now, earliest }: { now: number; earliest: number },
  { answerMs, roots }: Required<AskOptions>,
): Promise<Timestamp> {
  const nonce = randomBytes(8);
  // A first bit of 1 would make the number negative, and leading zeros would be dropped.
  nonce[0] = (nonce[0]! & 0x3f) | 0x40;
  const body = await fetchBoundedBody(new URL(url), {
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: timestampRequest(digest, nonce),
    answerMs,
    maxBytes: 2 * maxTimestampTokenBytes,
  });
  const token = parseTimestampResponse(body);
  const checked = checkTimestampToken(token, digest, inRoots(roots, root));
  if (checked.nonce !== nonce.toString('hex')) throw new BadTimestamp('the token is of another request');
  if (Math.abs(checked.at - now) > maxClockErrorMs)
    throw new BadTimestamp(`the token’s time is ${isoOf(checked.at)}`);
  if (checked.at < earliest)
    throw new BadTimestamp(`the token’s time is ${isoOf(checked.at)}, before ${isoOf(earliest)}`);
  const certificate = certificateOf(checked, root);
  if (!certificate) throw new BadTimestamp(`the token does not lead to the certificate ${root}`);
  return { token, root: certificate.raw };
}

/** Returns a request for a timestamp of `digest` (SHA-256), in DER. */
export const timestampRequest = (digest: Uint8Array, nonce: Uint8Array): Uint8Array =>
  new Uint8Array(
    AsnConvert.serialize(
      new TimeStampReq({
        messageImprint: new MessageImprint({
          hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha256Oid, parameters: null }),
          hashedMessage: new OctetString(digest),
        }),
        nonce: new Uint8Array(nonce).buffer,
        certReq: true,
      }),
    ),
  );

/** Returns the token in an authority's response. Throws BadTimestamp if there is none. */
export function parseTimestampResponse(body: Buffer): Uint8Array {
  const response = parsed(body);
  const { status, statusString } = response.status;
  const isGranted = status === PKIStatus.granted || status === PKIStatus.grantedWithMods;
  if (isGranted && response.timeStampToken)
    return new Uint8Array(AsnConvert.serialize(response.timeStampToken));
  const reason = [...(statusString ?? [])].join(' ').slice(0, 200);
  throw new BadTimestamp(`status ${PKIStatus[status]}${reason && `: ${reason}`}`);
}

function parsed(body: Buffer): TimeStampResp {
  try {
    return AsnConvert.parse(body, TimeStampResp);
  } catch {
    throw new BadTimestamp('the response does not have the form of RFC 3161');
  }
}

const inRoots = (roots: readonly string[], fingerprint: string): Uint8Array[] =>
  roots
    .map((pem) => new X509Certificate(pem))
    .filter((one) => certificateFingerprint(one) === fingerprint)
    .map(({ raw }) => raw);
