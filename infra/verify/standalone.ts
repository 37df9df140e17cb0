import { isMainThread } from 'node:worker_threads';
import { runVerify } from './cli.ts';
import { runCheckInThread } from './limits.ts';

if (isMainThread)
  process.exitCode = await runVerify(process.argv.slice(2), 'node verify.mjs', new URL(import.meta.url));
else runCheckInThread();
