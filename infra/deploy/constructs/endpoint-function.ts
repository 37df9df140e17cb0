import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Route } from '../../../shared/api/route.ts';
import { authorizerAccess, endpointFunction } from '../endpoints.ts';
import { createFunction, idOf } from './lambda-function.ts';
import type { StageResources } from './stage-resources.ts';

/**
 * Creates the Lambda function of an endpoint. For an endpoint of the play pages, `playConcurrency` is the
 * function's reserved concurrency.
 */
export function createEndpointFunction(
  scope: Construct,
  { name, access, credential }: Pick<Route, 'name' | 'access' | 'credential'>,
  resources: StageResources,
  playConcurrency?: number,
): LambdaFunction {
  const home = new Construct(scope, idOf(name));
  const reservedConcurrency = credential === 'play-token' ? playConcurrency : undefined;
  return createFunction(home, { name, access, ...endpointFunction, reservedConcurrency }, resources);
}

/**
 * Creates the authorizer's Lambda function, which reads the DynamoDB item of an API key. Without reserved
 * concurrency, the authorizer shares the account's concurrency quota with all other functions.
 */
export function createAuthorizerFunction(
  scope: Construct,
  resources: StageResources,
  reservedConcurrency?: number,
): LambdaFunction {
  const authorizer = { name: 'authorizer', access: authorizerAccess, ...endpointFunction };
  const home = new Construct(scope, authorizer.name);
  return createFunction(home, { ...authorizer, reservedConcurrency }, resources);
}
