import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { endpointFunction } from '../../../infra/deploy/endpoints.ts';
import { eventOf } from '../../support/invoke.ts';
import { organizationId, type Side } from './sides.ts';

/** Tickets of each credit. */
export const amount = 5;
/** How long a function of the service may take; a key of Powertools is taken for as long, should its function die. */
const timeoutMs = endpointFunction.timeoutSeconds * 1000;

/** The event of a credit: the same for both sides. */
export const creditEvent = (userId: string, idempotency_key: string = randomUUID()) =>
  eventOf('tickets/credit', {
    organizationId,
    path: { user_id: userId },
    body: { amount, description: 'A present', idempotency_key },
  });

type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => timeoutMs } as Context;

/** Calls a side's handler, of a copy of its bundle that finds DynamoDB by its first call's environment. */
export function callerOf({ file }: Side): (event: unknown) => Promise<APIGatewayProxyResult> {
  const require = createRequire(import.meta.url);
  delete require.cache[file];
  const { handler } = require(file) as { handler: Handler };
  delete require.cache[file];
  return (event) => handler(event, context);
}
