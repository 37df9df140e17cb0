import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type Queue as Declared, retentionDays } from '../workers.ts';

/** A queue and its dead-letter queue, and what it means if its messages wait or fail. */
export type QueuePair = { queue: Queue; deadLetters: Queue } & Pick<Declared, 'impact' | 'recovery'>;

const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** A queue for what has failed for good; it keeps messages for as long as SQS can. */
export function createDeadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    ...common,
    retentionPeriod: Duration.days(retentionDays.deadLetters),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is a dead-letter queue itself, of a stream or of schedules',
  });
  return queue;
}

/** A queue as it is declared, with its dead-letter queue. */
export function createQueue(
  scope: Construct,
  { visibilityTimeoutSeconds, maxReceives, impact, recovery }: Declared,
): QueuePair {
  const deadLetters = createDeadLetterQueue(scope, 'DeadLetters');
  const queue = new Queue(scope, 'Queue', {
    ...common,
    retentionPeriod: Duration.days(retentionDays.queue),
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
  });
  return { queue, deadLetters, impact, recovery };
}

/** Allows a function to be fed from a queue. */
export function consumeStatement(queue: IQueue): PolicyStatement {
  const actions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'];
  return new PolicyStatement({
    actions: actions.map((action) => `sqs:${action}`),
    resources: [queue.queueArn],
  });
}

/** Allows messages to be put on these queues. */
export function sendStatement(queues: IQueue[]): PolicyStatement {
  const resources = queues.map(({ queueArn }) => queueArn);
  return new PolicyStatement({ actions: ['sqs:SendMessage'], resources });
}
