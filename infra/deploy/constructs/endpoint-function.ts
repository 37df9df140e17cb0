import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Route } from '../../../shared/api/route.ts';
import { authorizerAccess, endpointFunction } from '../endpoints.ts';
import { createFunction, idOf } from './lambda-function.ts';
import type { StageResources } from './stage-resources.ts';

/** The function of one endpoint; one of play pages may have concurrent executions of its own. */
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
 * The function that API Gateway asks whose an API key is; it reads that key's item. Without a number of concurrent
 * executions reserved for it, it shares the account's with all other functions.
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
