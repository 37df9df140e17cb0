/** Scores each file by the mutants that the tests detected, and stores the scores. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equivalents } from './equivalent.ts';
import { isInSample } from './sample.ts';

type Position = { line: number; column: number };
type Mutant = {
  status: string;
  mutatorName: string;
  replacement?: string;
  /** Counts lines and columns from 1. */
  location: { start: Position; end: Position };
};
/** Stryker's report, in the format of the mutation-testing-elements project. */
export type StrykerReport = { files: Record<string, { source: string; mutants: Mutant[] }> };

/** Counts of a file's mutants. `score` is the percentage of detected mutants and does not count equivalent ones. */
export type FileScore = { detected: number; undetected: number; equivalent: number; score: number };
/** A mutant that no test detected. `place` is its file and position, and `line` the mutated source line. */
export type Undetected = { place: string; line: string; replacement: string };

/**
 * Converts Stryker's report to scores. Ignores mutants outside the sample, which Stryker reports as errors.
 */
export function scoresOf(report: StrykerReport): {
  files: Record<string, FileScore>;
  undetected: Undetected[];
} {
  const files: Record<string, FileScore> = {};
  const undetected: Undetected[] = [];
  for (const [file, { source, mutants }] of Object.entries(report.files)) {
    const lines = source.split('\n');
    const score = { detected: 0, undetected: 0, equivalent: 0, score: 100 };
    for (const { status, replacement = '', location } of mutants) {
      const line = lines[location.start.line - 1]!.trim();
      if (status === 'Killed' || status === 'Timeout') score.detected++;
      else if (status !== 'Survived' && (status !== 'NoCoverage' || !isSampled(file, location, replacement)))
        continue;
      else if (isEquivalent(file, line, replacement)) score.equivalent++;
      else {
        score.undetected++;
        undetected.push({ place: `${file}:${location.start.line}`, line, replacement });
      }
    }
    score.score = percentage(score);
    if (score.detected + score.undetected > 0) files[file] = score;
  }
  return { files, undetected };
}

/** Returns the percentage of detected mutants, with one decimal. Returns 100 if there are no mutants. */
export function percentage({ detected, undetected }: { detected: number; undetected: number }): number {
  const all = detected + undetected;
  return all === 0 ? 100 : Math.round((1000 * detected) / all) / 10;
}

const fromZero = ({ line, column }: Position) => ({ line: line - 1, column: column - 1 });
const isSampled = (fileName: string, { start, end }: Mutant['location'], replacement: string) =>
  isInSample({ fileName, location: { start: fromZero(start), end: fromZero(end) }, replacement });

const isEquivalent = (file: string, line: string, replacement: string): boolean =>
  equivalents.some(
    (one) =>
      (one.file ?? file) === file &&
      line.includes(one.line) &&
      [one.replacement ?? replacement].flat().includes(replacement),
  );

/** Mutation scores of a folder (see `rooms.ts`). `share` and `seed` identify the sample of mutants. */
export type RoomScore = {
  date: string;
  share: number;
  seed: string;
  score: number;
  files: Record<string, FileScore>;
};

const stored = join(import.meta.dirname, 'scores.json');

/** Reads the stored scores of all rooms (mutated folders), by room name. */
export const storedScores = (): Record<string, RoomScore> =>
  existsSync(stored) ? JSON.parse(readFileSync(stored, 'utf8')) : {};

/** Stores the scores of one room (a mutated folder). The stored scores of other rooms remain unchanged. */
export function storeScore(room: string, score: RoomScore): void {
  const all = Object.entries({ ...storedScores(), [room]: score }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(stored, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
