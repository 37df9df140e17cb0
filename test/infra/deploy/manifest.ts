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

const lambda = 'AWS::Lambda::Function';
const alarm = 'AWS::CloudWatch::Alarm';
const queue = 'AWS::SQS::Queue';
const source = 'AWS::Lambda::EventSourceMapping';
const schedule = 'AWS::Scheduler::Schedule';
const key = 'AWS::KMS::Key';
const table = 'AWS::DynamoDB::Table';
const day = 86_400;

const atLeast = { ComparisonOperator: 'GreaterThanOrEqualToThreshold', TreatMissingData: 'notBreaching' };
/**
 * Returns properties of an alarm that goes off after `EvaluationPeriods` consecutive periods of `Period` seconds with
 * at least one event each.
 */
const once = (MetricName: string, Period: number, EvaluationPeriods = 1) => ({
  ...atLeast,
  Statistic: 'Sum',
  Threshold: 1,
  MetricName,
  Period,
  EvaluationPeriods,
});
/** Returns the properties of an alarm that goes off if a Lambda function is not invoked for `Period` seconds. */
const silent = (Period: number) => ({
  ComparisonOperator: 'LessThanThreshold',
  TreatMissingData: 'breaching',
  Statistic: 'Sum',
  Threshold: 1,
  MetricName: 'Invocations',
  Namespace: 'AWS/Lambda',
  Period,
  EvaluationPeriods: 1,
});
const ofStage = {
  Namespace: 'incentives-production',
  'Dimensions.0.Name': 'service',
  'Dimensions.0.Value': 'incentives',
};

