/** Times of a beacon's rounds. Does not import the elliptic curve of `drand.ts`, which few functions bundle. */

/** `genesis_time` is in epoch seconds, `period` in seconds; `public_key` is in hex. */
export type BeaconParameters = { public_key: string; genesis_time: number; period: number };
/** `hash`, in hex, names the beacon at relays. */
export type Beacon = BeaconParameters & { hash: string };
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
export function firstRoundAt({ genesis_time, period }: BeaconParameters, epochMs: number): number {
  return Math.max(1, Math.ceil((epochMs / 1000 - genesis_time) / period) + 1);
}

/** Returns the time of a beacon's round in epoch milliseconds. */
export const timeOfRound = ({ genesis_time, period }: BeaconParameters, round: number): number =>
  (genesis_time + (round - 1) * period) * 1000;
