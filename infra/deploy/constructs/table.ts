import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableClass,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { tableDefinition } from '../../../shared/table/keys.ts';
import type { StageSettings } from '../stages.ts';

export type StageTable = Table | ITable;

type DataRetention = { keepsData: boolean };
/** Kept tables and keys survive even a failed first deploy, so that `cdk import` finds them. */
export const removalPolicyOf = ({ keepsData }: DataRetention) =>
  keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

/** With `keepsData`, the key outlives a deleted stack, because open play URLs need the key. */
export const createDrawKey = (scope: Construct, retention: DataRetention) =>
  new Key(scope, 'DrawKey', {
    description: 'Makes the secrets of days, from which draws follow',
    keySpec: KeySpec.HMAC_256,
    keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
    // Makes the key multi-Region, so that the stage can later move to another Region. An existing key cannot become
    // multi-Region.
    multiRegion: true,
    removalPolicy: removalPolicyOf(retention),
  });

export const createBookKey = (scope: Construct, retention: DataRetention) =>
  new Key(scope, 'BookKey', {
    description: 'Signs the books of days',
    keySpec: KeySpec.ECC_NIST_EDWARDS25519,
    keyUsage: KeyUsage.SIGN_VERIFY,
    multiRegion: true,
    removalPolicy: removalPolicyOf(retention),
  });

/** `key` encrypts the table and the webhooks' secrets. */
export function createTable(
  scope: Construct,
  settings: Pick<StageSettings, 'keepsData' | 'restoredTable' | 'tableClass'>,
): { table: StageTable; key: Key } {
  const key = new Key(scope, 'Key', {
    description: 'Encrypts the table and the secrets in it',
    enableKeyRotation: true,
    multiRegion: true,
    removalPolicy: removalPolicyOf(settings),
  });
  const { restoredTable: restored } = settings;
  if (!restored) return { table: newTable(scope, key, settings), key };
  const { name: tableName, streamArn: tableStreamArn } = restored;
  const attributes = { tableName, tableStreamArn, encryptionKey: key };
  return { table: Table.fromTableAttributes(scope, 'RestoredTable', attributes), key };
}

function newTable(
  scope: Construct,
  encryptionKey: Key,
  settings: DataRetention & Pick<StageSettings, 'tableClass'>,
): Table {
  const string = (name: string) => ({ name, type: AttributeType.STRING });
  const table = new Table(scope, 'Table', {
    partitionKey: string(tableDefinition.partitionKey),
    sortKey: string(tableDefinition.sortKey),
    timeToLiveAttribute: tableDefinition.ttl,
    billingMode: BillingMode.PAY_PER_REQUEST,
    tableClass: TableClass[settings.tableClass],
    stream: StreamViewType.NEW_IMAGE,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey,
    deletionProtection: settings.keepsData,
    removalPolicy: removalPolicyOf(settings),
  });
  table.addGlobalSecondaryIndex({
    indexName: tableDefinition.byTime.name,
    partitionKey: string(tableDefinition.byTime.partitionKey),
    sortKey: string(tableDefinition.byTime.sortKey),
    projectionType: ProjectionType.ALL,
  });
  return table;
}
