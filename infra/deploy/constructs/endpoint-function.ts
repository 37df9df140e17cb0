import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Route } from '../../../shared/api/route.ts';
import { endpointFunctionOptions } from '../endpoints.ts';
import { constructIdOf, createFunction } from './lambda-function.ts';
import type { StageResources } from './stage-resources.ts';

export type EndpointOptions = { logGroup: LogGroup; reservedConcurrency: number | undefined };

export function createEndpointFunction(
  scope: Construct,
  { name, access }: Pick<Route, 'name' | 'access'>,
  resources: StageResources,
  options: EndpointOptions,
): LambdaFunction {
  const home = new Construct(scope, constructIdOf(name));
  return createFunction(home, { name, access, ...endpointFunctionOptions, ...options }, resources);
}
