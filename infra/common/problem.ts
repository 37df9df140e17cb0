/** An error that the user of a command can fix. The message tells the user how. */
export class Problem extends Error {
  override name = 'Problem';
}
