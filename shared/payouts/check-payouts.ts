/** Checks every organization's wins against the odds of their draws. */

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
import { alarmsIn, chanceOf, type Deviation, updateTests } from './evidence.ts';
import { cashFields, payoutsMessage } from './figures.ts';
import { addOutcome, figuresOf, newTally, type Tallied, type Tally, talliedFields } from './tally.ts';

/**
 * Result of an organization's checks: the time (epoch milliseconds) up to which outcomes are checked, and the
 * open deviations.
 */
type Payouts = { checked_until: number; deviations: Deviation[] };

const hourMs = 3_600_000;
/** Age from which outcomes are expected to be in the index, which lags. */
const indexLagMs = 120_000;
/** Number of organizations checked concurrently, so that a slow one delays few others. */
const organizationsAtOnce = 4;
/**
 * Maximum number of open deviations to keep, strongest first. Otherwise deviations of prizes that are no
 * longer in any table would accumulate.
 */
const maxOpenDeviations = 500;

/**
 * Checks the outcomes of all organizations since their last check. When the time is up, judges the outcomes
 * read so far and leaves the remaining organizations to the next call. Returns the number of deviations
 * found. Throws at the end if an organization could not be checked.
 */
export async function checkAllPayouts(now: number, hasTime: () => boolean): Promise<{ deviations: number }> {
  const organizations = await allOrganizations();
  const waiting = shuffled(organizations);
  let [deviations, failed] = [0, 0];
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined && hasTime(); id = waiting.pop()) {
      try {
        deviations += await checkPayouts(id, now, { organizationCount: organizations.length, hasTime });
      } catch (error) {
        log.failure('check-payouts', error, { organization_id: id });
        failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: organizationsAtOnce }, work));
  if (waiting.length > 0) log.warn('payouts not checked for lack of time', { organizations: waiting.length });
  if (failed > 0) throw new Error(`payouts of ${failed} organizations could not be checked`);
  return { deviations };
}

type Checking = { organizationCount: number; hasTime: () => boolean };

/**
 * Checks one of `organizationCount` organizations. If two calls check it concurrently, both report their findings, but
 * only one stores the result.
 */
async function checkPayouts(
  organizationId: string,
  now: number,
  { organizationCount, hasTime }: Checking,
): Promise<number> {
  const [organization, last] = await Promise.all([
    get(organizationKey(organizationId)),
    get<Payouts>(payoutsKey(organizationId)),
  ]);
  const from = last?.checked_until ?? now - indexLagMs - hourMs;
  const until = now - indexLagMs;
  if (until <= from) return 0;
  const ranges = recordsInShards(organizationId, 'outcomes').map((range) =>
    between(range, ulidFloor(from), ulidFloor(until)),
  );
  const tally = newTally();
  const isComplete = await Promise.all(
    ranges.map((range) => addRange(tally, organizationId, range, hasTime)),
  );
  // Judging the outcomes read so far is unbiased: when the time is up does not depend on what was won.
  if (isComplete.includes(false)) {
    log.warn('payouts judged by part of the outcomes', { organization_id: organizationId });
  }
  if (tally.drawn.size + tally.outsideDraw === 0) return 0;
  const { deviations, tests } = updateTests(last?.deviations ?? [], [...tally.drawn.values()], isoOf(from));
  const { alarms, open } = alarmsIn(deviations, tests * organizationCount);
  const alarming = alarms.length + tally.outsideDraw;
  // Reports before storing: a crash in between causes a repeated report, not a missing one.
  logAlarms(organizationId, alarms, tests * organizationCount);
  if (tally.outsideDraw > 0) {
    log.warn('prizes were not in their draws', {
      organization_id: organizationId,
      outcomes: tally.outsideDraw,
    });
  }
  if (alarming > 0) count('PayoutDeviations', alarming);
  const payouts = { checked_until: until, deviations: open.slice(0, maxOpenDeviations) };
  if (await storePayouts(organizationId, payouts, last)) {
    const limit = settingsOf(organization).daily_cash_limit_usd;
    const figures = { ...figuresOf(tally), [cashFields.limit]: limit };
    log.info(payoutsMessage, { organization_id: organizationId, ...figures });
  }
  return alarming;
}

/** Adds the outcomes of a range to the tally. Returns false if the time was up first. */
async function addRange(tally: Tally, organizationId: string, range: Range, hasTime: () => boolean) {
  const tables = new Map<string, PrizeTable>();
  for await (const items of batches(range, { fields: [...talliedFields] })) {
    for (const outcome of items as Tallied[]) {
      const { game, prize_table_version: version } = outcome;
      const table = tables.get(version) ?? (await readPrizeTable(organizationId, game, version));
      tables.set(version, table);
      addOutcome(tally, outcome, table.prizes);
    }
    if (!hasTime()) return false;
  }
  return true;
}

/** Stores the result of a check. Returns false if another check has stored one since `last` was read. */
const storePayouts = (
  organizationId: string,
  payouts: Payouts,
  last: Payouts | undefined,
): Promise<boolean> =>
  put(
    { ...payoutsKey(organizationId), organization_id: organizationId, ...payouts },
    last
      ? {
          ConditionExpression: 'checked_until = :last',
          ExpressionAttributeValues: { ':last': last.checked_until },
        }
      : { ConditionExpression: 'attribute_not_exists(pk)' },
  );

/** Logs a line for each alarm. The alarm's runbook searches for these lines. */
function logAlarms(organizationId: string, alarms: readonly Deviation[], tests: number): void {
  for (const deviation of alarms) {
    const { evidence, won, expected, ...watched } = deviation;
    log.warn('wins do not match the odds', {
      organization_id: organizationId,
      ...watched,
      won,
      expected: Number(expected.toPrecision(6)),
      p: Number(chanceOf(deviation, tests).toPrecision(3)),
    });
  }
}
