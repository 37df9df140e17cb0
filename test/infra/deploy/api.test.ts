import { describe, expect, test } from 'vitest';
import { failureTexts } from '../../../shared/api/failure-page.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { faultRefusals, refusals } from '../../../shared/refusals.ts';
import { langs } from '../../../shared/vocabulary.ts';
import { type Resource, sampleRoutes, templateOf } from './support.ts';

const routes = [...allRoutes, ...sampleRoutes];
const staging = templateOf({ stage: 'staging', routes });
const production = templateOf({ stage: 'production', routes });
type Stack = typeof staging;

/** Returns one of the stack's two REST APIs, found by the beginning of its logical id. */
function apiOf({ all }: Stack, name: 'ApiRestApi' | 'ApiPlayApi') {
  const [id, { Properties }] = all('AWS::ApiGateway::RestApi').find(([id]) => id.startsWith(name))!;
  const [stageId, stage] = all('AWS::ApiGateway::Stage').find(
    ([, one]) => one.Properties.RestApiId.Ref === id,
  )!;
  return { id, Properties, stage: { id: stageId, ...stage } };
}

/** Returns the methods of an API, such as `PUT /users/{user_id}`, each with its Lambda function and authorizer. */
function methodsOf(stack: Stack, name: 'ApiRestApi' | 'ApiPlayApi' = 'ApiRestApi') {
  const { resources, of } = stack;
  const { id } = apiOf(stack, name);
  const pathOf = (id: string): string => {
    const { PathPart, ParentId } = resources[id]!.Properties;
    return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`;
  };
  const methods = of('AWS::ApiGateway::Method').filter(({ Properties }) => Properties.RestApiId.Ref === id);
  return methods.map(({ Properties }) => {
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

const retryAfter = 'gatewayresponse.header.retry-after';
const gatewayResponsesOf = (name: 'ApiRestApi' | 'ApiPlayApi') =>
  production
    .of('AWS::ApiGateway::GatewayResponse')
    .filter(({ Properties }) => Properties.RestApiId.Ref === apiOf(production, name).id);

describe('the methods of the API', () => {
  test('are the endpoints of the stage, each with its own function', () => {
    for (const [stack, stage] of [
      [staging, 'staging'],
      [production, 'production'],
    ] as const) {
      const found = methodsOf(stack).map(({ endpoint, functionName }) => `${endpoint} ${functionName}`);
      const expected = routes
        .filter(({ stages }) => !stages || stages.includes(stage))
        .flatMap((route) => {
          const functionName = `incentives-${stage}-${route.name.replaceAll('/', '-')}`;
          const methods = route.answers === 'html' ? ['GET', 'HEAD'] : [route.method];
          return methods.map((method) => `${method} ${route.path} ${functionName}`);
        });
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
    'require an API key on %s, except for play URLs and the documentation',
    (stage) => {
      const stack = stacks[stage];
      const { id: authorizerId, Properties } = stack.only('AWS::ApiGateway::Authorizer');
      expect(Properties).toMatchObject({
        Type: 'REQUEST',
        IdentitySource: 'method.request.header.Authorization',
        AuthorizerResultTtlInSeconds: 60,
      });
      for (const { endpoint, authorization, authorizer, integration } of methodsOf(stack)) {
        const open = endpoint.includes('/play/{token}') || endpoint.includes(' /docs');
        expect([endpoint, authorization, authorizer]).toEqual(
          open ? [endpoint, 'NONE', undefined] : [endpoint, 'CUSTOM', authorizerId],
        );
        expect(integration).toBe('AWS_PROXY');
      }
    },
  );

  test('are called with a role that may invoke the functions of its API only', () => {
    const { all, of, resources } = production;
    expect(of('AWS::Lambda::Permission')).toEqual([]);
    for (const [api, ...others] of [
      ['ApiRestApi', 'incentives-production-authorizer'],
      ['ApiPlayApi'],
    ] as const) {
      const [, role] = all('AWS::IAM::Role').find(([id]) => id.startsWith(`${api}Invoker`))!;
      const ids = JSON.stringify(role.Properties.Policies).matchAll(/"Fn::GetAtt":\["(\w+)","Arn"\]/g);
      const allowed = [...ids].map(([, id]) => resources[id!]!.Properties.FunctionName);
      const called = methodsOf(production, api).map(({ functionName }) => functionName);
      expect(new Set(allowed)).toEqual(new Set([...called, ...others]));
    }
  });
});

describe('the API', () => {
  test.each([
    ['of hosts', 'ApiRestApi', 'production'],
    ['of play pages', 'ApiPlayApi', 'play'],
  ] as const)(
    '%s is Regional, passes any body unchanged, and throttles by its stage',
    (_, name, stageName) => {
      const { Properties, stage } = apiOf(production, name);
      expect(Properties).toMatchObject({
        EndpointConfiguration: { Types: ['REGIONAL'] },
        BinaryMediaTypes: ['*/*'],
      });
      expect(stage.Properties.StageName).toBe(stageName);
      expect(stage.Properties.MethodSettings).toMatchObject([
        { HttpMethod: '*', ResourcePath: '/*', DataTraceEnabled: false, ThrottlingRateLimit: 2000 },
      ]);
    },
  );

  test('logs requests as JSON, without caller data', () => {
    const logOf = (name: 'ApiRestApi' | 'ApiPlayApi') =>
      apiOf(production, name).stage.Properties.AccessLogSetting;
    const format: Record<string, string> = JSON.parse(logOf('ApiRestApi').Format);
    expect(format).toMatchObject({ request_id: '$context.requestId', path: '$context.resourcePath' });
    // The log must not contain `$context.path`: the requested path of a play URL contains a token.
    expect(Object.values(format)).not.toContain('$context.path');
    expect(Object.values(format).filter((value) => !value.startsWith('$context.'))).toEqual([]);
    // Paths of the play API lack `/play`, so its log format adds the prefix.
    const ofPlay = JSON.parse(logOf('ApiPlayApi').Format);
    expect(ofPlay).toEqual({ ...format, path: '/play$context.resourcePath' });
    expect(logOf('ApiPlayApi').DestinationArn).toEqual(logOf('ApiRestApi').DestinationArn);
  });

  test("creates the account's log role only if its stage says so, and never deletes it", () => {
    const types = ['AWS::ApiGateway::Account', 'AWS::IAM::Role'];
    const settled = (createsLogRole: boolean) =>
      templateOf({ stage: 'staging', routes: sampleRoutes, settings: { createsLogRole } });
    const withRole = settled(true);
    const [account, role] = types.map(
      (type) => withRole.all(type).find(([id]) => /^Api(?!.*Invoker)/.test(id))![1],
    );
    expect([account!.DeletionPolicy, role!.DeletionPolicy]).toEqual(['Retain', 'Retain']);
    const others = types.flatMap((type) => settled(false).all(type));
    expect(others.filter(([id]) => /^Api(?!.*Invoker)/.test(id))).toEqual([]);
  });

  const responses: Record<string, Resource['Properties']> = Object.fromEntries(
    gatewayResponsesOf('ApiRestApi').map(({ Properties }) => [
      Properties.ResponseType,
      { ...Properties, body: JSON.parse(Properties.ResponseTemplates['application/json']) },
    ]),
  );
  test("responds in the service's error format if no function is called", () => {
    const expected = {
      MISSING_AUTHENTICATION_TOKEN: refusals.notFound(),
      RESOURCE_NOT_FOUND: refusals.notFound(),
      // INVALID_SIGNATURE is API Gateway's response to an unknown path if the request has an `Authorization` header.
      INVALID_SIGNATURE: refusals.notFound(),
      UNAUTHORIZED: refusals.unauthorized(),
      ACCESS_DENIED: refusals.forbidden(),
      THROTTLED: faultRefusals.tooManyRequests(),
      AUTHORIZER_FAILURE: faultRefusals.unavailable(),
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
    ['DEFAULT_5XX', 'outcome_unknown'],
    ['AUTHORIZER_FAILURE', 'unavailable'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 'unavailable'],
  ])('responds 503 with Retry-After if a function is throttled, crashes or times out: %s', (type, code) => {
    const { StatusCode, body, ResponseParameters } = responses[type];
    expect([StatusCode, body.code]).toEqual(['503', code]);
    expect(ResponseParameters[retryAfter]).toMatch(/^'\d+'$/);
  });
});

describe('the API of play pages', () => {
  test('has the same methods for play URLs, at the same paths, with the same functions', () => {
    const all = methodsOf(production);
    const open = all.filter(({ endpoint }) => endpoint.includes('/play/{token}'));
    const methods = methodsOf(production, 'ApiPlayApi');
    expect(open.length).toBeGreaterThan(2);
    expect(methods.map((one) => ({ ...one, endpoint: one.endpoint.replace(' ', ' /play') }))).toEqual(open);
  });

  test('has the address of play URLs, unless there is a domain', () => {
    const { id, stage } = apiOf(staging, 'ApiPlayApi');
    const { Value } = staging.template.toJSON().Outputs.PlayUrl;
    expect(JSON.stringify(Value)).toMatch(new RegExp(`"https://",{"Ref":"${id}"},".execute-api.`));
    const withPlayUrl = staging
      .all('AWS::Lambda::Function')
      .map(([, one]) => one as Resource & { DependsOn: string[] })
      .filter(({ Properties }) => Properties.Environment.Variables.PLAY_URL);
    expect(withPlayUrl.map(({ Properties }) => Properties.FunctionName).sort()).toEqual([
      'incentives-staging-debug-play',
      'incentives-staging-games-play',
      'incentives-staging-page-get',
      'incentives-staging-page-update',
    ]);
    for (const { Properties, DependsOn } of withPlayUrl) {
      expect(Properties.Environment.Variables.PLAY_URL).toEqual(Value);
      expect(DependsOn).toContain(stage.id);
    }
  });

  test('creates its stage only after the log role', () => {
    const [[account]] = production.all('AWS::ApiGateway::Account') as [[string, Resource]];
    expect(apiOf(production, 'ApiPlayApi').stage).toHaveProperty('DependsOn', [account]);
  });

  test('refuses with a page in both languages, never with JSON', () => {
    const found = gatewayResponsesOf('ApiPlayApi').map(({ Properties }) => Properties);
    const statuses = Object.fromEntries(
      found.map(({ ResponseType, StatusCode }) => [ResponseType, StatusCode]),
    );
    expect(statuses).toMatchObject({
      MISSING_AUTHENTICATION_TOKEN: '404',
      THROTTLED: '429',
      DEFAULT_4XX: '400',
      DEFAULT_5XX: '503',
    });
    // Skips responses that the play API cannot cause, because it has neither an authorizer nor a firewall.
    for (const { Properties } of gatewayResponsesOf('ApiRestApi')) {
      const { ResponseType: type, StatusCode } = Properties;
      const fallback = Number(StatusCode) < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
      if (/^(UNAUTHORIZED|ACCESS|WAF)/.test(type)) continue;
      expect([type, statuses[type] ?? statuses[fallback]]).toEqual([type, StatusCode]);
    }
    for (const { StatusCode, ResponseTemplates, ResponseParameters } of found) {
      const [page, ...others] = Object.values<string>(ResponseTemplates);
      expect(others).toEqual([]);
      expect(page).toMatch(/^<!doctype html>/);
      for (const lang of langs) {
        const { title } = failureTexts[lang][StatusCode === '404' ? 'unknown' : 'failed'];
        expect(page).toContain(title);
      }
      // The error page must not contain `$`, because API Gateway would replace `$` expressions.
      expect(page).not.toContain('$');
      expect(ResponseParameters).toMatchObject({
        'gatewayresponse.header.content-type': "'text/html; charset=utf-8'",
        'gatewayresponse.header.cache-control': "'no-store'",
        'gatewayresponse.header.referrer-policy': "'no-referrer'",
        'gatewayresponse.header.x-request-id': 'context.requestId',
      });
      expect(retryAfter in ResponseParameters).toBe(['429', '503'].includes(StatusCode));
      // A response header's value is a context variable, or a text in single quotes without inner quotes.
      for (const value of Object.values<string>(ResponseParameters))
        expect(value).toMatch(/^('[^']*'|[\w.]+)$/);
    }
  });
});
