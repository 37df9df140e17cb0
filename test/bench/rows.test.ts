import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';

type Line = { name: string; value?: number; error?: string; isExact?: boolean; met?: boolean };

/** Runs the bench at its smallest size, in its own process, because rows replace AWS clients and environments. */
async function smallest(): Promise<{ rows: Line[]; failure?: string }> {
  const [database, browser] = await Promise.all(
    (['dynamodbLocal', 'browser'] as const).map(async (program) => (await fetch(inject(program))).text()),
  );
  const env = { ...process.env, BENCH_DYNAMODB: database, BENCH_BROWSER: browser };
  const args = [join(import.meta.dirname, 'main.ts'), '--smallest', '--json'];
  const ended = await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 26 }).catch(
    ({ stdout, stderr }) => ({ stdout, failure: String(stderr) }),
  );
  const lines = ended.stdout.match(/^\{.*\}$/gm) ?? [];
  return { ...ended, rows: lines.map((line: string) => JSON.parse(line)) };
}

describe('the bench at its smallest size', async () => {
  const { rows, failure } = await smallest();

  test('ends without an error', () => {
    expect(failure).toBeUndefined();
    expect(rows.filter(({ isExact }) => isExact).length).toBeGreaterThanOrEqual(6);
  });

  test.each(rows)('has a value for $name', ({ value, error }) => {
    expect(error).toBeUndefined();
    expect(value).toBeTypeOf('number');
  });

  test.each(rows.filter(({ isExact }) => isExact))('meets the target of $name', ({ met }) => {
    expect(met).toBe(true);
  });
});
