import { parseArn } from './arns.ts';
import type { Clock } from './clock.ts';
import { awsError } from './error.ts';
import type { Message } from './message.ts';
import { createQueue, type Queue, type QueueDeclaration } from './queue.ts';

export type Queues = {
  /** Throws `QueueDoesNotExist` for an unknown name. */
  get(name: string): Queue;
  byArn(arn: string): Queue;
  all(): Queue[];
};

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
  return { get, byArn: (arn) => get(parseArn(arn).name), all: () => [...byName.values()] };
}
