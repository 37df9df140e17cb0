/** Something that the person at the laptop can put right; its message says how. */
export class Problem extends Error {
  override name = 'Problem';
}
