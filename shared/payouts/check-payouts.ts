/** Checks what was won against what the draws were to give, organization by organization. */

import { readPrizeTable } from '../games/organization-tables.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { settingsOf } from '../games/settings.ts';
import { ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { allOrganizations } from '../organizations/organizations.ts';
import { shuffled } from '../shuffled.ts';
import { get, put } from '../table/client.ts';
import { between, organizationKey, payoutsKey, type Range, recordsInShards } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { isoOf } from '../time.ts';
import { alarmsIn, chanceOf, type Deviation, weigh } from './evidence.ts';
import { cashFields, payoutsMessage } from './figures.ts';
import { addOutcome, figuresOf, newTally, type Tallied, type Tally, talliedFields } from './tally.ts';

/**
 * What the checks of an organization have come to: until when (epoch milliseconds), and all deviations that
 * are open.
 */
type Payouts = { checked_until: number; deviations: Deviation[] };

const hourMs = 3_600_000;
/** Later ones of so long ago are not expected in the index any more. */
const settledMs = 120_000;
/** One that takes long holds up no more than a few. */
const atOnce = 4;
/** Tests that are kept, the clearest: of prizes that are in no table any more they would add up. */
const mostOpen = 500;

/**
 * Checks the outcomes of all organizations since their last check. Of those that there is no time for some
 * are read, and judged; organizations that it does not come to are checked by the next call. Returns how many
 * deviations it found. Throws, once it has been at all of them, if some could not be checked.
 */
export async function checkAllPayouts(now: number, goOn: () => boolean): Promise<{ deviations: number }> {
  const organizations = await allOrganizations();
  const waiting = shuffled(organizations);
  let [deviations, failed] = [0, 0];
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined && goOn(); id = waiting.pop()) {
      try {
        deviations += await checkPayouts(id, now, { among: organizations.length, goOn });
      } catch (error) {
        log.failure('check-payouts', error, { organization_id: id });
        failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (waiting.length > 0) log.warn('payouts not checked for lack of time', { organizations: waiting.length });
  if (failed > 0) throw new Error(`payouts of ${failed} organizations could not be checked`);
  return { deviations };
}

type Checking = { among: number; goOn: () => boolean };

/**
 * Checks an organization, one `among` so many. If two calls are at it at the same time, both tell what they
 * find, and one of them is noted.
 */
async function checkPayouts(organizationId: string, now: number, { among, goOn }: Checking): Promise<number> {
  const [organization, last] = await Promise.all([
    get(organizationKey(organizationId)),
    get<Payouts>(payoutsKey(organizationId)),
  ]);
  const from = last?.checked_until ?? now - settledMs - hourMs;
  const until = now - settledMs;
  if (until <= from) return 0;
  const ranges = recordsInShards(organizationId, 'outcomes').map((range) =>
    between(range, ulidFloor(from), ulidFloor(until)),
  );
  const tally = newTally();
  const whole = await Promise.all(ranges.map((range) => addRange(tally, organizationId, range, goOn)));
  // The time is up whatever was won, so the part that was read stands for all.
  if (whole.includes(false)) {
    log.warn('payouts judged by a part of them', { organization_id: organizationId });
  }
  if (tally.drawn.size + tally.strays === 0) return 0;
  const { deviations, tests } = weigh(last?.deviations ?? [], [...tally.drawn.values()], isoOf(from));
  const { alarms, open } = alarmsIn(deviations, tests * among);
  const alarming = alarms.length + tally.strays;
  // Before they are noted as told: rather twice than not at all.
  tell(organizationId, alarms, tests * among);
  if (tally.strays > 0) {
    log.warn('prizes were not in their draws', { organization_id: organizationId, outcomes: tally.strays });
  }
  if (alarming > 0) count('PayoutDeviations', alarming);
  const payouts = { checked_until: until, deviations: open.slice(0, mostOpen) };
  if (await note(organizationId, payouts, last)) {
    const limit = settingsOf(organization).daily_cash_limit_usd;
    const figures = { ...figuresOf(tally), [cashFields.limit]: limit };
    log.info(payoutsMessage, { organization_id: organizationId, ...figures });
  }
  return alarming;
}

/** Adds the outcomes of a range, and returns whether there was time for all of them. */
async function addRange(tally: Tally, organizationId: string, range: Range, goOn: () => boolean) {
  const tables = new Map<string, PrizeTable>();
  for await (const items of batches(range, { fields: [...talliedFields] })) {
    for (const outcome of items as Tallied[]) {
      const { game, prize_table_version: version } = outcome;
      const table = tables.get(version) ?? (await readPrizeTable(organizationId, game, version));
      tables.set(version, table);
      addOutcome(tally, outcome, table.prizes);
    }
    if (!goOn()) return false;
  }
  return true;
}

/** Notes what a check has come to; false if another one has been there since the last. */
const note = (organizationId: string, payouts: Payouts, last: Payouts | undefined): Promise<boolean> =>
  put(
    { ...payoutsKey(organizationId), organization_id: organizationId, ...payouts },
    last
      ? {
          ConditionExpression: 'checked_until = :last',
          ExpressionAttributeValues: { ':last': last.checked_until },
        }
      : { ConditionExpression: 'attribute_not_exists(pk)' },
  );

/** Logs a line for each alarm, which its runbook asks to look for. */
function tell(organizationId: string, alarms: readonly Deviation[], tests: number): void {
  for (const deviation of alarms) {
    const { evidence, won, expected, ...watched } = deviation;
    log.warn('won other than the odds say', {
      organization_id: organizationId,
      ...watched,
      won,
      expected: Number(expected.toPrecision(6)),
      p: Number(chanceOf(deviation, tests).toPrecision(3)),
    });
  }
}
