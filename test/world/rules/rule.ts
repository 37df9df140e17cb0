/** What a rule is, and what it may assume of the world that it is held in. */
import type { Step } from './step.ts';

/** A rule that does not hold, and where. */
export type Violation = { rule: string; detail: string };
/** Says that a rule does not hold. */
export type Say = (detail: string) => void;

/** Holds a rule: one that cannot even be looked at is broken. */
export function lookAt(say: Say, check: () => void): void {
  try {
    check();
  } catch (error) {
    say(`cannot be looked at: ${error instanceof Error ? error.stack : error}`);
  }
}

/** What a world does to its functions, and rules allow for. */
export type Allowances = {
  /** How far the clock of a function may be from the true time, ahead or behind, in milliseconds. */
  clockErrorMs: number;
  /** How long after its arrival a request may still read and write: its function lives for 28 s. */
  requestMs: number;
  /** How long after a write the index may not show it. */
  indexLagMs: number;
  /** Seconds between the eight attempts of a delivery. */
  retryDelays: number[];
  /** When all troubles are over, what they left behind included, in epoch milliseconds. */
  peaceFrom: number;
};

/** What the worlds of this folder do. */
export const usualAllowances: Allowances = {
  clockErrorMs: 2000,
  requestMs: 60_000,
  indexLagMs: 15 * 60_000,
  retryDelays: [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
  peaceFrom: Infinity,
};

/** A rule that holds after every step. `start` returns what looks at each, in their order, and may remember. */
export type StepRule = {
  rule: string;
  start: (say: Say, allowances: Allowances) => (step: Step) => void;
};
