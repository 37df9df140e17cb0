import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

const metrics = new Metrics({ serviceName: 'incentives' });

/** Counts something that an alarm or a person looks at, under the stage's namespace. */
export function count(name: string, value: number): void {
  metrics.addMetric(name, MetricUnit.Count, value);
  metrics.publishStoredMetrics();
}
