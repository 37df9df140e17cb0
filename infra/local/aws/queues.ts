import { randomUUID } from 'node:crypto';
import { targetOf } from './arns.ts';
import type { Clock } from './clock.ts';
import { awsError } from './error.ts';
import type { Message } from './message.ts';
import { createQueue, type Queue, type QueueDeclaration } from './queue.ts';

/** All queues of the stage. */
export type Queues = {
  /** Throws `QueueDoesNotExist` for a name that was not declared. */
  get(name: string): Queue;
  byArn(arn: string): Queue;
  all(): Queue[];
  /**
   * Moves what is visible in a dead-letter queue to `destinationArn`, or back to where each message came from, as
   * new messages; answers how many.
   */
  redrive(sourceArn: string, destinationArn?: string): number;
};

/** Makes the declared queues. Throws if a dead-letter queue is not among them, or has no receive count to go by. */
export function createQueues(declarations: QueueDeclaration[], clock: Clock): Queues {
  const byName = new Map<string, Queue>();
  const get = (name: string) => {
    const queue = byName.get(name);
    if (queue) return queue;
    const message = `The specified queue does not exist: ${name}`;
    throw awsError('QueueDoesNotExist', message, 400, 'AWS.SimpleQueueService.NonExistentQueue');
  };
  for (const declaration of declarations) {
    const { name, deadLetterQueue } = declaration;
    const toDeadLetters = (message: Message) => get(deadLetterQueue!).admit(message);
    byName.set(name, createQueue(declaration, clock, deadLetterQueue ? toDeadLetters : undefined));
  }
  for (const { name, deadLetterQueue, maxReceiveCount } of declarations) {
    if (deadLetterQueue) get(deadLetterQueue);
    if ((deadLetterQueue === undefined) !== (maxReceiveCount === undefined)) {
      throw new Error(`${name} needs both or neither of deadLetterQueue and maxReceiveCount`);
    }
  }
  const byArn = (arn: string) => get(targetOf(arn).name);

  return {
    get,
    byArn,
    all: () => [...byName.values()],
    redrive(sourceArn, destinationArn) {
      const source = byArn(sourceArn);
      if (destinationArn) byArn(destinationArn);
      const messages = source.drain();
      for (const { deadLetterSource, firstReceivedAt: _, ...message } of messages) {
        // A message that was sent straight to the dead-letter queue has nowhere else to go.
        const destination = byArn(destinationArn ?? deadLetterSource ?? sourceArn);
        destination.admit({
          ...message,
          id: randomUUID(),
          sentAt: clock.now(),
          receiveCount: 0,
        });
      }
      return messages.length;
    },
  };
}
