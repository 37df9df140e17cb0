import { sendMessages } from '../send-messages.ts';

/** Message that asks a worker to run a shard's orders that are due on or before `day` (New York). */
export type ShardMessage = { organization_id: string; shard: number; day: string };

export const sendSpinShards = (messages: ShardMessage[]): Promise<void> =>
  sendMessages('spin-shards', messages);
