/** Selects a random share of the mutants. The same seed selects the same mutants again. */
import { createHash } from 'node:crypto';

type Position = { line: number; column: number };
/** `location` counts lines and columns from 0. */
type Mutant = {
  fileName: string;
  location: { start: Position; end: Position };
  replacement?: string | undefined;
};

/** Returns whether a mutant is in the random sample: the fraction `MUTANT_SHARE` of all, drawn with `MUTANT_SEED`. */
export function isInSample({ fileName, location: { start, end }, replacement }: Mutant): boolean {
  const { MUTANT_SHARE: share = 1, MUTANT_SEED: seed = '1' } = process.env;
  const file = fileName.replace(/^.*?\/(?=(shared|infra|functions)\/)/, '');
  const positions = {
    start: { line: start.line, column: start.column },
    end: { line: end.line, column: end.column },
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, file, positions, replacement]))
    .digest();
  return digest.readUInt32BE() / 2 ** 32 < Number(share);
}
