import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
/** Temporary folder for the stacks that a test file synthesizes. Deleted when the process exits. */
export const scratch = mkdtempSync(join(tmpdir(), 'incentives-stacks-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/**
 * Synthesizes the CDK app like the CDK command, but without checking CloudFormation's rules, which takes seconds.
 * `context` overrides cdk.json.
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
