import { describe, expect, test } from 'vitest';
import { allRoutes } from '../../shared/api/routes.ts';
import { newId } from '../../shared/ids.ts';
import { refusals } from '../../shared/refusals.ts';
import { usageKeyOf } from '../../shared/usage-key.ts';
import { type Resource, sampleRoutes, templateOf } from './support.ts';

const routes = [...allRoutes, ...sampleRoutes];
const staging = templateOf({ stage: 'staging', routes });
const production = templateOf({ stage: 'production', routes });
type Stack = typeof staging;

/** Each method of the API as `PUT /users/{user_id}`, with the function behind it and its authorizer. */
function methodsOf({ resources, of }: Stack) {
  const pathOf = (id: string): string => {
    const { PathPart, ParentId } = resources[id]!.Properties;
    return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`;
  };
  return of('AWS::ApiGateway::Method').map(({ Properties }) => {
    const { HttpMethod, ResourceId, Integration, AuthorizationType, AuthorizerId } = Properties;
    const [, functionId] = JSON.stringify(Integration.Uri).match(/"Fn::GetAtt":\["(\w+)","Arn"\]/) ?? [];
    return {
      endpoint: `${HttpMethod} ${pathOf(ResourceId.Ref)}`,
      functionName: resources[functionId!]!.Properties.FunctionName,
      integration: Integration.Type,
      authorization: AuthorizationType,
      authorizer: AuthorizerId?.Ref,
    };
  });
}

describe('the methods of the API', () => {
  test('are the endpoints of the stage, each with its own function behind it', () => {
    for (const [stack, stage] of [
      [staging, 'staging'],
      [production, 'production'],
    ] as const) {
      const found = methodsOf(stack).map(({ endpoint, functionName }) => `${endpoint} ${functionName}`);
      const expected = routes
        .filter(({ stages }) => !stages || stages.includes(stage))
        .map(
          ({ method, path, name }) => `${method} ${path} incentives-${stage}-${name.replaceAll('/', '-')}`,
        );
      expect(found.sort()).toEqual(expected.sort());
    }
  });

  test('have no documentation on production', () => {
    const docs = (stack: Stack) => methodsOf(stack).filter(({ endpoint }) => endpoint === 'GET /docs');
    expect(docs(staging)).toHaveLength(1);
    expect(docs(production)).toEqual([]);
    expect(JSON.stringify(production.resources)).not.toContain('docs');
  });

  test('have no debug endpoint on production', () => {
    const debug = (stack: Stack) => methodsOf(stack).filter(({ endpoint }) => endpoint.includes('/debug/'));
    expect(debug(staging)).not.toEqual([]);
    expect(debug(production)).toEqual([]);
    expect(JSON.stringify(production.resources)).not.toContain('debug');
  });

  const stacks = { staging, production };
  test.each(['staging', 'production'] as const)(
    'ask for an API key on %s, if their path holds no token and is not that of the documentation',
    (stage) => {
      const stack = stacks[stage];
      const { id: authorizerId, Properties } = stack.only('AWS::ApiGateway::Authorizer');
      expect(Properties).toMatchObject({
        Type: 'REQUEST',
        IdentitySource: 'method.request.header.Authorization',
        AuthorizerResultTtlInSeconds: 60,
      });
      for (const { endpoint, authorization, authorizer, integration } of methodsOf(stack)) {
        const open = endpoint.includes('/play/{token}') || endpoint === 'GET /docs';
        expect([endpoint, authorization, authorizer]).toEqual(
          open ? [endpoint, 'NONE', undefined] : [endpoint, 'CUSTOM', authorizerId],
        );
        expect(integration).toBe('AWS_PROXY');
      }
    },
  );

  test('limit each organization, by a usage key that the authorizer names', () => {
    const { of, only } = production;
    for (const { Properties } of of('AWS::ApiGateway::Method')) {
      expect(Properties.ApiKeyRequired ?? false).toBe(Properties.AuthorizationType === 'CUSTOM');
    }
    expect(only('AWS::ApiGateway::RestApi').Properties.ApiKeySourceType).toBe('AUTHORIZER');
    const { Throttle, ApiStages } = only('AWS::ApiGateway::UsagePlan').Properties;
    expect(Throttle).toEqual({ RateLimit: 1000, BurstLimit: 1000 });
    expect(ApiStages).toMatchObject([
      {
        ApiId: { Ref: only('AWS::ApiGateway::RestApi').id },
        Stage: { Ref: only('AWS::ApiGateway::Stage').id },
      },
    ]);
    const values = of('AWS::ApiGateway::ApiKey').map(({ Properties }) => Properties.Value);
    const ids = Array.from({ length: 1000 }, (_, i) => newId('org', i));
    const named = ids.map((id) => usageKeyOf('production', id));
    expect(new Set(named)).toEqual(new Set(values));
    expect(of('AWS::ApiGateway::UsagePlanKey')).toHaveLength(values.length);
    expect(staging.of('AWS::ApiGateway::UsagePlan')).toEqual([]);
    for (const { Properties } of staging.of('AWS::ApiGateway::Method'))
      expect(Properties.ApiKeyRequired ?? false).toBe(false);
    // API Gateway takes from 20 to 128 characters, and each value once in an account.
    expect(values.every((value) => /^[0-9a-f]{64}$/.test(value))).toBe(true);
    expect(named).not.toContain(usageKeyOf('staging', ids[0]!));
  });

  test('may each be called by the gateway on its stage, and by no test console', () => {
    const permissions = production.of('AWS::Lambda::Permission');
    expect(permissions).toHaveLength(methodsOf(production).length + 1);
    expect(JSON.stringify(permissions)).not.toContain('test-invoke-stage');
  });
});

describe('the API', () => {
  test('is Regional, takes any body as it is, and lets through what its stage allows', () => {
    const api = production.only('AWS::ApiGateway::RestApi');
    const stage = production.only('AWS::ApiGateway::Stage');
    expect(api.Properties).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['*/*'],
    });
    expect(stage.Properties.StageName).toBe('production');
    expect(stage.Properties.MethodSettings).toMatchObject([
      { HttpMethod: '*', ResourcePath: '/*', DataTraceEnabled: false, ThrottlingRateLimit: 2000 },
    ]);
  });

  test('logs requests as JSON, without what a caller sent', () => {
    const stage = production.only('AWS::ApiGateway::Stage');
    const format: Record<string, string> = JSON.parse(stage.Properties.AccessLogSetting.Format);
    expect(format).toMatchObject({ request_id: '$context.requestId', path: '$context.resourcePath' });
    // `$context.path` would be the path of the request, and with it the token of a play URL.
    expect(Object.values(format)).not.toContain('$context.path');
    expect(Object.values(format).filter((value) => !value.startsWith('$context.'))).toEqual([]);
  });

  test("makes the account's log role only if its stage says so, and never takes it away again", () => {
    const types = ['AWS::ApiGateway::Account', 'AWS::IAM::Role'];
    const settled = (createsLogRole: boolean) =>
      templateOf({ stage: 'staging', routes: sampleRoutes, settings: { createsLogRole } });
    const withRole = settled(true);
    const [account, role] = types.map((type) => withRole.all(type).find(([id]) => id.startsWith('Api'))![1]);
    expect([account!.DeletionPolicy, role!.DeletionPolicy]).toEqual(['Retain', 'Retain']);
    expect(types.flatMap((type) => settled(false).all(type)).filter(([id]) => id.startsWith('Api'))).toEqual(
      [],
    );
  });

  const responses: Record<string, Resource['Properties']> = Object.fromEntries(
    production
      .of('AWS::ApiGateway::GatewayResponse')
      .map(({ Properties }) => [
        Properties.ResponseType,
        { ...Properties, body: JSON.parse(Properties.ResponseTemplates['application/json']) },
      ]),
  );
  const retryAfter = 'gatewayresponse.header.retry-after';

  test("responds in the service's error shape if no function is called", () => {
    const expected = {
      MISSING_AUTHENTICATION_TOKEN: refusals.notFound(),
      RESOURCE_NOT_FOUND: refusals.notFound(),
      // What an unknown path comes to if the request has an API key.
      INVALID_SIGNATURE: refusals.notFound(),
      UNAUTHORIZED: refusals.unauthorized(),
      ACCESS_DENIED: refusals.forbidden(),
      THROTTLED: refusals.tooManyRequests(),
      QUOTA_EXCEEDED: refusals.tooManyRequests(),
      AUTHORIZER_FAILURE: refusals.unavailable(),
    };
    for (const [type, { status, message, code }] of Object.entries(expected)) {
      expect(responses[type]).toMatchObject({
        StatusCode: String(status),
        body: { status: 'error', message, code, request_id: '$context.requestId' },
      });
    }
    for (const response of Object.values(responses)) {
      expect(response.ResponseParameters).toMatchObject({
        'gatewayresponse.header.content-type': "'application/json; charset=utf-8'",
        'gatewayresponse.header.cache-control': "'no-store'",
        'gatewayresponse.header.x-content-type-options': "'nosniff'",
        'gatewayresponse.header.x-request-id': 'context.requestId',
      });
    }
    expect(responses.THROTTLED.ResponseParameters).toHaveProperty([retryAfter]);
    expect(responses.REQUEST_TOO_LARGE.StatusCode).toBe('413');
    expect(responses.DEFAULT_4XX.body.code).toBe('validation_failed');
  });

  test.each([
    ['INTEGRATION_FAILURE', 'outcome_unknown'],
    ['INTEGRATION_TIMEOUT', 'outcome_unknown'],
    ['API_CONFIGURATION_ERROR', 'outcome_unknown'],
    ['DEFAULT_5XX', 'outcome_unknown'],
    ['AUTHORIZER_FAILURE', 'unavailable'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 'unavailable'],
  ])('turns a function that is throttled, crashes or times out into a 503 to repeat: %s', (type, code) => {
    const { StatusCode, body, ResponseParameters } = responses[type];
    expect([StatusCode, body.code]).toEqual(['503', code]);
    expect(ResponseParameters[retryAfter]).toMatch(/^'\d+'$/);
  });
});
