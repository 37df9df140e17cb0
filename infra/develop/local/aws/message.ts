import { createHash } from 'node:crypto';

/** A message to send. */
export type NewMessage = {
  body: string;
  groupId?: string | undefined;
  delaySeconds?: number | undefined;
};

/** A stored message. Times are epoch milliseconds. */
export type Message = {
  id: string;
  body: string;
  groupId?: string;
  sentAt: number;
  receiveCount: number;
  firstReceivedAt?: number;
};

/** Returns the MD5 digest of a message body, which the SDK verifies. */
export const md5OfBody = (body: string) => createHash('md5').update(body).digest('hex');
