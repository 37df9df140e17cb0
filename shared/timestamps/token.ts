/** Reads and checks timestamps of RFC 3161: an authority's signed statement that it saw a digest at a time. */
import { createHash, verify, X509Certificate } from 'node:crypto';
import { Attribute, ContentInfo, id_signedData, SignedData, SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert, AsnObjectIdentifierConverter, OctetString } from '@peculiar/asn1-schema';
import { id_ct_tstInfo, TSTInfo } from '@peculiar/asn1-tsp';
import { Certificate, ExtendedKeyUsage, id_ce_extKeyUsage, id_kp_timeStamping } from '@peculiar/asn1-x509';
import { type Constructed, fromBER } from 'asn1js';
import { certificateFingerprint, certificatePathOf, isValidAt } from './certificate-path.ts';
import { maxTimestampTokenBytes } from './timestamp.ts';

/** `at` is in epoch milliseconds. */
export type CheckedTimestamp = {
  at: number;
  /** The number that the request contained, in hex without leading zeros. Empty without one. */
  nonce: string;
  path: X509Certificate[];
};

export class BadTimestamp extends Error {
  override name = 'BadTimestamp';
}

export const sha256Oid = '2.16.840.1.101.3.4.2.1';
const hashes: Record<string, string> = {
  [sha256Oid]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** For `rsaEncryption`, the hash is the signer's digest algorithm. */
const signatureHashes: Record<string, string | undefined> = {
  '1.2.840.113549.1.1.1': undefined,
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};
const attributeIds = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  // The SHA-1 of the signer's certificate, and in the second version its SHA-256 or another hash.
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
};

/** Maximum milliseconds by which a timestamp's time may be wrong. */
const maxAccuracyMs = 10_000;

/** Checks that a token is an authority's timestamp of `digest` (SHA-256). Throws BadTimestamp if it is not. */
export function checkTimestampToken(
  token: Uint8Array,
  digest: Uint8Array,
  others: readonly Uint8Array[] = [],
): CheckedTimestamp {
  try {
    return checked(token, digest, others);
  } catch (error) {
    if (error instanceof BadTimestamp) throw error;
    // Anybody can craft a token, and Node's and the parsers' functions throw many kinds of errors.
    throw new BadTimestamp('the token cannot be checked');
  }
}

function checked(token: Uint8Array, digest: Uint8Array, others: readonly Uint8Array[]): CheckedTimestamp {
  if (token.length > maxTimestampTokenBytes) throw new BadTimestamp('the token is too long');
  const { content, info, certificates, signer } = parsed(token);
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  if (hashAlgorithm.algorithm !== sha256Oid || !isSame(hashedMessage.buffer, digest))
    throw new BadTimestamp('the token is a timestamp of another text');
  const { seconds = 0, millis = 0, micros = 0 } = info.accuracy ?? {};
  const accuracyMs = seconds * 1000 + millis + micros / 1000;
  if (accuracyMs > maxAccuracyMs) throw new BadTimestamp(`the time is accurate to ${accuracyMs} ms only`);
  const at = info.genTime.getTime();
  checkContent(signer, content);
  const isSigner = (one: X509Certificate) =>
    isForTimestamps(one) && isNamed(one, signer) && isSignature(one, signer);
  const certificate = certificates.find(isSigner);
  if (!certificate) throw new BadTimestamp('the token is not signed by an authority for timestamps in it');
  if (!isValidAt(certificate, at))
    throw new BadTimestamp('the signer’s certificate was not valid at the time');
  const path = certificatePathOf(certificate, [...certificates, ...others.map(certificateIn)], at);
  const nonce = info.nonce
    ? Buffer.from(info.nonce)
        .toString('hex')
        .replace(/^(00)+/, '')
    : '';
  return { at, nonce, path };
}

export const certificateOf = ({ path }: CheckedTimestamp, fingerprint: string): X509Certificate | undefined =>
  path.find((one) => certificateFingerprint(one) === fingerprint);

function parsed(token: Uint8Array) {
  try {
    const { contentType, content: inner } = AsnConvert.parse(token, ContentInfo);
    const signed = AsnConvert.parse(inner, SignedData);
    const { eContentType, eContent } = signed.encapContentInfo;
    const content = eContent?.single?.buffer;
    if (contentType === id_signedData && eContentType === id_ct_tstInfo && content)
      return { content, info: AsnConvert.parse(content, TSTInfo), ...signedPartsOf(inner) };
  } catch (error) {
    // Parsing throws errors of several kinds for malformed input.
    if (error instanceof BadTimestamp) throw error;
  }
  throw new BadTimestamp('the token does not have the form of RFC 3161');
}

/** `bytes` are the exact bytes that the signature covers, and `attributes` are what they contain. */
type Signer = { info: SignerInfo; bytes: Uint8Array; attributes: Attribute[] };

