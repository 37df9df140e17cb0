import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct, IConstruct } from 'constructs';
import type { Access } from '../../../shared/api/route.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';
import { sendStatement } from './queue.ts';
import { queueOf, reachesTable, type StageResources } from './stage-resources.ts';

export function statementsFor(
  scope: Construct,
  access: Access,
  resources: StageResources,
): PolicyStatement[] {
  return [
    ...tableStatements(scope, access, resources),
    ...queueStatements(access, resources),
    ...keyStatements(access, resources),
  ];
}

function tableStatements(scope: Construct, access: Access, resources: StageResources): PolicyStatement[] {
  if (!reachesTable(access)) return [];
  const { table: actions = [], index } = access;
  const { tableArn } = resources.table;
  const changes = actions.some((action) => writes.has(action));
  const statements = [keyOfTable(scope, resources, changes ? [...keyReads, ...keyWrites] : keyReads)];
  if (actions.length > 0) {
    const onTable = actions.map((action) => `dynamodb:${action}`);
    statements.push(new PolicyStatement({ actions: onTable, resources: [tableArn] }));
  }
  if (index) {
    const indexArn = `${tableArn}/index/${tableDefinition.byTime.name}`;
    statements.push(new PolicyStatement({ actions: ['dynamodb:Query'], resources: [indexArn] }));
  }
  return statements;
}

const writes = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);
const keyReads = ['kms:Decrypt', 'kms:DescribeKey'];
const keyWrites = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

function keyOfTable(scope: Construct, { key }: StageResources, actions: string[]) {
  const viaDynamodb = { 'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com` };
  return new PolicyStatement({
    actions,
    resources: [key.keyArn],
    conditions: { StringEquals: viaDynamodb },
  });
}

export function streamStatements(scope: Construct, resources: StageResources): PolicyStatement[] {
  const { tableArn, tableStreamArn, tableName, node } = resources.table;
  const arn = node.defaultChild
    ? `<${logicalId(node.defaultChild)}.Arn>`
    : `arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/${tableName}`;
  acknowledgeWildcard(
    scope,
    `${arn}/stream/*`,
    "Lambda lists the table's streams, and IAM cannot narrow that action to one stream",
  );
  return [
    new PolicyStatement({
      actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      resources: [tableStreamArn!],
    }),
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: [`${tableArn}/stream/*`] }),
    keyOfTable(scope, resources, keyReads),
  ];
}

function queueStatements({ sends = [], parks = [] }: Access, resources: StageResources): PolicyStatement[] {
  const queues = [
    ...sends.map((name) => queueOf(resources, name).queue),
    ...parks.map((name) => queueOf(resources, name).deadLetters),
  ];
  return queues.length > 0 ? [sendStatement(queues)] : [];
}

function acknowledgeWildcard(scope: Construct, resource: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
}

function logicalId(element: IConstruct | undefined): string {
  const resource = element as CfnElement;
  return String(resource.stack.resolve(resource.logicalId));
}

function keyStatements(
  { key: actions = [], draws, signs }: Access,
  { key, drawKey, bookKey }: StageResources,
) {
  const grants: [Key, string[]][] = [
    [key, actions],
    [drawKey, draws ? ['GenerateMac'] : []],
    [bookKey, signs ? ['Sign', 'GetPublicKey'] : []],
  ];
  return grants
    .filter(([, actions]) => actions.length > 0)
    .map(([{ keyArn }, actions]) => {
      return new PolicyStatement({ actions: actions.map((action) => `kms:${action}`), resources: [keyArn] });
    });
}
