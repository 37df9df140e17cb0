/** Checks that no play URL was drawn twice. Two users can share one, so a check needs all users' outcomes. */

/** The first eight bytes of each token's hash, and the lines of their outcomes. `count` are in use. */
export type Tokens = { prefixes: BigUint64Array; lines: Uint32Array; count: number };

export const noTokens = (): Tokens => ({
  prefixes: new BigUint64Array(16),
  lines: new Uint32Array(16),
  count: 0,
});

const prefix = new BigUint64Array(1);
const bytes = Buffer.from(prefix.buffer);

/** Stores the hash of a play URL's token. `line` is the line of its outcome. */
export function noteToken(tokens: Tokens, tokenHash: string, line: number): void {
  const { count } = tokens;
  if (count === tokens.lines.length) {
    const { prefixes, lines } = tokens;
    Object.assign(tokens, {
      prefixes: new BigUint64Array(2 * count),
      lines: new Uint32Array(2 * count),
    });
    tokens.prefixes.set(prefixes);
    tokens.lines.set(lines);
  }
  bytes.write(tokenHash, 'base64url');
  tokens.prefixes[count] = prefix[0]!;
  tokens.lines[count] = line;
  tokens.count++;
}

/**
 * Returns the lines of a day's outcomes whose token was drawn before, on the same day or the day `before`.
 */
export function repeatedLines(parts: readonly Tokens[], before: readonly Tokens[]): number[] {
  const repeated = repeatedPrefixes([...parts, ...before]);
  if (repeated.size === 0) return [];
  const earlier = new Set(before.flatMap((part) => placesOf(part, repeated).map(({ prefix }) => prefix)));
  const today = parts.flatMap((part) => placesOf(part, repeated)).sort((a, b) => a.line - b.line);
  return today.flatMap(({ prefix, line }) => {
    const isRepeated = earlier.has(prefix);
    earlier.add(prefix);
    return isRepeated ? [line] : [];
  });
}

function repeatedPrefixes(parts: readonly Tokens[]): Set<bigint> {
  const all = new BigUint64Array(parts.reduce((sum, { count }) => sum + count, 0));
  let end = 0;
  for (const { prefixes, count } of parts) {
    all.set(prefixes.subarray(0, count), end);
    end += count;
  }
  all.sort();
  const repeated = new Set<bigint>();
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1]) repeated.add(all[i]!);
  return repeated;
}

function placesOf({ prefixes, lines, count }: Tokens, wanted: ReadonlySet<bigint>) {
  const found: { prefix: bigint; line: number }[] = [];
  for (let i = 0; i < count; i++) {
    if (wanted.has(prefixes[i]!)) found.push({ prefix: prefixes[i]!, line: lines[i]! });
  }
  return found;
}
