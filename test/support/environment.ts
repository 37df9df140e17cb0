/** Runs before each file of tests: it finds the stage by its environment, and leaves no change to it for the next. */
import { afterAll, inject } from 'vitest';

const before = { ...process.env };
// What functions log is for operators; a test looks at what they answer.
const silence = { LOG_LEVEL: 'SILENT' };
Object.assign(process.env, inject('stage').environment, silence);

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
