import { optionalVariable } from './environment.ts';

/**
 * Counts something that an alarm or a person looks at, under the stage's namespace: a line in CloudWatch's embedded
 * metric format, from which CloudWatch makes the metric. None without a namespace.
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
