import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { curvePointOfRound } from '../../../shared/drand/drand.ts';
import type { Beacon } from '../../../shared/drand/rounds.ts';

// Secret key of the local beacon. The key may be public, because it protects only test data.
const secretKey = Buffer.alloc(32, 'incentives local beacon');

/** The local stage's beacon. Its first round is in 1970, so that every day has rounds. */
export const localBeacon: Beacon = {
  hash: Buffer.alloc(32, 'incentives local beacon').toString('hex'),
  public_key:
    'afb40f1da9b71ee06c34fff0d8c7673bc9e7ed948147145e774f463852dd470f49025b29b58162f15d9a8ef588d04322' +
    '15431512f113e9df39196e49db1a0da6cc01ad03179ccfdf6d581bb2fc2b862f30a40e26bc14676e637c375e3ac54d31',
  genesis_time: 0,
  period: 3,
};

export function signRound(round: number): string {
  const { sign, Signature } = bls12_381.shortSignatures;
  return Signature.toHex(sign(curvePointOfRound(round), secretKey));
}

const relayPath = /^\/([0-9a-f]{64})\/(?:info|public\/([1-9]\d{0,14}))$/;

export function relayAnswer(path: string): object | undefined {
  const [, hash, round] = relayPath.exec(path) ?? [];
  if (hash !== localBeacon.hash) return undefined;
  if (round === undefined) return infoOf(localBeacon);
  const signature = signRound(Number(round));
  const randomness = createHash('sha256').update(signature, 'hex').digest('hex');
  return { round: Number(round), randomness, signature };
}

const infoOf = ({ hash, public_key, genesis_time, period }: Beacon) => ({
  public_key,
  period,
  genesis_time,
  hash,
  schemeID: 'bls-unchained-g1-rfc9380',
  metadata: { beaconID: 'local' },
});
