/**
 * A bug to plant: one change in one file. Each is a real defect against the contract that a developer could
 * overlook.
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
   * Test files that must catch the bug, if the simulation cannot. If absent, the simulation runs first, then
   * the tests of the bug's part of the code.
   */
  tests?: string[];
};
