import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { functionNames } from '../../infra/bundle.ts';

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

test('a stage that is not deployed is refused in words, without a stack trace', async () => {
  const { stderr } = await synth({ stage: 'local' });
  expect(stderr.trim()).toBe(
    'There is no stage "local" to deploy. Say which: -c stage=staging or -c stage=production',
  );
});

describe('without a stage', () => {
  let assembly: string;
  beforeAll(async () => {
    assembly = (await synth({})).folder;
  });
  /** Runs the CDK command itself, without credentials: both its outputs as one text, and how it ended. */
  async function cdk(...args: string[]) {
    const named = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
    const env = {
      ...Object.fromEntries(named),
      HOME: scratch,
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    const command = [join(root, 'node_modules/aws-cdk/bin/cdk'), ...args, '--app', assembly];
    const run = promisify(execFile)(process.execPath, command, { cwd: root, env });
    const ended = await run.catch((error) => error as { stdout: string; stderr: string });
    return { output: ended.stdout + ended.stderr, ok: !('code' in ended) };
  }

  test('cdk deploy says what to type', async () => {
    const { output, ok } = await cdk('deploy');
    expect(output).toContain('No stage is given. Say which: -c stage=staging or -c stage=production');
    expect(ok).toBe(false);
  });

  test('cdk bootstrap lacks nothing but credentials', async () => {
    expect((await cdk('bootstrap')).output).toContain('Unable to resolve AWS account to use');
    const { output } = await cdk('bootstrap', 'aws://123456789012/us-east-1');
    expect(output).toContain('no credentials have been configured');
  });

  test('the stack is named for what it is', () => {
    expect(readdirSync(assembly)).toContain('no-stage-given.template.json');
  });
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
