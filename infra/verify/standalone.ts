/** The entry point of the bundle. Worker threads run this file too. */
import { isMainThread } from 'node:worker_threads';
import { runVerify } from './cli.ts';
import { serveSlice } from './worker-slices.ts';

if (isMainThread) process.exitCode = await runVerify(process.argv.slice(2), new URL(import.meta.url));
else serveSlice();
