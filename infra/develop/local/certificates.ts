/** Issues certificates. Their keys, made from texts, may be public, because they protect only test data. */
import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/asn1-x509';

/** `sign` returns the same ECDSA signature (SHA-256, DER) for the same bytes. */
export type CertifiedKey = {
  name: x509.Name;
  serialNumber: ArrayBuffer;
  certificate: X509Certificate;
  sign: (bytes: Uint8Array) => Uint8Array;
};

export const ecdsaWithSha256 = new x509.AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' });
const commonName = '2.5.4.3';
const forIssuing = { id: x509.id_ce_basicConstraints, value: new x509.BasicConstraints({ cA: true }) };
const forUse = (use: string) => ({ id: x509.id_ce_extKeyUsage, value: new x509.ExtendedKeyUsage([use]) });
const extensions = {
  authority: [forIssuing],
  'authority of servers': [forIssuing, forUse(x509.id_kp_serverAuth)],
  timestamps: [forUse(x509.id_kp_timeStamping)],
  servers: [forUse(x509.id_kp_serverAuth)],
};

export type CertificateOptions = {
  /** If empty, the certificate has no subject. */
  name: string;
  /** The use to which the certificate's extensions limit its key. */
  for: keyof typeof extensions;
  by?: CertifiedKey;
  key?: string;
  from?: string;
  until?: string;
};

export function issueCertificate({
  name,
  for: use,
  by,
  key = name,
  from,
  until,
}: CertificateOptions): CertifiedKey {
  const secret = createHash('sha256').update(key).digest();
  const sign = (bytes: Uint8Array) => p256.sign(bytes, secret, { format: 'der' });
  const subject = nameOf(name);
  const serialNumber = new Uint8Array([
    1,
    ...createHash('sha256').update(`${name} ${key}`).digest().subarray(0, 8),
  ]);
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serialNumber.buffer,
    signature: ecdsaWithSha256,
    issuer: by?.name ?? subject,
    validity: new x509.Validity({
      notBefore: new Date(from ?? '1971-01-01T00:00:00Z'),
      notAfter: new Date(until ?? '2999-12-31T00:00:00Z'),
    }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(publicKeyOf(secret), x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions(
      extensions[use].map(
        ({ id, value }) =>
          new x509.Extension({
            extnID: id,
            critical: true,
            extnValue: new OctetString(AsnConvert.serialize(value)),
          }),
      ),
    ),
  });
  const signature = (by?.sign ?? sign)(new Uint8Array(AsnConvert.serialize(tbsCertificate)));
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: ecdsaWithSha256,
    signatureValue: new Uint8Array(signature).buffer,
  });
  const der = Buffer.from(AsnConvert.serialize(certificate));
  return { name: subject, serialNumber: serialNumber.buffer, certificate: new X509Certificate(der), sign };
}

function nameOf(name: string): x509.Name {
  if (name === '') return new x509.Name([]);
  const value = new x509.AttributeValue({ utf8String: name });
  const attribute = new x509.AttributeTypeAndValue({ type: commonName, value });
  return new x509.Name([new x509.RelativeDistinguishedName([attribute])]);
}

function publicKeyOf(secret: Uint8Array): Buffer {
  const point = Buffer.from(p256.getPublicKey(secret, false));
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  return key.export({ format: 'der', type: 'spki' });
}
