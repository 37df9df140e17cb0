/** The trace of a world: a line for everything that happens, in order. Two worlds are the same if their traces are. */
import { createHash } from 'node:crypto';
import type { Timeline } from './timeline.ts';

/** A trace that is being written. */
export type Trace = {
  write(line: string): void;
  /** The last lines, oldest first. */
  last(): string[];
  /** SHA-256 of all lines so far, in hex. */
  hash(): string;
};

const mostKept = 4000;

/** Begins a trace; `each` is told of every line. */
export function createTrace(timeline: Timeline, each: (line: string) => void = () => {}): Trace {
  const hash = createHash('sha256');
  let lines: string[] = [];
  return {
    write(text) {
      const line = `${new Date(timeline.now()).toISOString()} ${text}`;
      hash.update(`${line}\n`);
      lines.push(line);
      if (lines.length >= 2 * mostKept) lines = lines.slice(-mostKept);
      each(line);
    },
    last: () => lines.slice(-mostKept),
    hash: () => hash.copy().digest('hex'),
  };
}
