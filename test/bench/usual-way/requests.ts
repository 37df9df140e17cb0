import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { endpointFunction } from '../../../infra/deploy/endpoints.ts';
import { eventOf } from '../../support/invoke.ts';
import { organizationId, type Side } from './sides.ts';

/** Number of tickets in each credit. */
export const amount = 5;
/**
 * Timeout of the service's functions in milliseconds. If a function crashes, Powertools keeps its idempotency
 * key locked for this time.
 */
const timeoutMs = endpointFunction.timeoutSeconds * 1000;

/** Returns the function event of a credit. Both the service and the usual way accept this event. */
export const creditEvent = (userId: string, idempotency_key: string = randomUUID()) =>
  eventOf('tickets/credit', {
    organizationId,
    path: { user_id: userId },
    body: { amount, description: 'A present', idempotency_key },
  });

type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => timeoutMs } as Context;

/**
 * Loads a new copy of an implementation's bundle. Returns a function that calls the copy's handler. A copy
 * reads the DynamoDB endpoint only at its first call, so a changed endpoint needs a new copy.
 */
export function callerOf({ file }: Side): (event: unknown) => Promise<APIGatewayProxyResult> {
  const require = createRequire(import.meta.url);
  delete require.cache[file];
  const { handler } = require(file) as { handler: Handler };
  delete require.cache[file];
  return (event) => handler(event, context);
}
