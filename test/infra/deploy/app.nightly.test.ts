import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { synth } from './synth.ts';

const root = join(import.meta.dirname, '../../..');

test('an unknown stage is refused with a message, without a stack trace', async () => {
  const { stderr } = await synth({ stage: 'local' });
  expect(stderr.trim()).toBe(
    'There is no deployable stage "local". Choose one: -c stage=staging or -c stage=production',
  );
});

describe('without a stage', () => {
  let assembly: string;
  beforeAll(async () => {
    assembly = (await synth({})).folder;
  });
  /**
   * Runs the CDK command without AWS credentials. Returns the command's combined output, and whether the
   * command succeeded.
   */
  async function cdk(...args: string[]) {
    const named = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
    const env = {
      ...Object.fromEntries(named),
      HOME: dirname(assembly),
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    const command = [join(root, 'node_modules/aws-cdk/bin/cdk'), ...args, '--app', assembly];
    const run = promisify(execFile)(process.execPath, command, { cwd: root, env });
    const ended = await run.catch((error) => error as { stdout: string; stderr: string });
    return { output: ended.stdout + ended.stderr, ok: !('code' in ended) };
  }

  test('cdk deploy says what to type', async () => {
    const { output, ok } = await cdk('deploy');
    expect(output).toContain('No stage given. Choose one: -c stage=staging or -c stage=production');
    expect(ok).toBe(false);
  });

  test('cdk bootstrap lacks only credentials', async () => {
    const { output } = await cdk('bootstrap', 'aws://123456789012/us-east-1');
    expect(output).toContain('no credentials have been configured');
  });

  test('the empty stack is called no-stage-given', () => {
    expect(readdirSync(assembly)).toContain('no-stage-given.template.json');
  });
});
