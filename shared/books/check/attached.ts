/** Checks the data attached to a book: beacon rounds, secrets of earlier days, and prize tables. */
import { quicknet, randomnessOf, timeOfRound } from '../../amoe/drand.ts';
import { canonicalJson } from '../../ids.ts';
import type { Beacon } from '../../stage-beacon.ts';
import type { Book, RecordsHead } from '../book.ts';
import type { RecordSums } from '../sums.ts';
import type { Common } from './books.ts';
import type { Report } from './findings.ts';

/** A day's beacon rounds with valid signatures, by round number. `randomness` is in hex. */
export type SignedRounds = Record<string, { beacon: Beacon; randomness: string }>;

/** The rounds with valid signatures of all given days, by drand chain. */
export type UsedRounds = Map<string, { beacon: Beacon; rounds: Set<number> }>;

/**
 * Maximum number of rounds to verify per beacon and day, because each takes 10 ms. An honest service uses only a few.
 */
const maxRounds = 1000;

/** Upper bound of a round's time. No beacon has signed a later round, and JavaScript's dates end in the year 275760. */
const maxRoundTime = Date.parse('9999-12-31');

/**
 * Checks the beacons and their rounds in a day's records file. Returns the rounds whose signatures are valid, and adds
 * them to `used`.
 */
export function checkBeacons(
  { header }: Book,
  head: RecordsHead,
  { beacons }: Common,
  used: UsedRounds,
  report: Report,
): SignedRounds {
  const beaconChains = Object.keys(head.beacons).sort();
  if (beaconChains.join() !== header.beacons.join()) {
    report.finding(
      'beacon_differs',
      `The book names the chains [${header.beacons.join(', ')}]; its records come with [${beaconChains.join(', ')}].`,
    );
  }
  const signed: SignedRounds = {};
  for (const [chain, { rounds, ...description }] of Object.entries(head.beacons)) {
    const beacon = { chain, ...description };
    checkDescription(beacon, beacons, report);
    const all = Object.entries(rounds);
    if (all.length > maxRounds) report.finding('too_large', `The records have ${all.length} beacon rounds.`);
    for (const [round, signature] of all.slice(0, maxRounds)) {
      const isPossible = timeOfRound(beacon, Number(round)) < maxRoundTime;
      const randomness = isPossible ? randomnessOf(beacon, Number(round), signature) : undefined;
      if (randomness === undefined) {
        report.finding('beacon_signature_invalid', `The signature of round ${round} is not by its beacon.`);
        continue;
      }
      signed[round] = { beacon, randomness };
      used.set(chain, used.get(chain) ?? { beacon, rounds: new Set() });
      used.get(chain)!.rounds.add(Number(round));
    }
  }
  return signed;
}

/**
 * Reports beacon rounds that a records file lacks, and rounds, earlier secrets and prize tables that no outcome used.
 * `replayOutcome` reports missing secrets and tables.
 */
export function checkAttached(
  { header: { day } }: Book,
  { beacons, secrets, tables }: RecordsHead,
  summed: RecordSums,
  report: Report,
): void {
  const rounds = Object.values(beacons).flatMap(({ rounds }) => Object.keys(rounds));
  const given = new Set(rounds);
  const named = new Set([...summed.rounds].map(String));
  for (const round of named) {
    if (!given.has(round))
      report.finding('beacon_signature_invalid', `The signature of round ${round} is missing.`);
  }
  const unnamed = [
    ...rounds.filter((round) => !named.has(round)).map((round) => `round ${round}`),
    ...Object.keys(beacons).filter((chain) => Object.keys(beacons[chain]!.rounds).length === 0),
    ...Object.keys(secrets).filter((of) => of === day || !summed.secretDays.has(of)),
    ...Object.keys(tables).filter((version) => !summed.tables.has(version)),
  ];
  for (const one of unnamed) report.finding('unused_data', `No outcome names ${one}.`);
}

function checkDescription(beacon: Beacon, beacons: Map<string, string>, report: Report) {
  const stated = canonicalJson(beacon);
  const isQuicknet = beacon.chain === quicknet.chain;
  const expected = isQuicknet ? canonicalJson(quicknet) : beacons.get(beacon.chain);
  beacons.set(beacon.chain, stated);
  if (expected !== undefined && expected !== stated) {
    report.finding('beacon_differs', `Beacon ${beacon.chain} is described here as ${stated}.`);
  }
  if (!isQuicknet) report.notice('beacon_not_quicknet', `The beacon is the chain ${beacon.chain}.`);
}
