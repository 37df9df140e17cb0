import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { sampleBackground, stackOf, templateOf } from './support.ts';

const name = 'incentives-restored';
const arn = `arn:aws:dynamodb:us-east-1:123456789012:table/${name}`;
const restoredTable = { name, streamArn: `${arn}/stream/2026-11-23T06:00:00.000` };
const production = { stage: 'production', background: sampleBackground } as const;
const own = templateOf(production);
const restored = templateOf({ ...production, settings: { restoredTable } });

describe('a stack on a restored table', () => {
  test('drops its own table, which production retains, and keeps all keys', () => {
    expect(own.only('AWS::DynamoDB::Table').DeletionPolicy).toBe('Retain');
    expect(restored.all('AWS::DynamoDB::Table')).toEqual([]);
    const keysOf = ({ all }: typeof own) => all('AWS::KMS::Key').map(([id]) => id);
    expect(keysOf(restored)).toEqual(keysOf(own));
  });

  test('passes the table’s name to functions and commands, and reads its stream', () => {
    const reaching = restored
      .of('AWS::Lambda::Function')
      .map(({ Properties }) => Properties.Environment.Variables.TABLE_NAME)
      .filter(Boolean);
    expect(new Set(reaching)).toEqual(new Set([name]));
    expect(restored.template.toJSON().Outputs.TableName.Value).toBe(name);
    const sources = restored
      .of('AWS::Lambda::EventSourceMapping')
      .map(({ Properties }) => Properties.EventSourceArn)
      .filter((source) => typeof source === 'string');
    expect(sources).toEqual([restoredTable.streamArn]);
  });

  test('grants the same access to the restored table', () => {
    const id = own.only('AWS::DynamoDB::Table').id;
    const actionsOf = ({ of }: typeof own, isOfTable: (resource: string) => boolean) =>
      of('AWS::IAM::Role').map(({ Properties }) =>
        (Properties.Policies ?? []).flatMap(
          ({ PolicyDocument }: { PolicyDocument: { Statement: never[] } }) =>
            PolicyDocument.Statement.filter(({ Resource }) => isOfTable(JSON.stringify(Resource))).map(
              ({ Action }) => Action,
            ),
        ),
      );
    const actions = actionsOf(own, (resource) => resource.includes(`"${id}"`));
    expect(actions.flat().length).toBeGreaterThan(4);
    expect(actionsOf(restored, (resource) => resource.includes(`table/${name}`))).toEqual(actions);
  });

  test('passes the AWS Solutions checks', () => {
    const { app } = stackOf({ ...production, settings: { restoredTable } });
    expect(new AwsSolutionsChecks().validateScope(app).violations).toEqual([]);
  });

  test.each([arn, `${restoredTable.streamArn}/more`, restoredTable.streamArn.replace(name, 'another')])(
    'is refused with the stream %s, and the message says where to change it',
    (streamArn) => {
      const settings = { restoredTable: { name, streamArn } };
      expect(() => stackOf({ ...production, settings })).toThrow(
        'restoredTable of production in infra/deploy/stages.ts: its streamArn must be a stream of that table',
      );
    },
  );
});

test('the guide restores every setting that AWS does not restore', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../infra/deploy/restore.md'), 'utf8');
  const { Properties } = own.only('AWS::DynamoDB::Table');
  const { StreamSpecification, TimeToLiveSpecification, PointInTimeRecoverySpecification } = Properties;
  expect(guide).toContain(
    `--stream-specification StreamEnabled=true,StreamViewType=${StreamSpecification.StreamViewType}\n`,
  );
  expect(guide).toContain(
    `--time-to-live-specification Enabled=true,AttributeName=${TimeToLiveSpecification.AttributeName}\n`,
  );
  expect(PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  expect(guide).toContain('--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true\n');
  expect(Properties.DeletionProtectionEnabled).toBe(true);
  expect(guide).toContain('--deletion-protection-enabled\n');
  const [, name = ''] = /^new=(\S+)$/m.exec(guide)!;
  expect(name).toMatch(/^incentives-production-/);
});
