import { afterEach, expect, test, vi } from 'vitest';
import { log } from '../../shared/log.ts';

/** Runs `write` with a minimum level. Returns the lines of the log. */
function linesOf(level: string, write: () => void): string[] {
  vi.stubEnv('LOG_LEVEL', level);
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  write();
  return printed.mock.calls.map(([line]) => String(line));
}
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test('the log of a failure has names and stacks of the error and its cause, and nothing else of them', () => {
  const cause = Object.assign(new RangeError('inner'), { secret: 's3cret' });
  const error = Object.assign(new TypeError('outer', { cause }), { email: 'anna@example.com' });
  const [line = '', other = ''] = linesOf('ERROR', () => {
    log.failure('work', error, { tries: 2 });
    log.failure('work', 'a text');
  });
  expect(JSON.parse(line)).toMatchObject({
    level: 'ERROR',
    message: 'work failed',
    tries: 2,
    error_name: 'TypeError',
    error_stack: expect.stringContaining('outer'),
    cause_name: 'RangeError',
    cause_stack: expect.stringContaining('inner'),
  });
  expect(JSON.parse(other)).toMatchObject({ message: 'work failed', error_name: 'string' });
  expect(line + other).not.toMatch(/s3cret|anna/);
  expect(other).not.toContain('cause');
});

test.each([
  ['INFO', 3],
  ['WARN', 2],
  ['ERROR', 1],
  ['SILENT', 0],
])('with the level %s, %i of the three levels are logged', (level, count) => {
  const write = () => {
    log.info('info');
    log.warn('warning');
    log.failure('work', new Error());
  };
  expect(linesOf(level, write)).toHaveLength(count);
});