export const manifest: Kept[] = [
  {
    promise: 'A request is answered, or fails, before API Gateway gives up at 29 s.',
    type: lambda,
    of: /^Endpoints/,
    values: { Timeout: 28, MemorySize: 1024 },
  },
  {
    promise: 'All functions run on the Node version that the tests run on, on the cheaper architecture.',
    type: lambda,
    of: /./,
    values: { Runtime: 'nodejs24.x', 'Architectures.0': 'arm64', Handler: 'index.handler' },
  },
  {
    promise: 'A sweep starts the spins of all shards, or fails within five minutes.',
    type: lambda,
    of: /^Workersworkersstartspinrun/,
    values: { Timeout: 300, MemorySize: 512 },
  },
  {
    promise: 'A shard of the spin run works for two minutes at most, then passes the rest on.',
    type: lambda,
    of: /^Workersworkersrunspins/,
    values: { Timeout: 120, MemorySize: 1024, RecursiveLoop: 'Allow' },
  },
  {
    promise: 'Records of the stream are published within a minute, or tried again.',
    type: lambda,
    of: /^Workersworkerspublishevents/,
    values: { Timeout: 60, MemorySize: 512 },
  },
  {
    promise: 'A batch of ten calls of up to 15 s each, sent at once, is through before the function ends.',
    type: lambda,
    of: /^Workersworkerssendwebhook/,
    values: { Timeout: 45, MemorySize: 512, RecursiveLoop: 'Allow' },
  },
  {
    promise: 'A sweep of receivers ends before the next one begins.',
    type: lambda,
    of: /^Workersworkerssweepreceivers/,
    values: { Timeout: 60, MemorySize: 512 },
  },
  {
    promise: 'Rows of the stream are indexed within a minute, or tried again.',
    type: lambda,
    of: /^Workersworkersindexrows/,
    values: { Timeout: 60, MemorySize: 512 },
  },
  {
    promise: 'All reports that got rows lately are checked in one run of five minutes.',
    type: lambda,
    of: /^Workersworkerscheckrowindex/,
    values: { Timeout: 300, MemorySize: 512 },
  },
  {
    promise:
      'A day of a million records can be counted, or signed, within the longest time that Lambda gives.',
    type: lambda,
    of: /^Workersworkers(checkpayouts|closebooks)/,
    values: { Timeout: 900, MemorySize: 1024 },
  },
  {
    promise:
      'A day of a million records is checked together with the day before, in the longest time that Lambda gives, with no more memory than a new AWS account allows.',
    type: lambda,
    of: /^Workersworkerscheckbooks/,
    values: { Timeout: 900, MemorySize: 3008, 'EphemeralStorage.Size': 6144 },
  },

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
          Keys: { sk: { S: ['TICKETS#', 'ENTRIES#', 'OUTCOMES#'].map((prefix) => ({ prefix })) } },
        },
      }),
    },
  },
  {
    promise: 'Free spins run at midnight in New York, also on the days on which clocks change.',
    type: schedule,
    of: /Schedulespinrun$/,
    values: { ScheduleExpression: 'cron(0 0 * * ? *)', ScheduleExpressionTimezone: 'America/New_York' },
  },
  {
    promise: 'A spin run that was missed is caught up within 15 minutes.',
    type: schedule,
    of: /Schedulespinsweep$/,
    values: { ScheduleExpression: 'rate(15 minutes)', ScheduleExpressionTimezone: 'UTC' },
  },
  {
    promise: 'A paused receiver is tried each minute.',
    type: schedule,
    of: /Schedulereceiversweep$/,
    values: { ScheduleExpression: 'rate(1 minute)', ScheduleExpressionTimezone: 'UTC' },
  },
  {
    promise: 'A report lacks a late row for at most 15 minutes.',
    type: schedule,
    of: /Schedulerowindexcheck$/,
    values: { ScheduleExpression: 'rate(15 minutes)', ScheduleExpressionTimezone: 'UTC' },
  },
  {
    promise: 'Plays and wins are logged every hour.',
    type: schedule,
    of: /Schedulepayoutcheck$/,
    values: { ScheduleExpression: 'rate(60 minutes)', ScheduleExpressionTimezone: 'UTC' },
  },
  {
    promise: 'The book of a day is signed an hour after its end in New York.',
    type: schedule,
    of: /Schedulebookclosing$/,
    values: { ScheduleExpression: 'cron(0 1 * * ? *)', ScheduleExpressionTimezone: 'America/New_York' },
  },
  {
    promise: 'A book that was missed is signed within six hours.',
    type: schedule,
    of: /Schedulebooksweep$/,
    values: { ScheduleExpression: 'rate(6 hours)', ScheduleExpressionTimezone: 'UTC' },
  },
  {
    promise: 'A signed book is checked within six hours.',
    type: schedule,
    of: /Schedulebookcheck$/,
    values: { ScheduleExpression: 'rate(6 hours)', ScheduleExpressionTimezone: 'UTC' },
  },
  {
    promise: 'A schedule comes on the minute, knows its time, and is tried again for an hour.',
    type: schedule,
    of: /./,
    values: {
      'FlexibleTimeWindow.Mode': 'OFF',
      'Target.Input': '{"now":"<aws.scheduler.scheduled-time>"}',
      'Target.RetryPolicy.MaximumEventAgeInSeconds': 3600,
      'Target.RetryPolicy.MaximumRetryAttempts': 10,
    },
  },
  {
    promise: 'A scheduled run that fails is tried twice more.',
    type: 'AWS::Lambda::EventInvokeConfig',
    of: /./,
    values: { MaximumRetryAttempts: 2, Qualifier: '$LATEST' },
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
  {
    promise: 'Each failed request counts, by its endpoint.',
    type: 'AWS::Logs::MetricFilter',
    of: /./,
    values: {
      FilterPattern: '{ $.status = "5*" }',
      'MetricTransformations.0.MetricName': 'FailedRequests',
      'MetricTransformations.0.MetricNamespace': 'incentives-production',
      'MetricTransformations.0.MetricValue': '1',
      'MetricTransformations.0.Dimensions.0.Key': 'method',
      'MetricTransformations.0.Dimensions.0.Value': '$.method',
      'MetricTransformations.0.Dimensions.1.Key': 'path',
      'MetricTransformations.0.Dimensions.1.Value': '$.path',
    },
  },

  {
    promise: 'Every alarm reaches the operators.',
    type: alarm,
    of: /./,
    values: { 'AlarmActions.0': '@AlarmsTopic' },
  },
  {
    promise: 'Operators hear of five failed requests within five minutes.',
    type: alarm,
    of: /^Alarms(play)?apifailures$/,
    values: { ...once('5XXError', 300), Threshold: 5, Namespace: 'AWS/ApiGateway' },
  },
  {
    promise:
      'An endpoint that fails now and then, but again and again, is named within a quarter of an hour.',
    type: alarm,
    of: /^Alarmsendpointfailures$/,
    values: {
      ...atLeast,
      Threshold: 1,
      EvaluationPeriods: 3,
      'Metrics.0.Period': 300,
      'Metrics.0.Expression':
        'SELECT SUM(FailedRequests) FROM SCHEMA("incentives-production", method, path) ' +
        'GROUP BY method, path ORDER BY SUM() DESC',
    },
  },
  {
    promise: 'An API that takes over 3 s for one request in a hundred is known within a quarter of an hour.',
    type: alarm,
    of: /^Alarmsslow(play)?responses$/,
    values: {
      ...atLeast,
      ExtendedStatistic: 'p99',
      Threshold: 3000,
      MetricName: 'Latency',
      Namespace: 'AWS/ApiGateway',
      Period: 300,
      EvaluationPeriods: 3,
    },
  },
  {
    promise: 'Operators hear of a function that Lambda throttles within five minutes.',
    type: alarm,
    of: /^Alarmsfunctionthrottles$/,
    values: { ...once('Throttles', 300), Namespace: 'AWS/Lambda' },
  },
  {
    promise: 'Operators hear of a table or index that is throttled for ten minutes.',
    type: alarm,
    of: /^Alarms(table|index)readthrottles$/,
    values: { ...once('ReadThrottleEvents', 300, 2), Namespace: 'AWS/DynamoDB' },
  },
  {
    promise: 'Operators hear of a table or index that is throttled for ten minutes.',
    type: alarm,
    of: /^Alarms(table|index)writethrottles$/,
    values: { ...once('WriteThrottleEvents', 300, 2), Namespace: 'AWS/DynamoDB' },
  },
  {
    promise: 'A message that failed for good is known within a minute.',
    type: alarm,
    of: /deadletters$/,
    values: {
      ...once('ApproximateNumberOfMessagesVisible', 60),
      Statistic: 'Maximum',
      Namespace: 'AWS/SQS',
    },
  },
  {
    promise: 'A message that waits for half an hour is known within five minutes more.',
    type: alarm,
    of: /waiting$/,
    values: {
      ...once('ApproximateAgeOfOldestMessage', 300),
      Statistic: 'Maximum',
      Threshold: 1800,
      Namespace: 'AWS/SQS',
    },
  },
  {
    promise: 'Operators hear of a worker on a queue or the stream that fails for ten minutes.',
    type: alarm,
    of: /errors$/,
    values: { ...once('Errors', 300, 2), Namespace: 'AWS/Lambda' },
  },
  {
    promise: 'Operators hear of a stream whose records wait for a minute, five minutes long.',
    type: alarm,
    of: /behind$/,
    values: {
      ...once('IteratorAge', 60, 5),
      Statistic: 'Maximum',
      Threshold: 60_000,
      Namespace: 'AWS/Lambda',
    },
  },
  {
    promise: 'A sweep of receivers that has stopped is known within four minutes.',
    type: alarm,
    of: /^Alarmssweepreceiverssilent$/,
    values: silent(240),
  },
  {
    promise: 'A schedule of 15 minutes that has stopped is known within an hour.',
    type: alarm,
    of: /^Alarms(startspinrun|checkrowindex)silent$/,
    values: silent(3600),
  },
  {
    promise: 'An hourly schedule that has stopped is known within four hours.',
    type: alarm,
    of: /^Alarmscheckpayoutssilent$/,
    values: silent(14_400),
  },
  {
    promise: 'Books whose schedules have stopped are noticed within a day.',
    type: alarm,
    of: /^Alarms(close|check)bookssilent$/,
    values: silent(day),
  },
  {
    promise:
      'Free spins that are overdue are known within a quarter of an hour of the sweep that finds them.',
    type: alarm,
    of: /OverdueSpinShards$/,
    values: { ...once('OverdueSpinShards', 900), ...ofStage },
  },
  {
    promise: 'A webhook that was switched off is known within a quarter of an hour.',
    type: alarm,
    of: /WebhooksSwitchedOff$/,
    values: { ...once('WebhooksSwitchedOff', 900), ...ofStage },
  },
  {
    promise: 'Cash that is won faster than the odds promise is known within an hour of the check.',
    type: alarm,
    of: /CashAheadOfOdds$/,
    values: { ...once('CashAheadOfOdds', 3600), ...ofStage },
  },
  {
    promise: 'A book that is late is known within an hour of the sweep that misses it.',
    type: alarm,
    of: /LateBooks$/,
    values: { ...once('LateBooks', 3600), ...ofStage },
  },
  {
    promise: 'A book without a timestamp is known within an hour of the sweep that got none.',
    type: alarm,
    of: /LateTimestamps$/,
    values: { ...once('LateTimestamps', 3600), ...ofStage },
  },
  {
    promise: 'A fault in a book is known within an hour of the check that finds it.',
    type: alarm,
    of: /BookFindings$/,
    values: { ...once('BookFindings', 3600), ...ofStage },
  },
  {
    promise: 'A book that cannot be checked is known within an hour of the sweep that leaves it out.',
    type: alarm,
    of: /UncheckedBooks$/,
    values: { ...once('UncheckedBooks', 3600), ...ofStage },
  },
];

/** Metric dimensions that each alarm must watch. `$1` stands for the text that the first group in `alarm` matches. */
export const watches: [alarm: RegExp, dimensions: string][] = [
  [/^Alarms(\w+)(errors|silent|behind)$/, '@Workersworkers$1Function'],
  [/^Alarms(spinshards|deliveries)deadletters$/, '@Queues$1DeadLetters.QueueName'],
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
  'workers/run-spins': {
    'sqs:SendMessage on spin-shards':
      'A function whose time is up passes its shard to a successor: test/amoe/worker.test.ts.',
  },
};
