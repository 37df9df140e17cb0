/** Checks for every organization whether the wins of its users match the odds of their draws. */

import { readPrizeTable } from '../games/organization-tables.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { settingsOf } from '../games/settings.ts';
import { ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { visitOrganizations } from '../organizations/visit.ts';
import { get, put } from '../table/client.ts';
import { between, organizationKey, payoutsKey, type Range, recordsInShards } from '../table/keys.ts';
import { batches, type ReadOptions } from '../table/ranges.ts';
import { settledAfterMs } from '../table/settled.ts';
import { isoOf } from '../time.ts';
import { alarmsIn, chanceOf, type Deviation, updateTests } from './evidence.ts';
import { cashFields, payoutsMessage } from './figures.ts';
import { addOutcome, figuresOf, newTally, type Tallied, type Tally, talliedFields } from './tally.ts';

/**
 * Result of an organization's last check. Outcomes up to `checked_until` (epoch milliseconds) are checked;
 * `deviations` have raised no alarm yet.
 */
type Payouts = { checked_until: number; deviations: Deviation[] };

const hourMs = 3_600_000;
const organizationsAtOnce = 4;
/** Limit of stored deviations per organization. Without a limit, deviations of removed prizes would accumulate. */
const maxOpenDeviations = 500;

/**
 * Checks all organizations' outcomes since their last checks, while there is time. Throws at the end if a
 * check failed.
 */
export async function checkAllPayouts(now: number, hasTime: () => boolean): Promise<{ deviations: number }> {
  const visit = { worker: 'check-payouts', concurrency: organizationsAtOnce, hasTime };
  let deviations = 0;
  const { failed, left } = await visitOrganizations(visit, async (id, organizationCount) => {
    const found = await checkPayouts(id, now, { organizationCount, hasTime });
    deviations += found;
  });
  if (left > 0) log.warn('payouts not checked for lack of time', { organizations: left });
  if (failed > 0) throw new Error(`payouts of ${failed} organizations could not be checked`);
  return { deviations };
}

type Checking = { organizationCount: number; hasTime: () => boolean };

/**
 * Checks one organization. Returns the number of alarms: prizes whose wins do not match the odds, and outcomes outside
 * their draws.
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
  const from = last?.checked_until ?? now - settledAfterMs - hourMs;
  const until = now - settledAfterMs;
  if (until <= from) return 0;
  const ranges = recordsInShards(organizationId, 'outcomes').map((range) =>
    between(range, ulidFloor(from), ulidFloor(until)),
  );
  const tally = newTally();
  const isComplete = await Promise.all(
    ranges.map((range) => addRange(tally, organizationId, range, hasTime)),
  );
  // Judges only the outcomes read in time; no later check reads the others. This adds no bias, because the time does
  // not depend on prizes.
  if (isComplete.includes(false)) {
    log.warn('payouts judged by part of the outcomes', { organization_id: organizationId });
  }
  if (tally.drawn.size + tally.outsideDraw === 0) return 0;
  const { deviations, tests } = updateTests(last?.deviations ?? [], [...tally.drawn.values()], isoOf(from));
  // More organizations need more evidence per alarm, so that false alarms stay rare.
  const { alarms, open } = alarmsIn(deviations, tests * organizationCount);
  const alarming = alarms.length + tally.outsideDraw;
  // Reports the alarms before storing the result, so that a crash in between repeats alarms instead of losing them.
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

/** Adds the outcomes in a range of the index `byTime` to the tally. Returns false if time ran out first. */
async function addRange(tally: Tally, organizationId: string, range: Range, hasTime: () => boolean) {
  const tables = new Map<string, PrizeTable>();
  const options: ReadOptions = { fields: [...talliedFields] };
  for await (const items of batches(range, options)) {
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

/** Stores a check's result. Returns false if another check stored a result after `last` was read. */
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

/** Writes a log line for each alarm. The runbook of the CloudWatch alarm refers to these lines. */
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