/** Returns the certificates and the only signer of signed data, whose parts must be where RFC 5652 puts them. */
function signedPartsOf(signed: ArrayBuffer): { certificates: X509Certificate[]; signer: Signer } {
  const [, , , ...parts] = partsOf(fromBER(signed).result as Constructed);
  const certificates = parts.find(isTagged);
  const signers = parts.filter(({ idBlock }) => idBlock.tagClass === 1);
  if (!certificates || signers.length !== 1 || signers[0] !== parts.at(-1))
    throw new BadTimestamp('the signed data has other parts than RFC 5652 allows');
  const [one, ...more] = partsOf(signers[0]!);
  if (!one || more.length > 0) throw new BadTimestamp('the token must have one signature');
  return {
    certificates: partsOf(certificates).map((each) => certificateIn(each.valueBeforeDecodeView)),
    signer: signerIn(one),
  };
}

function signerIn(signer: Constructed): Signer {
  // Takes the fourth part instead of the first one with this tag, because the signer's identifier can have the tag too.
  const part = partsOf(signer)[3];
  if (!part || !isTagged(part)) throw new BadTimestamp('the signer has no signed attributes');
  const bytes = Buffer.from(part.valueBeforeDecodeView);
  // The signature covers the attributes with the tag of a set, instead of their tag in the token (RFC 5652, 5.4).
  bytes[0] = 0x31;
  // Reads the attributes from these bytes only: bytes that the signature does not cover could contain others.
  const attributes = partsOf(fromBER(bytes).result as Constructed).map((attribute) =>
    AsnConvert.parse(attribute.valueBeforeDecodeView, Attribute),
  );
  return { info: AsnConvert.parse(signer.valueBeforeDecodeView, SignerInfo), bytes, attributes };
}

const partsOf = ({ valueBlock }: Constructed) => valueBlock.value as Constructed[];

const isTagged = ({ idBlock }: Constructed) =>
  idBlock.tagClass === 3 && idBlock.tagNumber === 0 && idBlock.isConstructed;

function certificateIn(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw new BadTimestamp('a certificate is malformed');
  }
}

function checkContent({ info, attributes }: Signer, content: ArrayBuffer): void {
  const { algorithm } = info.digestAlgorithm;
  const hash = hashes[algorithm];
  if (!hash) throw new BadTimestamp(`the signature’s digest is ${algorithm}`);
  const type = attributeIn(attributes, attributeIds.contentType);
  const digest = attributeIn(attributes, attributeIds.messageDigest);
  const hashed = createHash(hash).update(new Uint8Array(content)).digest();
  if (!isSame(type, idBytes(id_ct_tstInfo)) || !isSame(digest, octets(hashed)))
    throw new BadTimestamp('the signature is of another content');
}

/** Returns an attribute's value, empty if it is missing, repeated, or has several values (RFC 5652, 11). */
function attributeIn(attributes: readonly Attribute[], id: string): ArrayBuffer {
  const found = attributes.filter(({ attrType }) => attrType === id);
  const [value, another] = found.length === 1 ? found[0]!.attrValues : [];
  return value && !another ? value : new ArrayBuffer(0);
}

/** Returns whether a signed attribute names the certificate, so that no other one with the same key can replace it. */
function isNamed({ raw }: X509Certificate, { attributes }: Signer): boolean {
  const { signingCertificate, signingCertificateV2 } = attributeIds;
  const names = (id: string, hash: string) =>
    Buffer.from(attributeIn(attributes, id)).includes(createHash(hash).update(raw).digest());
  return (
    names(signingCertificate, 'sha1') ||
    Object.values(hashes).some((hash) => names(signingCertificateV2, hash))
  );
}

/** Returns whether a certificate may sign timestamps and nothing else (RFC 3161, 2.3). */
function isForTimestamps({ raw }: X509Certificate): boolean {
  try {
    const { extensions } = AsnConvert.parse(raw, Certificate).tbsCertificate;
    const usage = extensions?.find(({ extnID }) => extnID === id_ce_extKeyUsage);
    if (!usage?.critical) return false;
    return [...AsnConvert.parse(usage.extnValue, ExtendedKeyUsage)].join() === id_kp_timeStamping;
  } catch {
    // `AsnConvert` throws for malformed extensions, with which OpenSSL reads a certificate nevertheless.
    return false;
  }
}

function isSignature(certificate: X509Certificate, { info, bytes }: Signer): boolean {
  const { signatureAlgorithm, digestAlgorithm, signature } = info;
  const { algorithm } = signatureAlgorithm;
  if (!(algorithm in signatureHashes)) throw new BadTimestamp(`the signature’s algorithm is ${algorithm}`);
  const hash = signatureHashes[algorithm] ?? hashes[digestAlgorithm.algorithm]!;
  try {
    return verify(hash, bytes, certificate.publicKey, new Uint8Array(signature.buffer));
  } catch {
    // The getter `publicKey` throws for unknown algorithms, and `verify` if the key cannot have made the signature.
    return false;
  }
}

const octets = (bytes: Uint8Array) => AsnConvert.serialize(new OctetString(bytes));
const idBytes = (id: string) => AsnObjectIdentifierConverter.toASN(id).toBER();

const isSame = (a: ArrayBuffer | Uint8Array, b: ArrayBuffer | Uint8Array): boolean =>
  Buffer.from(a as ArrayBuffer).equals(Buffer.from(b as ArrayBuffer));
