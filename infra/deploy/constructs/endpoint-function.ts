import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Route } from '../../../shared/api/route.ts';
import { authorizerAccess, endpointFunction } from '../endpoints.ts';
import { createFunction, idOf } from './lambda-function.ts';
import type { StageResources } from './stage-resources.ts';

/** Creates an endpoint's Lambda function. `playConcurrency` is the reserved concurrency of play pages' functions. */
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
 * Creates the authorizer's Lambda function. If `reservedConcurrency` is undefined, the function uses the account's
 * unreserved concurrency.
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
