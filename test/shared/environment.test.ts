import { afterEach, expect, test, vi } from 'vitest';
import {
  currentStage,
  optionalVariable,
  queueVariables,
  requiredVariable,
} from '../../shared/environment.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each([undefined, ''])(
  'a variable with the value %j is missing, and the error says what it is for',
  (value) => {
    vi.stubEnv('KEY_ARN', value);
    expect(optionalVariable('KEY_ARN')).toBeUndefined();
    expect(() => requiredVariable('KEY_ARN')).toThrow(
      "KEY_ARN is not set. It holds the key that protects webhooks' secrets.",
    );
  },
);

test('an unknown stage is refused', () => {
  vi.stubEnv('STAGE', 'staging');
  expect(currentStage()).toBe('staging');
  vi.stubEnv('STAGE', 'toString');
  expect(() => currentStage()).toThrow(
    'STAGE is "toString". It holds the stage: local, staging, production.',
  );
});

test('no two queues share a variable', () => {
  const names = Object.values(queueVariables).flatMap((ofQueue) => Object.values(ofQueue));
  expect(new Set(names).size).toBe(names.length);
});
