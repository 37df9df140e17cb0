/**
 * Sets the local stage's environment variables before each test file, and restores the previous variables
 * afterwards.
 */
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { stage } from './stage.ts';

/** The seed of all properties. `npm run nightly` sets a new one. */
const fuzzSeed = Number(process.env.FUZZ_SEED ?? 20261128);
fc.configureGlobal({ seed: fuzzSeed });

// Requests and answers share a process. If it stalls for ten seconds, a connection that was made in time counts as
// timed out, before anything was sent.
const connect = globalThis.fetch;
globalThis.fetch = (...args) =>
  connect(...args).catch((error: { cause?: { code?: string } }) => {
    if (error.cause?.code !== 'UND_ERR_CONNECT_TIMEOUT') throw error;
    return connect(...args);
  });

const before = { ...process.env };
// Silences the logs. A test that checks log lines sets its own `LOG_LEVEL`.
const silence = { LOG_LEVEL: 'SILENT' };
Object.assign(process.env, stage.environment, silence);

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
