import { optionalVariable } from './environment.ts';

export type MetricName =
  | 'BookFindings'
  | 'CashAheadOfOdds'
  | 'ClaimsDue'
  | 'LateBooks'
  | 'LateDrawings'
  | 'LateTimestamps'
  | 'OverdueSpinShards'
  | 'UncheckedBooks'
  | 'WebhooksSwitchedOff';

/**
 * Adds `value` to a CloudWatch metric: writes a log line in the embedded metric format. Does nothing without
 * `METRICS_NAMESPACE`.
 */
export function countMetric(name: MetricName, value: number): void {
  const Namespace = optionalVariable('METRICS_NAMESPACE');
  if (!Namespace) return;
  const Metrics = [{ Name: name, Unit: 'Count' }];
  const _aws = {
    Timestamp: Date.now(),
    CloudWatchMetrics: [{ Namespace, Dimensions: [['service']], Metrics }],
  };
  console.log(JSON.stringify({ _aws, service: 'incentives', [name]: value }));
}
