import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { OctetString } from '@peculiar/asn1-schema';
import { MessageImprint } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import {
  type Authority,
  localAuthority,
  rootFingerprint,
  timestampResponse,
  timestampToken,
} from '../../infra/develop/local/authority.ts';
import { type CertificateOptions, issueCertificate } from '../../infra/develop/local/certificates.ts';
import type { TimestampAuthority } from '../../shared/stage-authorities.ts';
import { sha256Oid } from '../../shared/timestamps/token.ts';
import { serve } from './serve.ts';

export const sha256 = (text: string | Uint8Array): Buffer => createHash('sha256').update(text).digest();

/** Returns an authority whose keys follow from `name`. Its certificates have the local authority's names by default. */
export function authorityOf(name: string, signer: Partial<CertificateOptions> = {}): Authority {
  const root = issueCertificate({
    name: 'Incentives local timestamp root',
    for: 'authority',
    key: `root ${name}`,
  });
  const usual = { name: 'Incentives local timestamps', for: 'timestamps', key: name, by: root } as const;
  return { root, signer: issueCertificate({ ...usual, ...signer }) };
}

/** Returns an authority's token (DER) for the SHA-256 of a text. */
export const tokenFor = (
  text: string | Uint8Array,
  ...more: Parameters<typeof tokenForDigest> extends [unknown, ...infer Rest] ? Rest : never
): Uint8Array => tokenForDigest(sha256(text), ...more);

/** Returns an authority's token (DER) for a SHA-256 digest. */
export function tokenForDigest(
  digest: Uint8Array,
  at: number,
  authority = localAuthority,
  stated: Pick<Parameters<typeof timestampToken>[0], 'withRoot' | 'accuracy'> = {},
): Uint8Array {
  const hashAlgorithm = new AlgorithmIdentifier({ algorithm: sha256Oid, parameters: null });
  const hashedMessage = new OctetString(digest);
  return timestampToken(
    { messageImprint: new MessageImprint({ hashAlgorithm, hashedMessage }), at, ...stated },
    authority,
  );
}

export type AuthorityBehaviour = (request: Buffer, response: ServerResponse) => void;

/** Answers like the local authority at the present time. */
export const honest: AuthorityBehaviour = (request, response) =>
  void response.end(timestampResponse(request, Date.now()));

/** Starts an authority on a free local port. `setting` is its entry in a stage's settings. */
export async function startAuthority(behave: AuthorityBehaviour = honest) {
  const requests: { body: Buffer; type: string | undefined }[] = [];
  const { url, close } = await serve(async (request, response) => {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    requests.push({ body, type: request.headers['content-type'] });
    behave(body, response);
  });
  const setting: TimestampAuthority = { url: `${url}/`, root: rootFingerprint(localAuthority) };
  return { setting, requests, close };
}
