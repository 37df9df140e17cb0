import { createHash } from 'node:crypto';
import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.ts';

/** Lets a file's tests have a queue of the stage for themselves: files that ask for the same one wait for each other. */
export function haveAlone(queueUrl: () => string): void {
  const place = () => join(tmpdir(), `alone-${createHash('sha256').update(queueUrl()).digest('hex')}`);
  beforeAll(() => eventually(() => mkdirSync(place())));
  afterAll(() => rmdirSync(place()));
}
