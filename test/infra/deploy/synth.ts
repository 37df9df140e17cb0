import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
/** Folder for the synthesized stacks of a test file. Deleted when the process exits. */
export const scratch = mkdtempSync(join(tmpdir(), 'incentives-stacks-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/**
 * Synthesizes the app like the CDK command, with this context. Skips CloudFormation's rules, which double the
 * time; other tests apply them by `validated`. Returns the output folder and the process's output.
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
