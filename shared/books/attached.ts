/** Collects the secrets and beacon rounds stored beside a book. The book's signed header has no room for them. */
import type { StoredRound } from '../amoe/beacon.ts';
import { daySecret } from '../games/day-secrets.ts';
import { stageBeacons } from '../stage-beacon.ts';
import { get } from '../table/client.ts';
import { beaconRoundKey } from '../table/keys.ts';
import type { Attached } from './book.ts';
import type { RecordSums } from './sums.ts';

/** Returns the secrets of earlier days and the beacon rounds that a day's outcomes used. */
export async function attachedTo(
  organizationId: string,
  day: string,
  { rounds, secretDays }: Pick<RecordSums, 'rounds' | 'secretDays'>,
  /** The drand chains of the beacons that the organization's settings named at the day's beginning and end. */
  promised: (string | undefined)[],
): Promise<Attached> {
  const earlier = [...secretDays].filter((one) => one !== day).sort();
  const secrets = earlier.map(async (earlierDay) => [
    earlierDay,
    (await daySecret(organizationId, earlierDay)).toString('hex'),
  ]);
  const chainHashes = new Set([...promised, ...stageBeacons().map(({ chain }) => chain)]);
  const beaconChains = [...chainHashes].filter((chain): chain is string => !!chain);
  const beacons: Attached['beacons'] = {};
  for (const round of rounds) await addRound(beacons, round, beaconChains);
  return { secrets: Object.fromEntries(await Promise.all(secrets)), beacons };
}

/**
 * Adds a beacon round's signature to `beacons`. Throws if no signature is stored, because outsiders could not verify
 * the book without it.
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
