import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IQueue, Queue, QueueEncryption, QueuePolicy } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type DeclaredQueue as Declared, retentionDays } from '../workers.ts';

/** `impact` and `recovery` are texts for the descriptions of the queues' alarms. */
export type QueuePair = { queue: Queue; deadLetters: Queue } & Pick<Declared, 'impact' | 'recovery'>;

const common = { encryption: QueueEncryption.SQS_MANAGED };

/** Keeps messages for 14 days, SQS's maximum. */
export function createDeadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, {
    ...common,
    retentionPeriod: Duration.days(retentionDays.deadLetters),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'This is a dead-letter queue',
  });
  return queue;
}

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

/** Refuses plain HTTP at all queues by one policy, because a stack can have only 500 resources. */
export function denyPlainHttp(stack: Stack): void {
  const queues = stack.node.findAll().filter((construct) => construct instanceof Queue);
  const policy = new QueuePolicy(stack, 'QueuePolicy', { queues });
  policy.document.addStatements(
    new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['sqs:*'],
      resources: ['*'],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  );
}

export function consumeStatement(queue: IQueue): PolicyStatement {
  const actions = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'ChangeMessageVisibility'];
  return new PolicyStatement({
    actions: actions.map((action) => `sqs:${action}`),
    resources: [queue.queueArn],
  });
}

export function sendStatement(queues: IQueue[]): PolicyStatement {
  const resources = queues.map(({ queueArn }) => queueArn);
  return new PolicyStatement({ actions: ['sqs:SendMessage'], resources });
}
