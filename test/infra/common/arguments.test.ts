import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { optionsOrExit, parseNumber, parseOptions } from '../../../infra/common/arguments.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a developer's command", () => {
  const usage = 'npm run example -- [--size <n>]';
  /** Reads the options of a command that was started with `args`. Returns what it printed before it ended. */
  function started(...args: string[]) {
    const argv = vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'main.ts', ...args]);
    const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`ended with ${code}`);
    });
    const out = vi.spyOn(console, 'log').mockReturnValue();
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const read = () => {
      const { values } = parseOptions({ args, options: { size: { type: 'string', default: '1' } } });
      return parseNumber('--size', values.size, [0, 1]);
    };
    let size: number | undefined;
    try {
      size = optionsOrExit(usage, read);
    } catch {}
    const printed = { out: out.mock.calls.flat(), error: error.mock.calls.flat() };
    const code = exit.mock.calls[0]?.[0];
    argv.mockRestore();
    return { size, code, ...printed };
  }

  test('gets its options', () => {
    expect(started('--size', '0.5')).toEqual({ size: 0.5, code: undefined, out: [], error: [] });
  });

  test.each(['--help', '-h'])('prints its usage for %s, even beside a mistake', (help) => {
    expect(started('--sise', help)).toEqual({ size: undefined, code: 0, out: [usage], error: [] });
  });

  test.each([
    [['--sise', '1'], "Unknown option '--sise'"],
    [['--size'], "Option '--size <value>' argument missing"],
    [['--size', '1.1'], '--size must be a number from 0 to 1, but is "1.1".'],
    [['--size', '-1'], 'argument is ambiguous'],
    [['--size', ' '], '--size must be a number from 0 to 1, but is " ".'],
    ...['x', '0x1', '1e-1', '+1', '1.', ' 1'].map((text): [string[], string] => [
      ['--size', text],
      `--size must be a number from 0 to 1, but is "${text}".`,
    ]),
  ])('explains %j without a stack', (args, message) => {
    const { error, ...ended } = started(...args);
    expect(ended).toEqual({ size: undefined, code: 2, out: [] });
    expect(error).toEqual([expect.stringContaining(message)]);
    expect(error[0]).toMatch(/\n\nnpm run example -- \[--size <n>\]$/);
  });

  test('still shows the stack of any other error', () => {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'main.ts']);
    const broken = () => {
      throw new TypeError('broken');
    };
    expect(() => optionsOrExit(usage, broken)).toThrow(TypeError);
  });
});

test('all commands parse their arguments here, except verify, which outsiders run alone', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync('{infra,test}/**/*.{ts,mjs}', { cwd: root });
  const parsing = files.filter((file) =>
    /\bparseArgs\b.*'node:util'/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(parsing.sort()).toEqual(['infra/common/arguments.ts', 'infra/verify/cli.ts']);
});
