import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { endpointFunction } from '../../../infra/deploy/endpoints.ts';
import { eventOf } from '../../support/invoke.ts';
import { organizationId, type Side } from './sides.ts';

/** Tickets in each credit. */
export const amount = 5;
/** Timeout of the service's functions. After a crash, Powertools keeps a key locked for as long. */
const timeoutMs = endpointFunction.timeoutSeconds * 1000;

/** Returns the event of a credit, for both sides. */
export const creditEvent = (userId: string, idempotency_key: string = randomUUID()) =>
  eventOf('tickets/credit', {
    organizationId,
    path: { user_id: userId },
    body: { amount, description: 'A present', idempotency_key },
  });

type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => timeoutMs } as Context;

/**
 * Returns a function that calls a side's handler, in a fresh copy of its bundle. The copy reads the DynamoDB
 * endpoint at its first call.
 */
export function callerOf({ file }: Side): (event: unknown) => Promise<APIGatewayProxyResult> {
  const require = createRequire(import.meta.url);
  delete require.cache[file];
  const { handler } = require(file) as { handler: Handler };
  delete require.cache[file];
  return (event) => handler(event, context);
}
