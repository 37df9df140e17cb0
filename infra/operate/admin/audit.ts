import type { ActionRecord } from '../../../shared/actions/action-records.ts';
import { ulidTimePart } from '../../../shared/ids.ts';
import { actionsByTime, between, withoutKeys } from '../../../shared/table/keys.ts';
import { readRange } from '../../../shared/table/ranges.ts';
import { BadUsage } from '../../common/arguments.ts';
import { boundsOf, type Period, parsePeriodOptions } from './report/period.ts';

/** Returns actions, oldest first. `from` and `to` are days in New York, both included. */
export async function listActions(organizationId: string, typed: Partial<Period>, now: number) {
  if ((typed.from === undefined) !== (typed.to === undefined))
    throw new BadUsage('Give --from and --to, or neither.');
  const { begins, ends } =
    typed.from === undefined
      ? { begins: 0, ends: now + dayMs }
      : boundsOf(parsePeriodOptions(typed as Period, now));
  const range = between(actionsByTime(organizationId), ulidTimePart(begins), `${ulidTimePart(ends - 1)}~`);
  const actions = (await readRange(range)) as ActionRecord[];
  return { organization_id: organizationId, actions: actions.map(withoutKeys) };
}

const dayMs = 24 * 3600_000;
