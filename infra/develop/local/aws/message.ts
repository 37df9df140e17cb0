import { createHash } from 'node:crypto';

export type NewMessage = {
  body: string;
  groupId?: string | undefined;
  delaySeconds?: number | undefined;
};

/** Times are epoch milliseconds. */
export type Message = {
  id: string;
  body: string;
  groupId?: string;
  sentAt: number;
  receiveCount: number;
};

export const md5OfBody = (body: string) => createHash('md5').update(body).digest('hex');
