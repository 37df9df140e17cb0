/** A bug to plant: one change in one file that makes the service break a rule. */
export type Bug = {
  /** Short description of the wrong behavior, unique among the bugs. */
  name: string;
  /** Path of the changed file from the root of the repository. */
  file: string;
  /** Code to replace. It occurs exactly once in the file. */
  from: string;
  /** Code that takes the place of `from`. */
  to: string;
};
