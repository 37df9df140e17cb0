import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const probe = `
import { createRequire } from 'node:module';
const require = createRequire(process.execPath);
const file = process.argv[1];
const before = process.cpuUsage();
const started = performance.now();
file.endsWith('.mjs') ? await import(file) : require(file);
const time = performance.now() - started;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ time, cpu: (user + system) / 1000 }));`;

/** Loads a bundle in a new process that compiles it, as in AWS. Returns time and CPU time in milliseconds. */
export async function load(file: string): Promise<{ time: number; cpu: number }> {
  const args = ['--input-type=module', '-e', probe, file];
  const env = {
    ...process.env,
    NODE_DISABLE_COMPILE_CACHE: '1',
    AWS_REGION: 'us-east-1',
    TABLE_NAME: 'none',
  };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}
