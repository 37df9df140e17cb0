/** A bug to plant: one change of one file, a real defect against the contract that looks as if it belonged there. */
export type Bug = {
  /** What is wrong with the service then, in a few words; no two are alike. */
  name: string;
  /** From the root of the repository. */
  file: string;
  /** Text that occurs exactly once in the file, and what takes its place. */
  from: string;
  to: string;
  /**
   * Test files that ought to know, for what no simulation can see; without them the simulation ought to, or
   * tests of its room.
   */
  tests?: string[];
};
