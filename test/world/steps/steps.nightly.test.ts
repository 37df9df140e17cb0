import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionNames } from '../../../infra/deploy/bundle.ts';
import { lifetimes } from '../../infra/deploy/manifest.ts';

type Result = { exitCode: number; rows: string[][]; text: string };

/** Runs `npm run simulate -- --steps`. Returns the exit code and the rows of the table. */
function simulateSteps(...args: string[]): Promise<Result> {
  const script = join(import.meta.dirname, '../simulate.ts');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, '--steps', ...args], (error, text) => {
      const rows = text.split('\n').filter((line) => line.startsWith('| '));
      const cells = rows.slice(2).map((row) => row.split(' | '));
      resolve({ exitCode: Number(error?.code ?? 0), rows: cells, text });
    });
  });
}

test('all flows succeed and use every function and lifetime, and no fault in a step breaks a rule', async () => {
  const { exitCode, rows, text } = await simulateSteps('--only', 'a user is created');
  expect(text).not.toContain('BROKEN');
  expect(exitCode).toBe(0);
  const lines = text.split('\n');
  // The functions for the documentation use no AWS service, so no flow covers them.
  expect(functionNames().filter((name) => !lines.includes(name))).toEqual(['docs/file', 'docs/open']);
  expect(lines).toEqual(expect.arrayContaining(Object.keys(lifetimes)));
  const [[, calls, steps, tried] = []] = rows;
  expect(calls).toBe('authorizer GetItem, users/create TransactWriteItems');
  expect([steps, tried]).toEqual(['2', '8']);
  // All flows take a minute of an idle processor.
}, 900_000);
