import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';

/** `genesis_time` is in epoch seconds, `period` in seconds; `hash` and `public_key` are in hex. */
export type Beacon = { hash: string; public_key: string; genesis_time: number; period: number };
export type StageBeacon = Beacon & { relays: string[] };

/** The public drand beacon `quicknet` of the League of Entropy, which publishes a round every three seconds. */
export const quicknet: Beacon = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  public_key:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451' +
    '0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesis_time: 1692803367,
  period: 3,
};

/** Returns the number of a beacon's first round at or after `epochMs` (epoch milliseconds). */
export function roundAt({ genesis_time, period }: Beacon, epochMs: number): number {
  return Math.max(1, Math.ceil((epochMs / 1000 - genesis_time) / period) + 1);
}

/** Returns the time of a beacon's round in epoch milliseconds. */
export const timeOfRound = ({ genesis_time, period }: Beacon, round: number): number =>
  (genesis_time + (round - 1) * period) * 1000;

const signatures = bls12_381.shortSignatures;
const domain = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';

/** Returns the elliptic-curve point (BLS12-381) that a round's signature signs. */
export function pointOfRound(round: number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(round));
  return signatures.hash(createHash('sha256').update(bytes).digest(), domain);
}

const isSignature = (text: string) => /^[0-9a-f]{96}$/.test(text);

// Caches verified rounds, because verifying a round takes 10 ms and all organizations' books contain the same rounds.
const verified = new Map<string, string>();
const maxVerified = 1000;

/** Returns a round's randomness (32 bytes in hex), or undefined if the signature is invalid. */
export function randomnessOf(beacon: Beacon, round: number, signature: string): string | undefined {
  const key = `${beacon.public_key} ${round} ${signature}`;
  const randomness = verified.get(key) ?? verifiedRandomness(beacon, round, signature);
  if (randomness !== undefined && verified.size < maxVerified) verified.set(key, randomness);
  return randomness;
}

function verifiedRandomness({ public_key }: Beacon, round: number, signature: string): string | undefined {
  if (!isSignature(signature)) return undefined;
  const bytes = Buffer.from(signature, 'hex');
  try {
    const isSigned = signatures.verify(bytes, pointOfRound(round), Buffer.from(public_key, 'hex'));
    return isSigned ? createHash('sha256').update(bytes).digest('hex') : undefined;
  } catch {
    // `verify` throws if the signature is not a point in the group G1 of BLS12-381.
    return undefined;
  }
}
