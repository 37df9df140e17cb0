/** Checks that no play URL was played twice. The second play can be another user's, so a check needs all outcomes. */

/** The first eight bytes of each token's hash, and the line numbers of the outcomes with these tokens. */
export type Tokens = { prefixes: bigint[]; lines: number[] };

const prefix = new BigUint64Array(1);
const bytes = Buffer.from(prefix.buffer);

/** Stores the hash of a play URL's token, with the line number of the URL's outcome. */
export function recordToken({ prefixes, lines }: Tokens, tokenHash: string, line: number): void {
  bytes.write(tokenHash, 'base64url');
  prefixes.push(prefix[0]!);
  lines.push(line);
}

/**
 * Returns the line numbers of a day's outcomes whose token already occurred, earlier on the same day or in `before`.
 */
export function repeatedLines(parts: readonly Tokens[], before: readonly Tokens[]): number[] {
  const all = BigUint64Array.from([...parts, ...before].flatMap(({ prefixes }) => prefixes)).sort();
  const repeated = new Set(all.filter((one, i) => one === all[i - 1]));
  if (repeated.size === 0) return [];
  const drawn = new Set(before.flatMap(({ prefixes }) => prefixes.filter((one) => repeated.has(one))));
  const today = parts.flatMap(({ prefixes, lines }) =>
    prefixes.flatMap((prefix, i) => (repeated.has(prefix) ? [{ prefix, line: lines[i]! }] : [])),
  );
  return today
    .sort((a, b) => a.line - b.line)
    .filter(({ prefix }) => drawn.has(prefix) || !drawn.add(prefix))
    .map(({ line }) => line);
}
