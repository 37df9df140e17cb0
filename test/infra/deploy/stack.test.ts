import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../infra/deploy/bundle.ts';
import { checkAccount } from '../../../infra/deploy/settings.ts';
import { stackNameOf, stackOutputName } from '../../../infra/deploy/stages.ts';
import { workers } from '../../../infra/deploy/workers.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { variableNames } from '../../../shared/environment.ts';
import { sampleBackground, sampleRoutes, stackOf, templateOf } from './support.ts';

const routes = [...allRoutes, ...sampleRoutes];
const whole = { routes, background: sampleBackground, validated: true };
const staging = templateOf({ stage: 'staging', ...whole });
const production = templateOf({ stage: 'production', ...whole });
/** Contains only the sample functions, because creating a stack with all functions takes half a second. */
const small = { routes: sampleRoutes, background: sampleBackground };

const domain = {
  name: 'api.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/12ab-34cd',
};

describe('the table', () => {
  test('is retained with its keys by production, and deleted with the staging stack', () => {
    const policiesOf = (stage: typeof staging, type: string) =>
      stage.of(type).map(({ DeletionPolicy }) => DeletionPolicy);
    const [table, key] = ['AWS::DynamoDB::Table', 'AWS::KMS::Key'];
    expect(policiesOf(production, table)).toEqual(['Retain']);
    expect(policiesOf(production, key)).toEqual(Array(3).fill('Retain'));
    for (const type of [table, key]) expect(new Set(policiesOf(staging, type))).toEqual(new Set(['Delete']));
    expect(production.only('AWS::DynamoDB::Table').Properties.DeletionProtectionEnabled).toBe(true);
    expect(staging.only('AWS::DynamoDB::Table').Properties.DeletionProtectionEnabled).toBe(false);
    expect(stackOf({ stage: 'production', ...small }).stack.terminationProtection).toBe(true);
  });
});

// An endpoint takes three resources: function, role and method; a new path is another. A scheduled worker takes eight.
test.each([
  ['production', 340],
  ['staging', 365],
] as const)('%s has at most %i resources', (stage, most) => {
  expect(Object.keys(templateOf({ stage }).resources).length).toBeLessThanOrEqual(most);
});

describe('the functions', () => {
  test('are exactly the files under functions: endpoints, workers and the authorizer', () => {
    const declared = [...allRoutes.map(({ name }) => name), ...workers.map(({ name }) => name), 'authorizer'];
    expect(functionNames()).toEqual(declared.sort());
  });

  test('share the concurrency of the account, unless a stage reserves some', () => {
    const settings = { authorizerConcurrency: 50, playConcurrency: 200 };
    const reserving = templateOf({ stage: 'staging', ...small, settings });
    const reserved = reserving
      .of('AWS::Lambda::Function')
      .filter(({ Properties }) => Properties.ReservedConcurrentExecutions !== undefined)
      .map(({ Properties }) => [Properties.FunctionName, Properties.ReservedConcurrentExecutions]);
    expect(reserved).toEqual([
      ['incentives-staging-authorizer', 50],
      ['incentives-staging-play-sample', 200],
    ]);
    expect(JSON.stringify(staging.resources)).not.toContain('ReservedConcurrentExecutions');
  });

  test('receive their stage, and the public address if there is one', () => {
    const publicUrl = 'https://incentives.example.com/v1';
    const configured = templateOf({ stage: 'staging', ...small, settings: { publicUrl } });
    const environments = configured
      .of('AWS::Lambda::Function')
      .map(({ Properties }) => Properties.Environment.Variables);
    for (const environment of environments) {
      expect(environment).toMatchObject({ STAGE: 'staging', PUBLIC_URL: publicUrl });
    }
    for (const { Properties } of staging.of('AWS::Lambda::Function')) {
      expect(Properties.Environment.Variables).not.toHaveProperty('PUBLIC_URL');
    }
  });
});

