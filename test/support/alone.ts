import { createHash } from 'node:crypto';
import { mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.ts';

/** Gives a test file exclusive use of a queue until the file ends. Other files wait. */
export function haveAlone(queueUrl: () => string): void {
  const lockFolder = () => join(tmpdir(), `alone-${createHash('sha256').update(queueUrl()).digest('hex')}`);
  beforeAll(() => eventually(() => mkdirSync(lockFolder())));
  afterAll(() => rmdirSync(lockFolder()));
}
