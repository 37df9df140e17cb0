import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
/** Where files of tests have their stacks; it is gone when their process ends. */
export const scratch = mkdtempSync(join(tmpdir(), 'incentives-stacks-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/**
 * Runs the app as the CDK command does, with the command line's context, but without CloudFormation's rules: what checks
 * them takes as long as all else, and `validated` stacks are checked. Returns the folder of what it made.
 */
export async function synth(context: Record<string, string>) {
  const settings = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));
  const folder = mkdtempSync(join(scratch, 'synth-'));
  const CDK_CONTEXT_JSON = JSON.stringify({ ...settings.context, ...context });
  const [, ...args] = settings.app.split(' ');
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON, CDK_VALIDATION: 'false' };
  const run = promisify(execFile)(process.execPath, args, { cwd: root, env });
  return { folder, ...(await run.catch((error) => error as { stderr: string; code: number })) };
}
