/**
 * Collects the data stored beside a book: the secrets and beacon rounds that the day's draws depend on. The
 * signed header of the book has no room for this data.
 */
import type { StoredRound } from '../amoe/beacon.ts';
import { daySecret } from '../games/day-secrets.ts';
import { stageBeacons } from '../stage-beacon.ts';
import { get } from '../table/client.ts';
import { beaconRoundKey } from '../table/keys.ts';
import type { Attached } from './book.ts';
import type { RecordSums } from './sums.ts';

/**
 * Returns the secrets of earlier days and the beacon rounds that a day's outcomes used. Looks for the rounds
 * among the stage's beacons and the beacons in `promised`, which the settings named on this day and on the
 * day before.
 */
export async function attachedTo(
  organizationId: string,
  day: string,
  { rounds, secretDays }: RecordSums,
  promised: (string | undefined)[],
): Promise<Attached> {
  const earlier = [...secretDays].filter((one) => one !== day).sort();
  const secrets = earlier.map(async (of) => [of, (await daySecret(organizationId, of)).toString('hex')]);
  const known = new Set([...promised, ...stageBeacons().map(({ chain }) => chain)]);
  const chains = [...known].filter((chain): chain is string => !!chain);
  const beacons: Attached['beacons'] = {};
  for (const round of rounds) await addRound(beacons, round, chains);
  return { secrets: Object.fromEntries(await Promise.all(secrets)), beacons };
}

/**
 * Reads the signature of a beacon round from the table and adds it to `beacons`. Throws if no beacon in
 * `chains` has a signature of the round, because nobody could verify the book without the signature.
 */
async function addRound(beacons: Attached['beacons'], round: number, chains: string[]): Promise<void> {
  for (const chain of chains) {
    const stored = await get<StoredRound>(beaconRoundKey(chain, round));
    if (!stored || !('signature' in stored)) continue;
    beacons[chain] ??= { ...stored.of, rounds: {} };
    beacons[chain].rounds[round] = stored.signature;
    return;
  }
  throw new Error(`no known beacon has the round ${round}: add its beacon to formerBeacons`);
}
