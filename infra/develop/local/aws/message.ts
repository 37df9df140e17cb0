import { createHash } from 'node:crypto';

export type NewMessage = {
  body: string;
  groupId?: string | undefined;
  delaySeconds?: number | undefined;
};

/** A message in an SQS queue. Times are epoch milliseconds. */
export type Message = {
  id: string;
  body: string;
  groupId?: string;
  sentAt: number;
  receiveCount: number;
  firstReceivedAt?: number;
};

/** Returns the MD5 digest of a message body. The AWS SDK verifies the digest. */
export const md5OfBody = (body: string) => createHash('md5').update(body).digest('hex');
