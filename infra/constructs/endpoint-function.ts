import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Access, Route } from '../../shared/api/route.ts';
import { createFunction, idOf } from './lambda-function.ts';
import type { Surroundings } from './stage-resources.ts';

// One second less than API Gateway waits, so that it is the function that ends a request, and says so in its log.
const timeoutSeconds = 28;
// Memory brings CPU with it: this is where a cold start stops getting much faster.
const memoryMb = 1024;

/** The function of one endpoint. */
export function createEndpointFunction(
  scope: Construct,
  { name, access }: Pick<Route, 'name' | 'access'>,
  around: Surroundings,
): LambdaFunction {
  const home = new Construct(scope, idOf(name));
  return createFunction(home, { name, access, timeoutSeconds, memoryMb }, around);
}

/** The function that API Gateway asks whose an API key is; it reads that key's item. */
export function createAuthorizerFunction(scope: Construct, around: Surroundings): LambdaFunction {
  return createEndpointFunction(scope, { name: 'authorizer', access: authorizerAccess }, around);
}

/** What the authorizer may reach. */
export const authorizerAccess: Access = { table: ['GetItem'] };
