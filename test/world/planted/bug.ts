/**
 * A bug to plant: one change in one file. The change breaks the contract of the service, as a developer could
 * do by mistake.
 */
export type Bug = {
  /** Short description of the wrong behavior, unique among the bugs. */
  name: string;
  /** Path of the changed file from the root of the repository. */
  file: string;
  /** Code to replace. It occurs exactly once in the file. */
  from: string;
  /** Code that takes the place of `from`. */
  to: string;
  /**
   * Test files that must catch the bug. Set only if the simulation cannot catch it. Without `tests`, the
   * simulation runs first. If it does not catch the bug, the tests of the changed part of the code run.
   */
  tests?: string[];
};
