import { createHash } from 'node:crypto';
import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.ts';

/**
 * Gives a test file exclusive use of one of the stage's queues. Other test files that ask for the queue wait
 * until this file ends.
 */
export function haveAlone(queueUrl: () => string): void {
  const lockFolder = () => join(tmpdir(), `alone-${createHash('sha256').update(queueUrl()).digest('hex')}`);
  beforeAll(() => eventually(() => mkdirSync(lockFolder())));
  afterAll(() => rmdirSync(lockFolder()));
}
