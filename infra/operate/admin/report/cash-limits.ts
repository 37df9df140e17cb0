/** The limits of the day's cash that were in force. Pure. */
import type { OperationRecord } from '../../../../shared/operations/operation-records.ts';
import type { Bounds } from './records.ts';

type Operation = Pick<OperationRecord, 'date_created' | 'before' | 'after'>;

/**
 * The limits, in whole USD, that were in force between two times, in their order: what operations, oldest
 * first, say, or the current one if they say nothing of it. None of a time before all that is known.
 */
export function cashLimitsIn(
  { begins, ends }: Bounds,
  operations: readonly Operation[],
  currentUsd: number,
): number[] {
  const changes = operations.flatMap(({ date_created, before, after }) =>
    after.daily_cash_limit_usd === undefined
      ? []
      : [{ at: Date.parse(date_created), was: before.daily_cash_limit_usd, is: after.daily_cash_limit_usd }],
  );
  const earlier = changes.filter(({ at }) => at <= begins);
  const first = changes.length === 0 ? currentUsd : (earlier.at(-1)?.is ?? changes[0]!.was);
  const later = changes.filter(({ at }) => at > begins && at < ends).map(({ is }) => is);
  return first === undefined ? later : [first, ...later];
}
