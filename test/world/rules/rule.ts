/** The types of rules, and the timing that they allow for. */
import type { Step } from './step.ts';

/** A violated rule with details. */
export type Violation = { rule: string; detail: string };
/** Reports a violation. */
export type ReportViolation = (detail: string) => void;

/** Runs a check. A check that throws counts as violated. */
export function runCheck(report: ReportViolation, check: () => void): void {
  try {
    check();
  } catch (error) {
    report(`the check failed: ${error instanceof Error ? error.stack : error}`);
  }
}

/** The timing errors and delays of the simulation that rules must tolerate. */
export type Allowances = {
  /** Maximum clock skew of a function, in milliseconds, in either direction. */
  clockErrorMs: number;
  /**
   * Maximum time after a request's arrival at which it still reads or writes. A function runs for at most 28
   * s.
   */
  requestMs: number;
  /** Maximum lag of the index. */
  indexLagMs: number;
  /** Seconds between the eight attempts of a delivery. */
  retryDelays: number[];
  /** Time from which no fault has any effect, in epoch milliseconds. */
  faultFreeFrom: number;
};

/** The allowances of ordinary worlds. */
export const usualAllowances: Allowances = {
  clockErrorMs: 2000,
  requestMs: 60_000,
  indexLagMs: 15 * 60_000,
  retryDelays: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  faultFreeFrom: Infinity,
};

/**
 * A rule that is checked after every write. `start` returns a function that gets all writes in order and may
 * keep state.
 */
export type StepRule = {
  rule: string;
  start: (report: ReportViolation, allowances: Allowances) => (step: Step) => void;
};
