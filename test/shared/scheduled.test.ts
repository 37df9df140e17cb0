import { afterEach, expect, test, vi } from 'vitest';
import { scheduledTime } from '../../shared/scheduled.ts';
import { stages } from '../../shared/stage.ts';

afterEach(() => void vi.unstubAllEnvs());

const day = 86_400_000;

test.each(stages)('on %s, a schedule’s time is at most a minute ahead, except locally', (stage) => {
  vi.stubEnv('STAGE', stage);
  const now = Date.parse('2026-03-10T15:00:00.000Z');
  const aheadOf = (ms: number) => scheduledTime({ now: new Date(now + ms).toISOString() }, now) - now;
  const accepted = [-1000, 59_999, 60_000, 60_001, day].map(aheadOf);
  expect(accepted).toEqual([0, 59_999, 60_000, ...(stage === 'local' ? [60_001, day] : [60_000, 60_000])]);
});
