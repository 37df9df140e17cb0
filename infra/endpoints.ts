/** What all endpoints have in common, with the authorizer in front of them: plain data for the CDK app and its stand-ins. */

import type { Access } from '../shared/api/route.ts';
import { workers } from './workers.ts';

/** For how long API Gateway waits for a function. */
export const gatewayTimeoutSeconds = 29;

/** The functions of endpoints, and the authorizer's. */
export const endpointFunction = {
  // One second less than API Gateway waits, so that a request that takes too long ends with a line in the function's log.
  timeoutSeconds: gatewayTimeoutSeconds - 1,
  // Memory brings CPU with it: with more, a cold start hardly gets faster.
  memoryMb: 1024,
};

/** What the authorizer may reach. */
export const authorizerAccess: Access = { table: ['GetItem'] };

/** How long the authorizer's result for a key is kept. It only says whose the key is, so it is good for all requests. */
export const authorizerTtlSeconds = 60;

/** The time limit of a function, by its name. */
export const timeoutSecondsOf = (functionName: string): number =>
  workers.find(({ name }) => name === functionName)?.timeoutSeconds ?? endpointFunction.timeoutSeconds;
