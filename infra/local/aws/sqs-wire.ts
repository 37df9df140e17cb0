import { accountId } from './arns.ts';
import { awsError } from './error.ts';
import { type Message, md5OfAttributes, md5OfBody } from './message.ts';
import type { Received } from './queue.ts';

/** What `ReceiveMessage` may choose from. */
export type ReceiveInput = {
  MessageSystemAttributeNames?: string[];
  AttributeNames?: string[];
  MessageAttributeNames?: string[];
};

/** An error of SQS with the older code that it sends along. */
export const sqsError = (name: string, message: string, status = 400) =>
  awsError(name, message, status, `AWS.SimpleQueueService.${name}`);

export const invalidParameter = (message: string) =>
  awsError('InvalidParameterValue', message, 400, 'InvalidParameterValue');

/** The system attributes of a received message, as strings. Every sender is the local account. */
export function systemAttributes(message: Message): Record<string, string> {
  return {
    SenderId: accountId,
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.groupId !== undefined && { MessageGroupId: message.groupId }),
    ...(message.deadLetterSource !== undefined && {
      DeadLetterQueueSourceArn: message.deadLetterSource,
    }),
  };
}

/** A received message on the wire, with the attributes that were asked for. */
export function toWire(message: Received, input: ReceiveInput) {
  const systemNames = new Set([
    ...(input.MessageSystemAttributeNames ?? []),
    ...(input.AttributeNames ?? []),
  ]);
  const system = pick(systemAttributes(message), (name) => systemNames.has('All') || systemNames.has(name));
  const attributes = pick(message.attributes, (name) => isAsked(name, input.MessageAttributeNames ?? []));
  return {
    MessageId: message.id,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5OfBody(message.body),
    ...(system && { Attributes: system }),
    ...(attributes && {
      MessageAttributes: attributes,
      MD5OfMessageAttributes: md5OfAttributes(attributes),
    }),
  };
}

/** What the sender of a message gets back. */
export const sentToWire = (message: Message) => ({
  MessageId: message.id,
  MD5OfMessageBody: md5OfBody(message.body),
  MD5OfMessageAttributes: md5OfAttributes(message.attributes),
});

function isAsked(name: string, asked: string[]): boolean {
  return asked.some(
    (pattern) =>
      pattern === 'All' ||
      pattern === name ||
      (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -2))),
  );
}

function pick<T>(all: Record<string, T>, wanted: (name: string) => boolean): Record<string, T> | undefined {
  const picked = Object.entries(all).filter(([name]) => wanted(name));
  return picked.length > 0 ? Object.fromEntries(picked) : undefined;
}
