import type { X509Certificate } from 'node:crypto';

export const certificateFingerprint = (certificate: X509Certificate): string =>
  certificate.fingerprint256.replaceAll(':', '').toLowerCase();

export const isValidAt = ({ validFrom, validTo }: X509Certificate, at: number): boolean =>
  Date.parse(validFrom) <= at && at <= Date.parse(validTo);

/**
 * Returns a certificate and those of `others` that vouch for it directly or indirectly: certificates of authorities
 * that were valid at `at` (epoch milliseconds). Checks no revocations, which are not available offline.
 */
export function certificatePathOf(
  certificate: X509Certificate,
  others: readonly X509Certificate[],
  at: number,
): X509Certificate[] {
  const path = [certificate];
  for (const issued of path) {
    const issuers = others.filter(
      (one) => !path.some((known) => known.fingerprint256 === one.fingerprint256),
    );
    path.push(...issuers.filter((issuer) => isValidAt(issuer, at) && isIssuedBy(issued, issuer)));
  }
  return path;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return (
      issuer.ca &&
      mayIssueForTimestamps(issuer) &&
      certificate.checkIssued(issuer) &&
      certificate.verify(issuer.publicKey)
    );
  } catch {
    // `verify` throws if the issuer's key cannot have made the signature.
    return false;
  }
}

const forAnyUse = '2.5.29.37.0';
const forTimestamps = '1.3.6.1.5.5.7.3.8';

/** Node's `keyUsage` is the extended key usage. */
const mayIssueForTimestamps = ({ keyUsage }: X509Certificate): boolean =>
  keyUsage === undefined || keyUsage.includes(forTimestamps) || keyUsage.includes(forAnyUse);