describe('a domain', () => {
  test('is served by API Gateway with TLS 1.2, and play URLs begin with it', () => {
    const { template, resources, only, of } = templateOf({
      stage: 'staging',
      ...small,
      settings: { domain },
    });
    expect(only('AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: domain.name,
      RegionalCertificateArn: domain.certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    const mappings = of('AWS::ApiGateway::BasePathMapping').map(({ Properties }) => [
      Properties.BasePath,
      resources[Properties.RestApiId.Ref]!.Properties.Name,
      resources[Properties.Stage.Ref]!.Properties.StageName,
    ]);
    expect(mappings).toEqual([
      [undefined, 'incentives-staging', 'staging'],
      ['play', 'incentives-staging-play', 'play'],
    ]);
    expect(template.toJSON().Outputs).toHaveProperty('DomainTarget');
    for (const { Properties } of of('AWS::Lambda::Function')) {
      expect(Properties.Environment.Variables.PUBLIC_URL).toBe('https://api.example.com');
      expect(Properties.Environment.Variables).not.toHaveProperty('PLAY_URL');
    }
  });

  test('may differ from the public address', () => {
    const settings = { domain, publicUrl: 'https://play.example.com' };
    const [found] = templateOf({ stage: 'staging', ...small, settings }).of('AWS::Lambda::Function');
    expect(found!.Properties.Environment.Variables.PUBLIC_URL).toBe('https://play.example.com');
  });

  test.each([
    { name: 'https://api.example.com' },
    { certificateArn: 'arn:aws:iam::123456789012:role/admin' },
  ])('is refused with %o, and the message says where to change it', (wrong) => {
    const settings = { domain: { ...domain, ...wrong } };
    expect(() => stackOf({ stage: 'staging', ...small, settings })).toThrow(
      'domain of staging in infra/deploy/stages.ts',
    );
  });
});

describe('the stack', () => {
  test('passes the AWS Solutions checks', () => {
    for (const stage of ['staging', 'production'] as const) {
      const { app } = stackOf({ stage, routes, background: sampleBackground, settings: { domain } });
      const { violations } = new AwsSolutionsChecks().validateScope(app);
      expect(violations).toEqual([]);
    }
  });

  test('of production is refused unless it names its account and Region, to which CDK then limits it', () => {
    const place = { account: '123456789012', region: 'eu-west-1' };
    for (const deploysTo of [undefined, { ...place, account: '1234' }, { ...place, region: 'Ireland' }])
      expect(() => checkAccount('production', { deploysTo })).toThrow('Fill in deploysTo of production');
    expect(() => checkAccount('staging', { deploysTo: undefined })).not.toThrow();
    expect(() => checkAccount('production', { deploysTo: place })).not.toThrow();
    const { stack } = stackOf({ stage: 'staging', ...small, settings: { deploysTo: place } });
    expect(stack).toMatchObject(place);
  });

  test('has no other address than its domain if the domain is the only one', () => {
    const { of, template } = templateOf({
      stage: 'staging',
      ...small,
      settings: { domain: { ...domain, isOnlyAddress: true } },
    });
    for (const { Properties } of of('AWS::ApiGateway::RestApi'))
      expect(Properties.DisableExecuteApiEndpoint).toBe(true);
    const { ApiUrl, PlayUrl } = template.toJSON().Outputs;
    expect([ApiUrl.Value, PlayUrl.Value]).toEqual(Array(2).fill('https://api.example.com'));
  });

  test('of production is refused without an address for alarms', () => {
    const alarmEmail = undefined;
    expect(() => stackOf({ stage: 'production', ...small, settings: { alarmEmail } })).toThrow(
      'fill in alarmEmail of production in infra/deploy/stages.ts',
    );
    expect(() => stackOf({ stage: 'staging', ...small, settings: { alarmEmail } })).not.toThrow();
  });

  test.each([
    { publicUrl: 'http://example.com' },
    { publicUrl: 'https://example.com/?page=1' },
    { alarmEmail: 'actions' },
  ])('is refused with $publicUrl$alarmEmail, and the message says where to change it', (settings) => {
    const [field] = Object.keys(settings);
    expect(() => stackOf({ stage: 'staging', ...small, settings })).toThrow(
      `${field} of staging in infra/deploy/stages.ts`,
    );
  });

  test.each([
    ['production', [], 'Production needs an authority'],
    ['staging', [{ url: 'timestamp.example.com', root: 'ab'.repeat(32) }], 'must be a URL'],
    ['staging', [{ url: 'http://timestamp.example.com', root: 'AB:CD' }], 'SHA-256 of 64 hex digits'],
  ] as const)('of %s is refused with timestamp authorities %j', (stage, authorities, message) => {
    const settings = { alarmEmail: 'actions@example.com', timestampAuthorities: [...authorities] };
    expect(() => stackOf({ stage, ...small, settings })).toThrow(message);
  });

  test('needs no custom resource, no container and no parameter of its own', () => {
    for (const { template, resources } of [staging, production]) {
      const types = Object.values(resources).map(({ Type }) => Type);
      expect(
        types.filter((type) => type.startsWith('Custom::') || type.includes('::CustomResource')),
      ).toEqual([]);
      expect(Object.keys(template.toJSON().Parameters)).toEqual(['BootstrapVersion']);
    }
  });

  test("has outputs for the operator's commands: table, queues and API", () => {
    const { Outputs } = production.template.toJSON();
    expect(Object.keys(Outputs).sort()).toEqual([
      'ApiUrl',
      'BookKeyArn',
      'DeadLetterUrlDeliveries',
      'DeadLetterUrlDrawings',
      'DeadLetterUrlSpinShards',
      'DrawKeyArn',
      'KeyArn',
      'PlayUrl',
      'QueueUrlDeliveries',
      'QueueUrlDrawings',
      'QueueUrlSpinShards',
      'ScheduleDeadLetterArn',
      'ScheduleGroup',
      'ScheduleRoleArn',
      'ScheduleTargetArn',
      'TableName',
    ]);
    expect(variableNames.map(stackOutputName)).toEqual(expect.arrayContaining(Object.keys(Outputs)));
    expect(Outputs.TableName.Value).toEqual({ Ref: production.only('AWS::DynamoDB::Table').id });
    expect(stackOf({ stage: 'production', ...small }).stack.stackName).toBe(stackNameOf('production'));
  });
});
