import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { BeaconParameters } from './rounds.ts';

const signatures = bls12_381.shortSignatures;
const domain = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';

/** Returns the elliptic-curve point (BLS12-381) that a round's signature signs. */
export function curvePointOfRound(round: number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(round));
  return signatures.hash(createHash('sha256').update(bytes).digest(), domain);
}

const isSignature = (text: string) => /^[0-9a-f]{96}$/.test(text);

// Caches verified rounds, because verifying a round takes 10 ms and all organizations' books contain the same rounds.
const verified = new Map<string, string>();
const maxVerified = 1000;

/** Returns a round's randomness (32 bytes in hex), or undefined if the signature is invalid. */
export function randomnessOf(beacon: BeaconParameters, round: number, signature: string): string | undefined {
  const key = `${beacon.public_key} ${round} ${signature}`;
  const randomness = verified.get(key) ?? verifiedRandomness(beacon, round, signature);
  if (randomness !== undefined && verified.size < maxVerified) verified.set(key, randomness);
  return randomness;
}

function verifiedRandomness(
  { public_key }: BeaconParameters,
  round: number,
  signature: string,
): string | undefined {
  if (!isSignature(signature)) return undefined;
  const bytes = Buffer.from(signature, 'hex');
  try {
    const isSigned = signatures.verify(bytes, curvePointOfRound(round), Buffer.from(public_key, 'hex'));
    return isSigned ? createHash('sha256').update(bytes).digest('hex') : undefined;
  } catch {
    // `verify` throws if the signature is not a point in the group G1 of BLS12-381.
    return undefined;
  }
}
