import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { endpointFunctionOptions } from '../../../infra/deploy/endpoints.ts';
import { eventOf } from '../../support/invoke.ts';
import { organizationId, type Side } from './sides.ts';

/** Function timeout in milliseconds. After a crash, Powertools keeps an idempotency key locked for this time. */
const timeoutMs = endpointFunctionOptions.timeoutSeconds * 1000;

/** Returns the function event of a credit. Both the service and the usual way accept this event. */
export const creditEvent = (userId: string) =>
  eventOf('tickets/credit', {
    organizationId,
    path: { user_id: userId },
    body: { amount: 5, description: 'A present', idempotency_key: randomUUID() },
  });

type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;
const context = { awsRequestId: 'request', getRemainingTimeInMillis: () => timeoutMs } as Context;

/** Returns a function that calls a new copy of a bundle. A loaded copy would keep its old DynamoDB endpoint. */
export function callerOf({ file }: Side): (event: unknown) => Promise<APIGatewayProxyResult> {
  const require = createRequire(import.meta.url);
  delete require.cache[file];
  const { handler } = require(file) as { handler: Handler };
  delete require.cache[file];
  return (event) => handler(event, context);
}
