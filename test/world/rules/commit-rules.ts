/** Checks the rules that must hold after every write to the table. */
import type { Commit } from '../journal.ts';
import { balanceRules } from './balances.ts';
import { calendarRules } from './calendar.ts';
import { countRules } from './counted-items.ts';
import { drawingRules } from './drawings.ts';
import { drawRules } from './draws.ts';
import { erasureRules } from './erasures.ts';
import { holdCommitRules } from './holds.ts';
import { idempotencyRules } from './idempotency.ts';
import { immutabilityRules } from './immutability.ts';
import { playRules } from './plays.ts';
import { recordRules } from './records.ts';
import { type Allowances, runCheck, type StepRule, usualAllowances, type Violation } from './rule.ts';
import { copyRules } from './shard-copies.ts';
import { readStep, type Step } from './step.ts';
import { tenancyRules } from './tenancy.ts';

export const stepRules: StepRule[] = [
  ...balanceRules,
  ...recordRules,
  ...immutabilityRules,
  ...idempotencyRules,
  ...copyRules,
  ...drawRules,
  ...drawingRules,
  ...playRules,
  ...holdCommitRules,
  ...erasureRules,
  ...calendarRules,
  ...countRules,
  ...tenancyRules,
];

/** Returns a function to call with each write, in order. A rule that throws counts as violated. */
export function createCommitRules({
  fail,
  ...allowances
}: { fail: (violation: Violation) => void } & Partial<Allowances>): (commit: Commit) => void {
  const checks = stepRules.map(({ rule, start }) => {
    const report = (detail: string) => fail({ rule, detail });
    const check = start(report, { ...usualAllowances, ...allowances });
    return (step: Step) => runCheck(report, () => check(step));
  });
  return (commit) => {
    const step = readStep(commit);
    for (const check of checks) check(step);
  };
}
