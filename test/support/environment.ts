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

const before = { ...process.env };
// Silences the logs. A test that checks log lines sets its own `LOG_LEVEL`.
const silence = { LOG_LEVEL: 'SILENT' };
Object.assign(process.env, stage.environment, silence);

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
