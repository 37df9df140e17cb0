import { optionalVariable } from './environment.ts';

/**
 * Counts a metric in the stage's namespace by a log line in CloudWatch's embedded metric format. Does nothing
 * if the stage has no namespace.
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
