import { optionalVariable } from './environment.ts';

/**
 * Adds `value` to a CloudWatch metric in the stage's namespace. Writes a log line in the embedded metric
 * format, from which CloudWatch makes the metric. Does nothing if `METRICS_NAMESPACE` is not set.
 */
export function count(name: string, value: number): void {
  const Namespace = optionalVariable('METRICS_NAMESPACE');
  if (!Namespace) return;
  const Metrics = [{ Name: name, Unit: 'Count' }];
  const _aws = {
    Timestamp: Date.now(),
    CloudWatchMetrics: [{ Namespace, Dimensions: [['service']], Metrics }],
  };
  console.log(JSON.stringify({ _aws, service: 'incentives', [name]: value }));
}
