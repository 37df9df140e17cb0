import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Queue as Declared } from '../workers.ts';

/** A queue and its dead-letter queue. */
export type QueuePair = { queue: Queue; deadLetters: Queue };

const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** A queue for what failed for good; it keeps its messages as long as SQS can. */
export function createDeadLetterQueue(scope: Construct, id: string): Queue {
  return new Queue(scope, id, { ...common, retentionPeriod: Duration.days(14) });
}

/** A queue as it is declared, with its dead-letter queue. */
export function createQueue(
  scope: Construct,
  { visibilityTimeoutSeconds, maxReceives }: Declared,
): QueuePair {
  const deadLetters = createDeadLetterQueue(scope, 'DeadLetters');
  const queue = new Queue(scope, 'Queue', {
    ...common,
    retentionPeriod: Duration.days(14),
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
  });
  return { queue, deadLetters };
}
