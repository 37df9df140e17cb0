import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { functionNames } from '../../infra/bundle.ts';

const root = join(import.meta.dirname, '../..');
const settings = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));

/** Runs the app as the CDK command does, with the command line's context. */
async function synth(context: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'incentives-synth-'));
  const CDK_CONTEXT_JSON = JSON.stringify({ ...settings.context, ...context });
  const [, ...args] = settings.app.split(' ');
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON };
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env });
  return { folder, ...(await run.catch((error) => error as { stderr: string; code: number })) };
}

test('without a stage, or with one that is not deployed, the app says which there are', async () => {
  const [none, unknown, bad] = await Promise.all([
    synth({}),
    synth({ stage: 'local' }),
    synth({ stage: 'staging', publicUrl: 'http://example.com' }),
  ]);
  for (const { stderr } of [none, unknown])
    expect(stderr).toContain('-c stage=staging or -c stage=production');
  expect(unknown.stderr).toContain('"local"');
  expect(bad.stderr).toContain('https');
  for (const { stderr } of [none, unknown, bad]) expect(stderr).not.toContain('    at ');
});

test('the app bundles every function, each into an asset of its own', async () => {
  const { folder } = await synth({ stage: 'staging' });
  const { Resources } = JSON.parse(readFileSync(join(folder, 'incentives-staging.template.json'), 'utf8'));
  // biome-ignore lint/suspicious/noExplicitAny: a resource of a template
  const functions = (Object.values(Resources) as any[]).filter(
    ({ Type }) => Type === 'AWS::Lambda::Function',
  );
  expect(functions).toHaveLength(functionNames().length);
  const keys = functions.map(({ Properties }) => Properties.Code.S3Key.replace('.zip', ''));
  expect(new Set(keys).size).toBe(functions.length);
  for (const key of keys) expect(existsSync(join(folder, `asset.${key}`, 'index.js'))).toBe(true);
});
