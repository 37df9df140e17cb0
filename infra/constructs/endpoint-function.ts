import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Access, Route } from '../../shared/api/route.ts';
import { createFunction, idOf } from './lambda-function.ts';
import type { StageResources } from './stage-resources.ts';

// One second less than API Gateway waits, so that a request that takes too long ends with a line in the function's log.
const timeoutSeconds = 28;
// Memory brings CPU with it: with more, a cold start hardly gets faster.
const memoryMb = 1024;

/** The function of one endpoint. */
export function createEndpointFunction(
  scope: Construct,
  { name, access }: Pick<Route, 'name' | 'access'>,
  resources: StageResources,
): LambdaFunction {
  const home = new Construct(scope, idOf(name));
  return createFunction(home, { name, access, timeoutSeconds, memoryMb }, resources);
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
  const authorizer = { name: 'authorizer', access: authorizerAccess, timeoutSeconds, memoryMb };
  const home = new Construct(scope, authorizer.name);
  return createFunction(home, { ...authorizer, reservedConcurrency }, resources);
}

/** What the authorizer may reach. */
export const authorizerAccess: Access = { table: ['GetItem'] };
