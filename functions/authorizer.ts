import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { currentStage } from '../shared/environment.ts';
import { log } from '../shared/log.ts';
import { authenticate } from '../shared/organizations/api-keys.ts';
import { usageKeyOf } from '../shared/usage-key.ts';

const bearer = /^Bearer +(\S+)$/i;

/**
 * Says which organization an API key belongs to. API Gateway keeps the answer for a key, whatever else the
 * request said; that the caller also named this organization, every endpoint checks for itself.
 */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const name = Object.keys(event.headers ?? {}).find((key) => key.toLowerCase() === 'authorization') ?? '';
  const [, text = ''] = bearer.exec(event.headers?.[name] ?? '') ?? [];
  const key = await authenticate(text, currentStage()).catch((error: unknown) => {
    log.failure('authorizer', error);
    throw error;
  });
  // API Gateway turns exactly this text into a 401; anything else becomes a 503.
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

/** `arn:…:api/stage/GET/users` for any method and path: the answer is kept for all of a key's requests. */
function wholeApi(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}
