/** An error that the user of a command can fix. Its message says how. */
export class Problem extends Error {
  override name = 'Problem';
}
