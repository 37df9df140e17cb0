import {
  CloudFormationClient,
  ListStackResourcesCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../../infra/operate/admin/cli.ts';
import { templateOf } from '../../deploy/support.ts';

const production = templateOf({ stage: 'production' });
const arnOf = (name: string, id: string) =>
  `arn:aws:cloudformation:us-east-1:123456789012:stack/${name}/${id}`;
const [older, latest] = [arnOf('incentives-production', '1'), arnOf('incentives-production', '2')];
const physicalId = (stack: string, logicalId: string) => `${logicalId}-${stack.at(-1)}`;

const cloudFormation = mockClient(CloudFormationClient);
/** Answers as CloudFormation does for deleted stacks with production's template, in pages. */
function deleted(...stacks: string[]): void {
  const summaries = [...stacks, arnOf('incentives-staging', '3')].map((StackId) => ({
    StackId,
    StackName: StackId.split('/')[1]!,
    DeletionTime: new Date('2026-11-28'),
    CreationTime: undefined,
    StackStatus: 'DELETE_COMPLETE' as const,
  }));
  cloudFormation.on(ListStacksCommand).callsFake(({ StackStatusFilter, NextToken = '0' }) => {
    expect(StackStatusFilter).toEqual(['DELETE_COMPLETE']);
    const next = Number(NextToken) + 1;
    return {
      StackSummaries: [summaries[next - 1]],
      ...(next < summaries.length && { NextToken: `${next}` }),
    };
  });
  cloudFormation.on(ListStackResourcesCommand).callsFake(({ StackName, NextToken = '0' }) => {
    const all = Object.entries(production.resources);
    const next = Number(NextToken) + 100;
    const page = all.slice(next - 100, next).map(([LogicalResourceId, { Type, DeletionPolicy }]) => ({
      LogicalResourceId,
      PhysicalResourceId: physicalId(StackName, LogicalResourceId),
      ResourceType: Type,
      ResourceStatus: DeletionPolicy === 'Retain' ? 'DELETE_SKIPPED' : 'DELETE_COMPLETE',
    }));
    return { StackResourceSummaries: page, ...(next < all.length && { NextToken: `${next}` }) };
  });
}

async function kept(...options: string[]) {
  const printed: string[] = [];
  const errors: string[] = [];
  const output = { out: (text: string) => printed.push(text), error: (text: string) => errors.push(text) };
  const code = await runCommand(['stage', 'kept', '--stage', 'production', ...options], output);
  return { code, mapping: JSON.parse(printed.join('') || '{}'), error: errors.join('\n') };
}

beforeEach(() => {
  cloudFormation.reset();
});

test('what a deleted stack kept is mapped so that cdk import needs nothing else', async () => {
  deleted(latest);
  const { code, mapping } = await kept();
  expect(code).toBe(0);
  const [table, ...keys] = ['AWS::DynamoDB::Table', 'AWS::KMS::Key'].flatMap((type) => production.all(type));
  expect(keys).toHaveLength(3);
  expect(mapping).toEqual({
    [table![0]]: { TableName: physicalId(latest, table![0]) },
    ...Object.fromEntries(keys.map(([id]) => [id, { KeyId: physicalId(latest, id) }])),
  });
  // cdk import puts only the mapped resources into the new stack's template.
  const imported = Object.keys(mapping).map((id) => JSON.stringify(production.resources[id]));
  const references = imported.flatMap((text) => [
    ...text.matchAll(/"(?:Ref|Fn::GetAtt)":\[?"((?!AWS::)[^"]+)"/g),
  ]);
  expect(references.length).toBeGreaterThan(0);
  for (const [, id] of references) expect(Object.keys(mapping)).toContain(id);
  expect(imported.join()).not.toContain('DependsOn');
});

test('nothing else is kept under a name that a new stack would need', () => {
  const others = Object.values(production.resources).filter(
    ({ Type, DeletionPolicy }) =>
      DeletionPolicy?.startsWith('Retain') && !/^AWS::(KMS::Key|DynamoDB::Table)$/.test(Type),
  );
  expect(new Set(others.map(({ Type }) => Type))).toEqual(
    new Set(['AWS::Logs::LogGroup', 'AWS::IAM::Role', 'AWS::ApiGateway::Account']),
  );
  for (const { Properties } of others)
    expect([Properties.LogGroupName, Properties.RoleName]).toEqual([undefined, undefined]);
});

test('of several deleted stacks, the operator chooses one', async () => {
  deleted(older, latest);
  const { code, error } = await kept();
  expect([code, error]).toEqual([1, expect.stringContaining(older)]);
  expect(error).toContain(latest);
  const { mapping } = await kept('--stack', older);
  expect(mapping[production.only('AWS::DynamoDB::Table').id].TableName).toMatch(/-1$/);
});

test('without a deleted stack, the command fails', async () => {
  deleted();
  const { code, error } = await kept();
  expect([code, error]).toEqual([1, 'No deleted stack incentives-production of the last 90 days kept data.']);
});
