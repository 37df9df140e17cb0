/**
 * Sets the local stage's environment variables before each test file, and restores the previous variables
 * afterwards.
 */
import { afterAll } from 'vitest';
import { stage } from './stage.ts';

const before = { ...process.env };
// Silences the logs. A test that checks log lines sets its own `LOG_LEVEL`.
const silence = { LOG_LEVEL: 'SILENT' };
Object.assign(process.env, stage.environment, silence);

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
