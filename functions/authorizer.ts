import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { currentStage } from '../shared/environment.ts';
import { log } from '../shared/log.ts';
import { authenticateKey } from '../shared/organizations/api-keys.ts';

const bearer = /^Bearer +(\S+)$/i;

/** API Gateway caches the result by key, so endpoints themselves check the header `X-Organization-Id`. */
export async function handler(event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> {
  const name = Object.keys(event.headers ?? {}).find((key) => key.toLowerCase() === 'authorization') ?? '';
  const [, text = ''] = bearer.exec(event.headers?.[name] ?? '') ?? [];
  const key = await authenticateKey(text, currentStage()).catch((error: unknown) => {
    log.failure('authorizer', error);
    throw error;
  });
  // API Gateway responds to this exact message with 401, and to other errors with 503.
  if (!key) throw new Error('Unauthorized');
  return {
    principalId: key.key_id,
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

function wholeApi(methodArn: string): string {
  const [api, stage] = methodArn.split('/');
  return `${api}/${stage}/*`;
}
