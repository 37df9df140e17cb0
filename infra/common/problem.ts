/** An error that its message explains: commands print the message without a stack trace. */
export class Problem extends Error {
  override name = 'Problem';
}
