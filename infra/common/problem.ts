/** An error that the user of a command can fix; its message says how. */
export class Problem extends Error {
  override name = 'Problem';
}
