/** Types of the rules that check a simulated world. Also lists the clock skew and delays that the rules tolerate. */
import type { Step } from './step.ts';

/** The name of a violated rule, and a description of the violation for the trace. */
export type Violation = { rule: string; detail: string };
export type ReportViolation = (detail: string) => void;

/** Runs a rule's check. If the check throws, reports the error as a violation. */
export function runCheck(report: ReportViolation, check: () => void): void {
  try {
    check();
  } catch (error) {
    report(`the check failed: ${error instanceof Error ? error.stack : error}`);
  }
}

/** The simulation's clock skew and delays, which rules must tolerate. */
export type Allowances = {
  /** Maximum clock skew of a Lambda instance, in milliseconds, in either direction. */
  clockErrorMs: number;
  /** Maximum duration of a request in milliseconds: longer than a Lambda function's timeout of 28 s. */
  requestMs: number;
  /** Maximum lag of the table's global secondary index, in milliseconds. */
  indexLagMs: number;
  /** The delays between the eight attempts of a webhook delivery, in seconds. */
  retryDelays: number[];
  /** The time after which no injected fault has any effect, in epoch milliseconds. */
  faultFreeFrom: number;
};

/** The allowances that apply unless a test sets others. */
export const usualAllowances: Allowances = {
  clockErrorMs: 2000,
  requestMs: 60_000,
  indexLagMs: 15 * 60_000,
  retryDelays: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  faultFreeFrom: Infinity,
};

/** A rule checked after every write. The check gets all writes in order and may remember earlier ones. */
export type StepRule = {
  rule: string;
  start: (report: ReportViolation, allowances: Allowances) => (step: Step) => void;
};
