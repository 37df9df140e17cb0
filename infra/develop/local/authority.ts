/** The local stage's timestamp authority (RFC 3161), whose tokens have real signatures. */
import { createHash } from 'node:crypto';
import * as cms from '@peculiar/asn1-cms';
import { AsnConvert, AsnObjectIdentifierConverter, OctetString } from '@peculiar/asn1-schema';
import * as tsp from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';
import { certificateFingerprint } from '../../../shared/timestamps/certificate-path.ts';
import { sha256Oid } from '../../../shared/timestamps/token.ts';
import { type CertifiedKey, ecdsaWithSha256, issueCertificate } from './certificates.ts';

/** A root's certificate, and the authority whose certificate the root signed. */
export type Authority = { root: CertifiedKey; signer: CertifiedKey };

const root = issueCertificate({ name: 'Incentives local timestamp root', for: 'authority' });
export const localAuthority: Authority = {
  root,
  signer: issueCertificate({ name: 'Incentives local timestamps', for: 'timestamps', by: root }),
};
/** Returns the hex SHA-256 of the root's certificate, by which a stage's settings name the root. */
export const rootFingerprint = ({ root }: Authority): string => certificateFingerprint(root.certificate);

/**
 * Answers a timestamp request. The token states the time `at` (epoch milliseconds). Throws if the request is malformed.
 */
export function timestampResponse(
  request: Uint8Array,
  at: number,
  authority = localAuthority,
  { withRoot = true } = {},
): Buffer {
  const { messageImprint, nonce } = AsnConvert.parse(request, tsp.TimeStampReq);
  const token = timestampToken({ messageImprint, at, withRoot, ...(nonce && { nonce }) }, authority);
  const status = new tsp.PKIStatusInfo({ status: tsp.PKIStatus.granted });
  const timeStampToken = AsnConvert.parse(token, tsp.TimeStampToken);
  return Buffer.from(AsnConvert.serialize(new tsp.TimeStampResp({ status, timeStampToken })));
}

type Stated = {
  messageImprint: tsp.MessageImprint;
  at: number;
  /** The stated accuracy of `at`. Default: a second. */
  accuracy?: { seconds?: number; millis?: number; micros?: number };
  nonce?: ArrayBuffer;
  withRoot?: boolean;
};

/** Returns an authority's token in DER that states a time (epoch milliseconds) for a digest. */
export function timestampToken(
  { messageImprint, at, accuracy = { seconds: 1 }, nonce, withRoot = true }: Stated,
  { root, signer }: Authority,
): Uint8Array {
  const info = new tsp.TSTInfo({
    policy: '1.3.6.1.4.1.32473.1',
    messageImprint,
    serialNumber: new Uint8Array([1, ...createHash('sha256').update(`${at}`).digest().subarray(0, 8)]).buffer,
    genTime: new Date(at),
    accuracy: new tsp.Accuracy(accuracy),
    ...(nonce && { nonce }),
  });
  const content = new Uint8Array(AsnConvert.serialize(info));
  const attributes = [
    attribute('1.2.840.113549.1.9.3', AsnObjectIdentifierConverter.toASN(tsp.id_ct_tstInfo).toBER()),
    attribute('1.2.840.113549.1.9.4', octets(sha256(content))),
    attribute('1.2.840.113549.1.9.16.2.47', namedCertificate(signer)),
  ];
  const sha256Algorithm = new AlgorithmIdentifier({ algorithm: sha256Oid });
  const signerInfo = new cms.SignerInfo({
    version: cms.CMSVersion.v1,
    sid: new cms.SignerIdentifier({
      issuerAndSerialNumber: new cms.IssuerAndSerialNumber({
        issuer: root.name,
        serialNumber: signer.serialNumber,
      }),
    }),
    digestAlgorithm: sha256Algorithm,
    signedAttrs: attributes,
    signatureAlgorithm: ecdsaWithSha256,
    signature: new OctetString(signer.sign(setOf(attributes))),
  });
  const signed = new cms.SignedData({
    version: cms.CMSVersion.v3,
    digestAlgorithms: new cms.DigestAlgorithmIdentifiers([sha256Algorithm]),
    encapContentInfo: new cms.EncapsulatedContentInfo({
      eContentType: tsp.id_ct_tstInfo,
      eContent: new cms.EncapsulatedContent({ single: new OctetString(content) }),
    }),
    certificates: new cms.CertificateSet(
      (withRoot ? [signer, root] : [signer]).map(({ certificate }) => choiceOf(certificate.raw)),
    ),
    signerInfos: new cms.SignerInfos([signerInfo]),
  });
  const contentInfo = { contentType: cms.id_signedData, content: AsnConvert.serialize(signed) };
  return new Uint8Array(AsnConvert.serialize(new cms.ContentInfo(contentInfo)));
}

const choiceOf = (raw: Uint8Array) =>
  new cms.CertificateChoices({ certificate: AsnConvert.parse(raw, Certificate) });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const octets = (bytes: Uint8Array) => AsnConvert.serialize(new OctetString(bytes));
const attribute = (attrType: string, value: ArrayBuffer) =>
  new cms.Attribute({ attrType, attrValues: [value] });

/** Returns an attribute's value that names a certificate by its SHA-256 (RFC 5035): three nested sequences. */
function namedCertificate({ certificate }: CertifiedKey): ArrayBuffer {
  const inSequence = (bytes: Uint8Array) => Buffer.from([0x30, bytes.length, ...bytes]);
  const hash = Buffer.from(octets(sha256(certificate.raw)));
  return new Uint8Array(inSequence(inSequence(inSequence(hash)))).buffer;
}

/** DER orders the elements of a set by their bytes: pass the attributes in this order. */
function setOf(attributes: cms.Attribute[]): Uint8Array {
  const bytes = Buffer.concat(attributes.map((one) => Buffer.from(AsnConvert.serialize(one))));
  return Buffer.concat([Buffer.from([0x31, 0x81, bytes.length]), bytes]);
}
