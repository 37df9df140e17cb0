import { createHash } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { stackOutputName, stages } from '../../../infra/deploy/stages.ts';
import { templateOf } from './support.ts';

const trustedRoots = rootCertificates.map((pem) =>
  createHash('sha256')
    .update(Buffer.from(pem.split('\n').slice(1, -1).join(''), 'base64'))
    .digest('hex'),
);

type Statement = { Effect: string; Principal: Principal; Condition?: { StringEquals?: object } };
type Principal = { AWS?: object; Service?: string };

/**
 * Returns a template's value as text: a resource as `@Resource`, its attribute as `@Resource.Attribute`, and an
 * account, Region or domain of AWS as an empty text.
 */
// biome-ignore lint/suspicious/noExplicitAny: a template's value has any shape
function textOf(value: any): string {
  if (typeof value === 'string') return value;
  const plain = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
  if (value.Ref) return value.Ref.startsWith('AWS::') ? '' : `@${plain(value.Ref)}`;
  if (value['Fn::GetAtt']) return `@${plain(value['Fn::GetAtt'][0])}.${value['Fn::GetAtt'][1]}`;
  return value['Fn::Join'][1].map(textOf).join('');
}

describe.each(['staging', 'production'] as const)('%s', (stage) => {
  const { of, template } = templateOf({ stage });
  const { timestampAuthorities } = stages[stage];
  const meanings: Record<string, string> = {
    STAGE: stage,
    METRICS_NAMESPACE: `incentives-${stage}`,
    TABLE_NAME: '@Table',
    KEY_ARN: '@Key.Arn',
    DRAW_KEY_ARN: '@DrawKey.Arn',
    BOOK_KEY_ARN: '@BookKey.Arn',
    QUEUE_URL_DELIVERIES: '@QueuesdeliveriesQueue',
    QUEUE_URL_DRAWINGS: '@QueuesdrawingsQueue',
    QUEUE_URL_SPIN_SHARDS: '@QueuesspinshardsQueue',
    DEAD_LETTER_URL_DELIVERIES: '@QueuesdeliveriesDeadLetters',
    DEAD_LETTER_URL_DRAWINGS: '@QueuesdrawingsDeadLetters',
    DEAD_LETTER_URL_SPIN_SHARDS: '@QueuesspinshardsDeadLetters',
    PLAY_URL: 'https://@ApiPlayApi.execute-api..',
    API_URL: `https://@ApiRestApi.execute-api../${stage}`,
    TIMESTAMP_AUTHORITIES: JSON.stringify(timestampAuthorities),
    UV_THREADPOOL_SIZE: '64',
    SCHEDULE_GROUP: '@WorkersworkersstartspinrunMoments',
    SCHEDULE_ROLE_ARN: '@WorkersworkersstartspinrunScheduleRole.Arn',
    SCHEDULE_TARGET_ARN: '@WorkersworkersstartspinrunFunction.Arn',
    SCHEDULE_DEAD_LETTER_ARN: '@WorkersworkersstartspinrunDeadLetters.Arn',
  };

  test('gives each environment variable its meaning, in every function', () => {
    for (const { Properties } of of('AWS::Lambda::Function')) {
      const { Variables = {} } = Properties.Environment ?? {};
      const texts = Object.entries(Variables).map(([name, value]) => [name, textOf(value)]);
      expect(texts, Properties.FunctionName).toEqual(texts.map(([name]) => [name, meanings[name!]]));
    }
  });

  test('gives each output for operators its meaning', () => {
    const { Outputs } = template.toJSON();
    const ofOutputs = new Map(
      Object.entries(meanings).map(([name, meaning]) => [stackOutputName(name), meaning]),
    );
    const texts = Object.entries<{ Value: object }>(Outputs).map(([name, { Value }]) => [
      name,
      textOf(Value),
    ]);
    expect(texts).toEqual(texts.map(([name]) => [name, ofOutputs.get(name!)]));
  });

  test('has the roots of well-known timestamp authorities that Node has', () => {
    const known = ['http://timestamp.digicert.com', 'http://timestamp.sectigo.com'];
    for (const { root } of timestampAuthorities.filter(({ url }) => known.includes(url)))
      expect(trustedRoots).toContain(root);
  });

  test('lets nobody outside the account use its keys, topics and queues, or assume its roles', () => {
    const policies = [
      ...of('AWS::KMS::Key').map(({ Properties }) => Properties.KeyPolicy),
      ...of('AWS::IAM::Role').map(({ Properties }) => Properties.AssumeRolePolicyDocument),
      ...['AWS::SNS::TopicPolicy', 'AWS::SQS::QueuePolicy']
        .flatMap(of)
        .map(({ Properties }) => Properties.PolicyDocument),
    ];
    const allowed = policies
      .flatMap(({ Statement }) => Statement as Statement[])
      .filter(({ Effect }) => Effect === 'Allow');
    expect(allowed.length).toBeGreaterThan(of('AWS::IAM::Role').length);
    /** AWS services that act only for the account whose functions or APIs have the role. */
    const services = ['lambda.amazonaws.com', 'apigateway.amazonaws.com'];
    for (const { Principal, Condition } of allowed) {
      if (Principal.AWS) expect(textOf(Principal.AWS)).toBe('arn::iam:::root');
      else if (!services.includes(Principal.Service!))
        expect(Condition?.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
    }
  });
});
