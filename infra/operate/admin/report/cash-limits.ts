import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import type { TimeRange } from './records.ts';

type LimitChange = Pick<ActionRecord, 'date_created' | 'before' | 'after'>;

/** Returns a period's daily cash limits (whole USD), oldest first. */
export function cashLimitsIn(
  { begins, ends }: TimeRange,
  /** Oldest first. */
  actions: readonly LimitChange[],
  currentUsd: number,
): number[] {
  const changes = actions.flatMap(({ date_created, before, after }) =>
    after.daily_cash_limit_usd === undefined
      ? []
      : [{ at: Date.parse(date_created), was: before.daily_cash_limit_usd, is: after.daily_cash_limit_usd }],
  );
  const earlier = changes.filter(({ at }) => at <= begins);
  const first = changes.length === 0 ? currentUsd : (earlier.at(-1)?.is ?? changes[0]!.was);
  const later = changes.filter(({ at }) => at > begins && at < ends).map(({ is }) => is);
  return first === undefined ? later : [first, ...later];
}
