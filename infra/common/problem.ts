export class Problem extends Error {
  override name = 'Problem';
}
