/** The entry point of the bundle. Worker threads run this file too. */
import { isMainThread, workerData } from 'node:worker_threads';
import { serveSlice } from '../../shared/books/verify/worker-slices.ts';
import { runVerify } from './cli.ts';
import { serveCheck } from './limits.ts';

const command = 'node verify.mjs';
const thisFile = new URL(import.meta.url);
if (isMainThread) process.exitCode = await runVerify(process.argv.slice(2), command, thisFile);
else if (workerData.check) await serveCheck(thisFile);
else serveSlice();
