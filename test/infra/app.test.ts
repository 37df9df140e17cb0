import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { functionNames } from '../../infra/bundle.ts';
import { readOptions } from '../../infra/options.ts';

const root = join(import.meta.dirname, '../..');
const settings = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));

const scratch = mkdtempSync(join(tmpdir(), 'incentives-synth-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the app as the CDK command does, with the command line's context. */
async function synth(context: Record<string, string>) {
  const folder = mkdtempSync(join(scratch, 'out-'));
  const CDK_CONTEXT_JSON = JSON.stringify({ ...settings.context, ...context });
  const [, ...args] = settings.app.split(' ');
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON };
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env });
  return { folder, ...(await run.catch((error) => error as { stderr: string; code: number })) };
}

test.each([
  ['no stage', {}, 'No stage is given. Say which: -c stage=staging or -c stage=production'],
  ['a stage that is not deployed', { stage: 'local' }, 'no stage "local"'],
  [
    'an address that is not https',
    { stage: 'staging', publicUrl: 'http://example.com' },
    'must be an https address',
  ],
])('%s is refused', (_, context: Record<string, string>, message) => {
  expect(() => readOptions((name) => context[name])).toThrow(message);
});

test('an address with a path, and a mail for alarms, are taken', () => {
  const context: Record<string, string> = {
    stage: 'production',
    publicUrl: 'https://a.example.com/v1',
    alarmEmail: 'a@b.c',
  };
  expect(readOptions((name) => context[name])).toEqual(context);
});

test('the app says what to type, without a stack trace', async () => {
  const { stderr } = await synth({});
  expect(stderr.trim()).toBe('No stage is given. Say which: -c stage=staging or -c stage=production');
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
}, 300_000);
