import { vi } from 'vitest';

/** Returns the values by which `run` counts a CloudWatch metric, in order. */
export async function counted(metric: string, run: () => Promise<unknown>): Promise<number[]> {
  vi.stubEnv('METRICS_NAMESPACE', 'test');
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await run();
    return printed.mock.calls.flatMap(([line]) => JSON.parse(String(line))[metric] ?? []);
  } finally {
    printed.mockRestore();
    vi.stubEnv('METRICS_NAMESPACE', undefined);
  }
}
