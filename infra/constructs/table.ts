import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { definition } from '../../shared/table/keys.ts';

type Kept = { keepsData: boolean };
const removalPolicyOf = ({ keepsData }: Kept) => (keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);

/** The key that makes the secrets of days. Where data are kept it outlives the stack: no open play could be made without it. */
export const createDrawKey = (scope: Construct, kept: Kept) =>
  new Key(scope, 'DrawKey', {
    description: 'Makes the secrets of days, from which draws follow',
    keySpec: KeySpec.HMAC_256,
    keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
    removalPolicy: removalPolicyOf(kept),
  });

/** The key that signs books; its public half is all that it takes to check them. */
export const createBookKey = (scope: Construct, kept: Kept) =>
  new Key(scope, 'BookKey', {
    description: 'Signs the books of days',
    keySpec: KeySpec.ECC_NIST_EDWARDS25519,
    keyUsage: KeyUsage.SIGN_VERIFY,
    removalPolicy: removalPolicyOf(kept),
  });

/** The table, from its one definition, and the key that it and the webhooks' secrets are encrypted with. */
export function createTable(scope: Construct, kept: Kept) {
  const removalPolicy = removalPolicyOf(kept);
  const key = new Key(scope, 'Key', {
    description: 'Encrypts the table and the secrets in it',
    enableKeyRotation: true,
    removalPolicy,
  });
  const string = (name: string) => ({ name, type: AttributeType.STRING });
  const table = new Table(scope, 'Table', {
    partitionKey: string(definition.partitionKey),
    sortKey: string(definition.sortKey),
    timeToLiveAttribute: definition.ttl,
    billingMode: BillingMode.PAY_PER_REQUEST,
    stream: StreamViewType.NEW_IMAGE,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    deletionProtection: kept.keepsData,
    removalPolicy,
  });
  table.addGlobalSecondaryIndex({
    indexName: definition.byTime.name,
    partitionKey: string(definition.byTime.partitionKey),
    sortKey: string(definition.byTime.sortKey),
    projectionType: ProjectionType.ALL,
  });
  return { table, key };
}
