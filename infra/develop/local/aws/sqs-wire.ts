import { awsError } from './error.ts';
import { type Message, md5OfBody } from './message.ts';
import type { ReceivedMessage } from './queue.ts';

export const sqsError = (name: string, message: string, status = 400) =>
  awsError(name, message, status, `AWS.SimpleQueueService.${name}`);

export const invalidParameter = (message: string) =>
  awsError('InvalidParameterValue', message, 400, 'InvalidParameterValue');

export const receivedToWire = (message: ReceivedMessage) => ({
  MessageId: message.id,
  ReceiptHandle: message.receiptHandle,
  Body: message.body,
  MD5OfBody: md5OfBody(message.body),
});

export const sentToWire = (message: Message) => ({
  MessageId: message.id,
  MD5OfMessageBody: md5OfBody(message.body),
});
