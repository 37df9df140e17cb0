/**
 * Repeats the values of the production stack, such as limits, with the promise that each value keeps. A test fails if
 * the stack differs, so that whoever changes a value reads its promise here.
 */

/** Expected values of the resources of one type. `of` matches a resource's logical id without its hash. */
export type Kept = {
  promise: string;
  type: string;
  of: RegExp;
  /** Expected values, by their paths in the template's properties. A reference is written as `@Resource.Attribute`. */
  values: Record<string, string | number | boolean>;
};

const queue = 'AWS::SQS::Queue';
const source = 'AWS::Lambda::EventSourceMapping';
const key = 'AWS::KMS::Key';
const table = 'AWS::DynamoDB::Table';
const day = 86_400;

export const manifest: Kept[] = [
  {
    promise:
      'A message is not received again while the function that has it may still run: twice its timeout.',
    type: queue,
    of: /^QueuesdeliveriesQueue$/,
    values: { VisibilityTimeout: 90 },
  },
  {
    promise:
      'A message is not received again while the function that has it may still run: six times its timeout.',
    type: queue,
    of: /^QueuesspinshardsQueue$/,
    values: { VisibilityTimeout: 720 },
  },
  {
    promise: 'Deliveries outlast an outage of a week of the function that sends them.',
    type: queue,
    of: /^QueuesdeliveriesQueue$/,
    values: { MessageRetentionPeriod: 7 * day, 'RedrivePolicy.maxReceiveCount': 10 },
  },
  {
    promise: 'A shard of the spin run outlasts an outage of a week of the function that runs it.',
    type: queue,
    of: /^QueuesspinshardsQueue$/,
    values: { MessageRetentionPeriod: 7 * day, 'RedrivePolicy.maxReceiveCount': 5 },
  },
  {
    promise:
      'A step of a drawing outlasts an outage of a week, and is not received again while it may still run.',
    type: queue,
    of: /^QueuesdrawingsQueue$/,
    values: {
      VisibilityTimeout: 1800,
      MessageRetentionPeriod: 7 * day,
      'RedrivePolicy.maxReceiveCount': 5,
      'RedrivePolicy.deadLetterTargetArn': '@QueuesdrawingsDeadLetters.Arn',
    },
  },
  {
    promise: 'Operators have two weeks to move back what failed: the longest that SQS keeps messages.',
    type: queue,
    of: /DeadLetters$/,
    values: { MessageRetentionPeriod: 14 * day },
  },
  {
    promise: 'Messages are encrypted at rest.',
    type: queue,
    of: /./,
    values: { SqsManagedSseEnabled: true },
  },
  {
    promise: 'Failed messages go to the dead letters of their own queue.',
    type: queue,
    of: /^QueuesdeliveriesQueue$/,
    values: { 'RedrivePolicy.deadLetterTargetArn': '@QueuesdeliveriesDeadLetters.Arn' },
  },
  {
    promise: 'Failed messages go to the dead letters of their own queue.',
    type: queue,
    of: /^QueuesspinshardsQueue$/,
    values: { 'RedrivePolicy.deadLetterTargetArn': '@QueuesspinshardsDeadLetters.Arn' },
  },
  {
    promise: 'Queues hold no data of record, and go with the stack.',
    type: queue,
    of: /./,
    values: { DeletionPolicy: 'Delete' },
  },

  {
    promise: 'One message fails without the others of its batch.',
    type: source,
    of: /./,
    values: { 'FunctionResponseTypes.0': 'ReportBatchItemFailures' },
  },
  {
    promise: 'All 16 shards of the spin run work at once, each by a function of its own.',
    type: source,
    of: /^Workersworkersrunspins/,
    values: {
      BatchSize: 1,
      'ScalingConfig.MaximumConcurrency': 16,
      EventSourceArn: '@QueuesspinshardsQueue.Arn',
    },
  },
  {
    promise: 'All 16 shards of a drawing close at once, so that a million entrants take ten minutes.',
    type: source,
    of: /^Workersworkersrundrawings/,
    values: {
      BatchSize: 1,
      'ScalingConfig.MaximumConcurrency': 16,
      EventSourceArn: '@QueuesdrawingsQueue.Arn',
    },
  },
  {
    promise: 'Up to 500 calls to hosts at once, so that slow receivers do not stop the others.',
    type: source,
    of: /^Workersworkerssendwebhook/,
    values: {
      BatchSize: 10,
      'ScalingConfig.MaximumConcurrency': 200,
      EventSourceArn: '@QueuesdeliveriesQueue.Arn',
    },
  },
  {
    promise:
      'Every record of the table is published, also those of the minutes before the worker was deployed.',
    type: source,
    of: /^Workersworkerspublishevents/,
    values: { BatchSize: 500, ParallelizationFactor: 4, EventSourceArn: '@Table.StreamArn' },
  },
  {
    promise:
      'Rows of one organization are indexed in batches, so that an index item is written once for many of them.',
    type: source,
    of: /^Workersworkersindexrows/,
    values: {
      BatchSize: 1000,
      ParallelizationFactor: 1,
      MaximumBatchingWindowInSeconds: 10,
      EventSourceArn: '@Table.StreamArn',
    },
  },
  {
    promise: 'A record that cannot be read reaches the dead letters; the ones beside it are worked on.',
    type: source,
    of: /^Workersworkers(publishevents|indexrows)/,
    values: {
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 100,
      'FilterCriteria.Filters.0.Pattern': JSON.stringify({
        eventName: ['INSERT'],
        dynamodb: {
          Keys: {
            sk: {
              S: ['TICKETS#', 'ENTRIES#', 'OUTCOMES#', 'CLAIMS#', 'ACTIONS#'].map((prefix) => ({
                prefix,
              })),
            },
          },
        },
      }),
    },
  },
  {
    promise:
      'The table can be restored to any second of the last 35 days, outlives the stack, and cannot be deleted by accident.',
    type: table,
    of: /^Table$/,
    values: {
      'PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled': true,
      DeletionProtectionEnabled: true,
      TableClass: 'STANDARD',
      DeletionPolicy: 'Retain',
    },
  },
  {
    promise:
      'The table is encrypted with a key of the account, and grows with its users without being resized.',
    type: table,
    of: /^Table$/,
    values: {
      'SSESpecification.SSEEnabled': true,
      'SSESpecification.SSEType': 'KMS',
      'SSESpecification.KMSMasterKeyId': '@Key.Arn',
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  {
    promise: 'Items whose time is over are deleted, by the attribute that the code sets.',
    type: table,
    of: /^Table$/,
    values: { 'TimeToLiveSpecification.Enabled': true, 'TimeToLiveSpecification.AttributeName': 'ttl' },
  },
  {
    promise: 'Keys, index and stream can never be changed: decided in `infra/README.md`.',
    type: table,
    of: /^Table$/,
    values: {
      'AttributeDefinitions.0.AttributeName': 'pk',
      'AttributeDefinitions.1.AttributeName': 'sk',
      'AttributeDefinitions.2.AttributeName': 'tpk',
      'AttributeDefinitions.3.AttributeName': 'tsk',
      'AttributeDefinitions.0.AttributeType': 'S',
      'AttributeDefinitions.1.AttributeType': 'S',
      'AttributeDefinitions.2.AttributeType': 'S',
      'AttributeDefinitions.3.AttributeType': 'S',
      'KeySchema.0.AttributeName': 'pk',
      'KeySchema.0.KeyType': 'HASH',
      'KeySchema.1.AttributeName': 'sk',
      'KeySchema.1.KeyType': 'RANGE',
      'GlobalSecondaryIndexes.0.IndexName': 'byTime',
      'GlobalSecondaryIndexes.0.KeySchema.0.AttributeName': 'tpk',
      'GlobalSecondaryIndexes.0.KeySchema.0.KeyType': 'HASH',
      'GlobalSecondaryIndexes.0.KeySchema.1.AttributeName': 'tsk',
      'GlobalSecondaryIndexes.0.KeySchema.1.KeyType': 'RANGE',
      'GlobalSecondaryIndexes.0.Projection.ProjectionType': 'ALL',
      'StreamSpecification.StreamViewType': 'NEW_IMAGE',
    },
  },
  {
    promise: 'Keys outlive the stack, and can be copied to another Region: without them no data is readable.',
    type: key,
    of: /./,
    values: { MultiRegion: true, DeletionPolicy: 'Retain' },
  },
  {
    promise: 'The key of the data is renewed every year.',
    type: key,
    of: /^Key$/,
    values: { EnableKeyRotation: true },
  },
  {
    promise: 'Secrets of days are derived by KMS, and never stored.',
    type: key,
    of: /^DrawKey$/,
    values: { KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' },
  },
  {
    promise:
      'Books are signed by a key that nobody can take out of KMS, with Ed25519, which every library verifies.',
    type: key,
    of: /^BookKey$/,
    values: { KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' },
  },
  {
    promise: 'Logs are kept for a year, and outlive the stack.',
    type: 'AWS::Logs::LogGroup',
    of: /./,
    values: { RetentionInDays: 365, DeletionPolicy: 'Retain' },
  },

  {
    promise: 'A revoked API key works for a minute at most.',
    type: 'AWS::ApiGateway::Authorizer',
    of: /./,
    values: {
      AuthorizerResultTtlInSeconds: 60,
      IdentitySource: 'method.request.header.Authorization',
      Type: 'REQUEST',
    },
  },
  {
    promise: 'An endpoint takes 2,000 requests a second. Bodies, which hold personal data, are never logged.',
    type: 'AWS::ApiGateway::Stage',
    of: /./,
    values: {
      'MethodSettings.0.ThrottlingRateLimit': 2000,
      'MethodSettings.0.ThrottlingBurstLimit': 2000,
      'MethodSettings.0.DataTraceEnabled': false,
      'MethodSettings.0.LoggingLevel': 'OFF',
      'MethodSettings.0.HttpMethod': '*',
      'MethodSettings.0.ResourcePath': '/*',
    },
  },
];

/** Metric dimensions that each alarm must watch. `$1` stands for the text that the first group in `alarm` matches. */
export const watches: [alarm: RegExp, dimensions: string][] = [
  [/^Alarms(\w+)(errors|silent|behind)$/, '@Workersworkers$1Function'],
  [/^Alarms(drawings|spinshards|deliveries)deadletters$/, '@Queues$1DeadLetters.QueueName'],
  [/^Alarms(\w+)deadletters$/, '@Workersworkers$1DeadLetters.QueueName'],
  [/^Alarms(\w+)waiting$/, '@Queues$1Queue.QueueName'],
  [/^Alarmstable\w+throttles$/, '@Table'],
  [/^Alarmsindex\w+throttles$/, 'byTime @Table'],
  [/^Alarms(api|slow)(failures|responses)$/, 'incentivesproduction'],
  [/^Alarms(slow)?play(api)?(failures|responses)$/, 'incentivesproductionplay'],
  [/^Alarms(endpointfailures|functionthrottles)$/, ''],
  [/^Alarms[a-z]+[A-Z]\w+$/, 'incentives'],
];

/** For each type of item that expires, the seconds from the write that sets `ttl` until `ttl`. */
export const lifetimes: Record<string, { seconds: number; promise: string }> = {
  'unplayed session': {
    seconds: 1800 + 30 * day,
    promise: 'A play URL works for 30 minutes, and says for 30 days that it has expired.',
  },
  'played session': { seconds: 365 * day, promise: 'A play URL shows its outcome for a year.' },
  call: { seconds: 90 * day, promise: 'Hosts can read the calls to their webhooks for 90 days.' },
  invocation: {
    seconds: 90 * day,
    promise: 'A host that repeats a request to invoke a webhook within 90 days does not cause a second call.',
  },
  'active report': {
    seconds: 3600,
    promise: 'A report is checked at least twice after its last row, so that no late row is missed.',
  },
};

/** IAM grants that no simulated world uses, each with its reason and the test that uses it. */
export const rareGrants: Record<string, Record<string, string>> = {
  'workers/run-drawings': {
    'sqs:SendMessage on drawings':
      'A function whose time is up passes its shard to a successor: test/drawings/drawings.test.ts.',
  },
  'workers/run-spins': {
    'sqs:SendMessage on spin-shards':
      'A function whose time is up passes its shard to a successor: test/amoe/worker.test.ts.',
  },
};
