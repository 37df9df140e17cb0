import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { Problem } from '../../../../infra/common/problem.ts';
import { startDynamodb } from '../../../../infra/develop/local/dynamodb.ts';

const own = mkdtempSync(join(tmpdir(), 'incentives-java-'));
afterAll(() => rmSync(own, { recursive: true, force: true }));

/** Starts DynamoDB Local with a shell script in place of `java`. Returns the error message. */
async function problemWith(script: string): Promise<string> {
  const folder = mkdtempSync(join(own, 'bin-'));
  writeFileSync(join(folder, 'java'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', [folder, process.env.PATH].join(delimiter));
  const problem = await startDynamodb().catch((error: unknown) => error);
  vi.unstubAllEnvs();
  expect(problem).toBeInstanceOf(Problem);
  return (problem as Problem).message;
}

describe('DynamoDB Local is not started', () => {
  const says = (version: string) => `echo 'openjdk version "${version}" 2021-01-01' >&2`;

  test.each([
    [
      'Java 8',
      says('1.8.0_392'),
      'DynamoDB Local needs Java 17 or newer, but this is Java 8. Install Java 17',
    ],
    [
      'Java 11',
      says('11.0.20'),
      'DynamoDB Local needs Java 17 or newer, but this is Java 11. Install Java 17',
    ],
    ['a Java that fails', 'echo broken >&2; exit 3', 'but `java -version` failed'],
    ['a Java that says nothing', 'exit 0', 'Install Java 17'],
    [
      'a Java that ends at once',
      `test "$1" = -version && ${says('21.0.1')} || exit 7`,
      'exited during startup (exit code 7)',
    ],
  ])('with %s, and says so', async (_, script, message) => {
    expect(await problemWith(script)).toContain(message);
  });

  test('with a file for its folder, and says so', async () => {
    const file = join(own, 'file');
    writeFileSync(file, '');
    await expect(startDynamodb({ folder: file })).rejects.toThrow(`Cannot keep data in ${file}: `);
  });
});
