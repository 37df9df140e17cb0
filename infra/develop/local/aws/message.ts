import { createHash } from 'node:crypto';

/** What a sender hands in. */
export type NewMessage = {
  body: string;
  groupId?: string | undefined;
  delaySeconds?: number | undefined;
};

/** A message in a queue. Times are epoch milliseconds. */
export type Message = {
  id: string;
  body: string;
  groupId?: string;
  sentAt: number;
  receiveCount: number;
  firstReceivedAt?: number;
};

/** The digest of a body, which the SDK compares with its own. */
export const md5OfBody = (body: string) => createHash('md5').update(body).digest('hex');
