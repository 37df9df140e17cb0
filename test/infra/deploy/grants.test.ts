import { describe, expect, test } from 'vitest';
import { deadLetterQueueName, queues, workers } from '../../../infra/deploy/workers.ts';
import { rareGrants } from './manifest.ts';
import { type Resource, templateOf } from './support.ts';
import usedPermissions from './used-permissions.json' with { type: 'json' };

const used: Record<string, string[]> = usedPermissions;
/** Names of resources in the simulated world, by logical id in the template without CDK's hash. */
const names: Record<string, string> = {
  Table: 'table',
  'Table/index/byTime': 'index',
  Key: 'key',
  DrawKey: 'draw key',
  BookKey: 'book key',
};
for (const name of Object.keys(queues)) {
  names[`Queues${name.replaceAll('-', '')}Queue`] = name;
  names[`Queues${name.replaceAll('-', '')}DeadLetters`] = deadLetterQueueName(name);
}

/** Shortens the resource or condition of an IAM statement to a text such as `index`. */
function named(value: unknown): string {
  const text = JSON.stringify(value)
    .replaceAll(/\{"Ref":"AWS::\w+"\}/g, '')
    .replaceAll(/\{"(?:Ref|Fn::GetAtt)":\[?"(\w+?)(?:[0-9A-F]{8})?"(?:,"\w+"\])?\}/g, '$1')
    .replaceAll(/\{"Fn::Join":\["",\[(.*)\]\]\}/g, '$1')
    .replaceAll(/[",:]/g, '');
  return names[text] ?? text;
}

/** Returns all permissions of a Lambda function's role, without the permission to write to the log. */
function granted(role: Resource): string[] {
  expect(role.Properties.ManagedPolicyArns).toBeUndefined();
  expect(role.Properties.Policies).toHaveLength(1);
  // biome-ignore lint/suspicious/noExplicitAny: a statement of a template
  const statements: any[] = role.Properties.Policies[0].PolicyDocument.Statement;
  return statements.flatMap(({ Action, Resource, Condition }) =>
    [Action]
      .flat()
      .filter((action) => !action.startsWith('logs:'))
      .flatMap((action) =>
        [Resource]
          .flat()
          .map((one) => `${action} on ${named(one)}${Condition ? ` if ${named(Condition)}` : ''}`),
      ),
  );
}

const viaDynamodb = (...actions: string[]) =>
  actions.map((action) => `kms:${action} on key if {StringEquals{kmsViaServicedynamodb..amazonaws.com}}`);

/**
 * Returns the additional permissions of a function that uses `permissions`: for encryption by DynamoDB, dead letters
 * and reading its event source.
 */
function impliedBy(name: string, permissions: string[]): string[] {
  const source = workers.find((worker) => worker.name === name)?.source ?? {};
  const isReader = 'stream' in source || permissions.some((one) => one.startsWith('dynamodb:'));
  const isWriter = permissions.some((one) => /^dynamodb:(Put|Update|Delete|BatchWrite)/.test(one));
  const deadLetters = `sqs:SendMessage on Workers${name.replaceAll(/[/-]/g, '')}DeadLetters`;
  return [
    ...(isReader ? viaDynamodb('Decrypt', 'DescribeKey') : []),
    ...(isWriter ? viaDynamodb('Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo') : []),
    ...('schedules' in source || 'stream' in source ? [deadLetters] : []),
    ...('stream' in source
      ? [
          ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map(
            (action) => `dynamodb:${action} on table`,
          ),
          'dynamodb:ListStreams on Table/stream/*',
        ]
      : []),
    ...('queue' in source
      ? ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'].map(
          (action) => `sqs:${action} on ${source.queue}`,
        )
      : []),
  ];
}

describe.each(['production', 'staging'] as const)('on %s', (stage) => {
  const { resources, of } = templateOf({ stage });
  const prefix = `incentives-${stage}-`;
  const functions = of('AWS::Lambda::Function').filter(({ Properties }) =>
    Properties.FunctionName?.startsWith(prefix),
  );
  const nameOf = ({ Properties }: Resource) => Properties.FunctionName.slice(prefix.length);
  const worldNames = [...Object.keys(used), 'docs/file', 'docs/open'];

  test.each(functions.map((one) => [nameOf(one), one] as const))(
    '%s may do what it does in simulated worlds, and nothing else',
    (id, { Properties }) => {
      const name = worldNames.find((one) => one.replaceAll('/', '-') === id)!;
      const needed = [...(used[name] ?? []), ...Object.keys(rareGrants[name] ?? {})];
      const role = resources[Properties.Role['Fn::GetAtt'][0]]!;
      expect(new Set(granted(role))).toEqual(new Set([...needed, ...impliedBy(name, needed)]));
    },
  );

  test('no role has a wildcard for actions or for a whole service', () => {
    for (const { Properties } of of('AWS::IAM::Role')) {
      for (const { PolicyDocument } of Properties.Policies ?? []) {
        for (const { Action, Resource } of PolicyDocument.Statement) {
          expect([Action].flat().join(' ')).not.toContain('*');
          expect([Resource].flat()).not.toContain('*');
        }
      }
    }
  });
});

test('a grant that is listed as rare is not used in any world', () => {
  const stale = Object.entries(rareGrants).flatMap(([name, grants]) =>
    Object.keys(grants).filter((grant) => used[name]?.includes(grant)),
  );
  expect(stale).toEqual([]);
});
