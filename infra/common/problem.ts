/** An error that its message explains: commands print no stack trace. */
export class Problem extends Error {
  override name = 'Problem';
}
