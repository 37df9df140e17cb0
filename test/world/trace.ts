/** The trace of a run, with one line per event. Identical runs have the same hash. */
import { createHash } from 'node:crypto';
import type { Timeline } from './timeline.ts';

export type Trace = {
  write(line: string): void;
  /** Returns the last 4,000 lines of the trace, oldest first. */
  last(): string[];
  /** Returns the SHA-256 of all lines so far, as hex. */
  hash(): string;
};

const maxKept = 4000;

/** Creates an empty trace. `each` is called with every line. */
export function createTrace(timeline: Timeline, each: (line: string) => void = () => {}): Trace {
  const hash = createHash('sha256');
  let lines: string[] = [];
  return {
    write(text) {
      const line = `${new Date(timeline.now()).toISOString()} ${text}`;
      hash.update(`${line}\n`);
      lines.push(line);
      if (lines.length >= 2 * maxKept) lines = lines.slice(-maxKept);
      each(line);
    },
    last: () => lines.slice(-maxKept),
    hash: () => hash.copy().digest('hex'),
  };
}
