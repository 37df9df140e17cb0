import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { currentStage } from '../shared/environment.ts';
import { log } from '../shared/log.ts';
import { authenticate } from '../shared/organizations/api-keys.ts';
import { usageKeyOf } from '../shared/usage-key.ts';

const bearer = /^Bearer +(\S+)$/i;

/**
 * Authenticates an API key and returns its organization. API Gateway caches one result per API key,
 * regardless of the other headers. Therefore each endpoint checks that the `X-Organization-Id` header names
 * this organization.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const name = Object.keys(event.headers ?? {}).find((key) => key.toLowerCase() === 'authorization') ?? '';
  const [, text = ''] = bearer.exec(event.headers?.[name] ?? '') ?? [];
  const key = await authenticate(text, currentStage()).catch((error: unknown) => {
    log.failure('authorizer', error);
    throw error;
  });
  // For an error with exactly this message, API Gateway responds with 401. For any other error, it responds
  // with 503.
  if (!key) throw new Error('Unauthorized');
  return {
    principalId: key.key_id,
    usageIdentifierKey: usageKeyOf(currentStage(), key.organization_id),
    context: {
      organizationId: key.organization_id,
      tokenSecret: key.token_secret,
      ...(key.suspended ? { suspended: true } : {}),
    },
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: wholeApi(event.methodArn) }],
    },
  };
}

/**
 * Returns an ARN pattern that matches all methods and paths of the API, because API Gateway applies the
 * cached policy to all requests with the API key. `methodArn` is the ARN of one method, such as
 * `arn:…:api/stage/GET/users`.
 */
function wholeApi(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}
