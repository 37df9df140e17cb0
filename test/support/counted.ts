import { expect, vi } from 'vitest';

const day = 86_400_000;

/**
 * Returns the values by which `run` counts a CloudWatch metric, in order. Expects the embedded metric format, without
 * which CloudWatch drops the values.
 */
export async function counted(metric: string, run: () => Promise<unknown>): Promise<number[]> {
  vi.stubEnv('METRICS_NAMESPACE', 'test');
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await run();
    const lines = printed.mock.calls.map(([line]) => JSON.parse(String(line)));
    const values = lines.filter((line) => metric in line);
    for (const { _aws, service } of values) {
      expect(Math.abs(_aws.Timestamp - Date.now())).toBeLessThan(day);
      const Metrics = [{ Name: metric, Unit: 'Count' }];
      expect(_aws.CloudWatchMetrics).toEqual([{ Namespace: 'test', Dimensions: [['service']], Metrics }]);
      expect(service).toBe('incentives');
    }
    return values.map((line) => line[metric]);
  } finally {
    printed.mockRestore();
    vi.stubEnv('METRICS_NAMESPACE', undefined);
  }
}
