import { Duration } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Route } from '../../../shared/api/route.ts';
import { slowAfterMs } from '../endpoints.ts';
import { type DeployedStage, stackNameOf } from '../stages.ts';
import type { AlarmCondition } from './alarm-conditions.ts';
import { accessLogFields } from './api.ts';
import { functionNameOf } from './lambda-function.ts';

export type MonitoredEndpoint = Pick<Route, 'name' | 'method' | 'path'>;

const fiveMinutes = Duration.minutes(5);

/** Returns the alarm condition for an API that answers at least five requests with 5XX within five minutes. */
export function apiFailures(id: string, api: RestApi): AlarmCondition {
  return {
    id,
    metric: api.metricServerError({ period: fiveMinutes, statistic: Stats.SUM }),
    threshold: 5,
    runbook:
      'Requests fail with 5XX. Find them in the access log by status. If "refused" names a response type, the gateway answered ' +
      'because the function was throttled, crashed or timed out. Otherwise find the error by request_id in the log of ' +
      "that path's function. Callers may retry: an idempotency key takes effect once.",
  };
}

const failedRequests = 'FailedRequests';

/** Counts 5XX responses per endpoint from the access log. */
export function createFailureMetric(scope: Construct, accessLog: LogGroup, stage: DeployedStage): void {
  new MetricFilter(scope, 'Failures', {
    logGroup: accessLog,
    filterPattern: FilterPattern.stringValue('$.status', '=', '5*'),
    metricNamespace: stackNameOf(stage),
    metricName: failedRequests,
    dimensions: { method: '$.method', path: '$.path' },
  });
}

export const failureMetric = ({ method, path }: MonitoredEndpoint, stage: DeployedStage): Metric =>
  new Metric({
    namespace: stackNameOf(stage),
    metricName: failedRequests,
    dimensionsMap: { method, path },
    statistic: Stats.SUM,
    period: fiveMinutes,
  });

/**
 * Returns the alarm condition for any endpoint that has 5XX responses in three successive periods of five minutes. A
 * rarely used endpoint may never reach the threshold of `apiFailures`.
 */
export function endpointFailures(stage: DeployedStage): AlarmCondition {
  return {
    id: 'endpoint-failures',
    metric: queryOf(
      `SELECT SUM(${failedRequests}) FROM SCHEMA("${stackNameOf(stage)}", method, path) ` +
        'GROUP BY method, path ORDER BY SUM() DESC',
    ),
    threshold: 1,
    periods: 3,
    runbook:
      'One endpoint has failed with 5XX for 15 minutes, even if it gets few requests: it does not work for users. The ' +
      "alarm's contributors and the dashboard show which. In Logs Insights, query the access log: filter " +
      `${accessLogFields('status')} like /^5/ | stats count(*) by ${accessLogFields('method', 'path', 'status', 'refused')}. ` +
      'If "refused" names a response type, the gateway answered because the ' +
      "function was throttled, crashed or timed out. Otherwise find the error by request_id in the function's log. If the " +
      'failures began with a deploy, deploy the previous version. Hosts may retry: an idempotency key takes effect once.',
  };
}

const queryOf = (expression: string): IMetric =>
  new MathExpression({ expression, usingMetrics: {}, period: fiveMinutes });

export const durationMetric = (name: string, stage: DeployedStage, statistic: string): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Duration',
    dimensionsMap: { FunctionName: functionNameOf(name, stage) },
    statistic,
    period: fiveMinutes,
  });

/** The alarm condition for an API that is slow for 15 minutes. Its latency includes the authorizer and cold starts. */
export function slowResponses(id: string, api: RestApi): AlarmCondition {
  return {
    id,
    metric: api.metricLatency({ period: fiveMinutes, statistic: Stats.p(99) }),
    threshold: slowAfterMs,
    periods: 3,
    runbook:
      `For 15 minutes, 1% of requests took more than ${slowAfterMs / 1000} s. Hosts wait, and may time out and retry, ` +
      'which idempotency keys make safe; users see a page that does nothing. The dashboard shows the slow endpoints. If ' +
      'all are slow, look at throttles and at the health of DynamoDB. Otherwise query the access log in Logs Insights: ' +
      `filter ${accessLogFields('path')} = "…" | sort ${accessLogFields('function_milliseconds')} desc. ` +
      'Slow requests of one user conflict on its item and retry for up to 10 s; many wins of cash at once conflict on ' +
      "the day's cash. The endpoint's log has details, by function_request_id.",
  };
}
