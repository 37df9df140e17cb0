/** Logs each organization's plays and wins of an hour, and compares its cash with the odds. */
import { readPrizeTable } from '../games/organization-tables.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { settingsOf } from '../games/settings.ts';
import { ulidTimePart } from '../ids.ts';
import { log } from '../log.ts';
import { countMetric } from '../metrics.ts';
import { visitOrganizations } from '../organizations/visit.ts';
import { findDueClaims } from '../prizes/due-claims.ts';
import { getItem, type Item, putItem } from '../table/client.ts';
import { between, type KeyRange, organizationKey, payoutsKey, recordsInShards } from '../table/keys.ts';
import { batches, type ReadOptions } from '../table/ranges.ts';
import { settledAfterMs } from '../table/settled.ts';
import { isoOf } from '../time.ts';
import { cashFields, payoutsMessage } from './figures.ts';
import {
  cashTotalsOf,
  isAheadOfOdds,
  logFieldsOf,
  newTally,
  type TalliedOutcome,
  type Tally,
  talliedFields,
  tallyOutcome,
} from './tally.ts';

/**
 * Result of the last check, which read outcomes up to `checked_until` (epoch milliseconds). `ahead_since` is when the
 * last period began whose cash was far ahead of the odds.
 */
type Payouts = { checked_until: number; ahead_since?: string };

const hourMs = 3_600_000;
const organizationsAtOnce = 4;

/** Checks the outcomes since the last checks while there is time. Throws at the end if a check failed. */
export async function checkAllPayouts(now: number, hasTime: () => boolean): Promise<{ ahead: number }> {
  const visit = { worker: 'check-payouts', concurrency: organizationsAtOnce, hasTime };
  let ahead = 0;
  const { failed, left } = await visitOrganizations(visit, async (id) => {
    if (await checkPayouts(id, now, hasTime)) ahead++;
  });
  if (left > 0) log.warn('payouts not checked for lack of time', { organizations: left });
  if (failed > 0) throw new Error(`payouts of ${failed} organizations could not be checked`);
  return { ahead };
}

async function checkPayouts(organizationId: string, now: number, hasTime: () => boolean): Promise<boolean> {
  const [organization, last] = await Promise.all([
    getItem(organizationKey(organizationId)),
    getItem<Payouts>(payoutsKey(organizationId)),
  ]);
  // Leaves out the last minutes, because no later check reads an outcome that the index shows late.
  const until = now - 5 * settledAfterMs;
  const from = last?.checked_until ?? until - hourMs;
  if (until <= from) return false;
  const ranges = recordsInShards(organizationId, 'outcomes').map((range) =>
    between(range, ulidTimePart(from), ulidTimePart(until)),
  );
  await reportClaimsDue(organization!, from, until);
  const tally = newTally();
  const isComplete = await Promise.all(
    ranges.map((range) => addRange(tally, organizationId, range, hasTime)),
  );
  // Judges only the outcomes read in time; no later check reads the others. This adds no bias, because the time does
  // not depend on prizes.
  if (isComplete.includes(false)) {
    log.warn('payouts judged by part of the outcomes', { organization_id: organizationId });
  }
  if (tally.drawn.size === 0) return false;
  const cash = cashTotalsOf(tally);
  const isAhead = isAheadOfOdds(cash);
  // Reports the alarm before storing the result, so that a crash in between repeats the alarm instead of losing it.
  if (isAhead) {
    log.warn('cash ahead of the odds', { organization_id: organizationId, since: isoOf(from), ...cash });
    countMetric('CashAheadOfOdds', 1);
  }
  const ahead = isAhead
    ? { ahead_since: isoOf(from) }
    : last?.ahead_since && { ahead_since: last.ahead_since };
  if (await storePayouts(organizationId, { checked_until: until, ...ahead }, last)) {
    const limit = settingsOf(organization).daily_cash_limit_usd;
    const figures = { ...logFieldsOf(tally, cash), [cashFields.limit]: limit };
    log.info(payoutsMessage, { organization_id: organizationId, ...figures });
  }
  return isAhead;
}

/** Raises an alarm for prizes that can be claimed for another week only. */
async function reportClaimsDue(organization: Item, from: number, until: number): Promise<void> {
  const due = await findDueClaims(organization, from, until);
  if (due.length === 0) return;
  const organization_id = String(organization.organization_id);
  log.warn('prizes to claim within a week', { organization_id, prizes: due.length, first: due[0] });
  countMetric('ClaimsDue', due.length);
}

/** Adds the outcomes in a range of the index `byTime` to the tally. Returns false if time ran out first. */
async function addRange(tally: Tally, organizationId: string, range: KeyRange, hasTime: () => boolean) {
  const tables = new Map<string, PrizeTable>();
  const options: ReadOptions = { fields: [...talliedFields] };
  for await (const items of batches(range, options)) {
    for (const outcome of items as TalliedOutcome[]) {
      const { game, prize_table_version: version } = outcome;
      const table = tables.get(version) ?? (await readPrizeTable(organizationId, game, version));
      tables.set(version, table);
      tallyOutcome(tally, outcome, table.prizes);
    }
    if (!hasTime()) return false;
  }
  return true;
}

const storePayouts = (
  organizationId: string,
  payouts: Payouts,
  last: Payouts | undefined,
): Promise<boolean> =>
  putItem(
    { ...payoutsKey(organizationId), organization_id: organizationId, ...payouts },
    last
      ? {
          ConditionExpression: 'checked_until = :last',
          ExpressionAttributeValues: { ':last': last.checked_until },
        }
      : { ConditionExpression: 'attribute_not_exists(pk)' },
  );
