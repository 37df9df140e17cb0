import { countAfter, countIn } from '../count-by-day.ts';
import { settingsCopies } from '../games/settings.ts';
import { stockCopies } from '../games/stored-stock.ts';
import { spreadParts } from '../organizations/stored-spread.ts';
import { again, retry } from '../retry.ts';
import { type Spread, shardsToWrite, spreadIn } from '../spread.ts';
import { get, type Part, transact } from '../table/client.ts';
import { organizationKey } from '../table/keys.ts';
import { recordKinds } from '../vocabulary.ts';
import { readHead, spreadHead } from './fence-items.ts';
import type { FenceSizes } from './fences.ts';

/** The most shards that an organization can have: some 16,000 records of a list a second. */
export const mostShards = 16;

/** What callers' gateways and functions remember of an organization is younger than this, in milliseconds. */
const rememberedMs = 5 * 60_000;

/**
 * Spreads an organization's records from some minutes on over so many keys of the index, in the middle of its life: all
 * readers look into the new shards before there is anything in them. What spins read gets as many copies; that of the
 * day's cash from the next day on. Shards are never taken away. Returns the spread. Throws if there is no such
 * organization, or if it has more already.
 */
export function spreadRecords(
  organizationId: string,
  shards: number,
  now: number,
  sizes?: FenceSizes,
): Promise<Spread> {
  return retry(async () => {
    const organization = await get(organizationKey(organizationId));
    if (!organization) throw new Error(`no organization ${organizationId}`);
    const current = spreadIn(organization.spread);
    if (shards === current.shards && shards === countIn(organization.copies).count) return current;
    if (shards < current.shards) {
      throw new Error(`it has ${current.shards} shards: with fewer, what is in them would not be seen`);
    }
    const next: Spread = { shards, before: shardsToWrite(current, now), from: now + rememberedMs };
    const copies = countAfter(countIn(organization.copies), shards, now);
    const written = await spreadParts(organization, next, copies);
    if (!written) return again;
    const { fields, parts } = written;
    const failed = await transact({
      ...parts,
      ...settingsCopies({ ...organization, ...fields }),
      ...(await stockCopies(organizationId, shards)),
      ...(await headParts(organizationId, shards, sizes)),
    });
    return failed ? again : next;
  });
}

/** The heads of all reports, which know in how many shards their rows are. */
async function headParts(
  organizationId: string,
  shards: number,
  sizes: FenceSizes | undefined,
): Promise<Record<string, Part>> {
  const parts: Record<string, Part> = {};
  for (const report of recordKinds) {
    const head = await readHead({ organizationId, report }, { consistent: true, sizes });
    Object.assign(parts, spreadHead({ organizationId, report }, head, shards));
  }
  return parts;
}
