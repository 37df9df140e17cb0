/** Builds the keys of checkpoints of orders, and of the lists of the orders that they close. */
import type { Key, Range } from './keys.ts';

/** Returns the key of a checkpoint of orders. `after` is `drawsAt` of the checkpoint before it (ISO; 1970 if none). */
export const checkpointKey = (organizationId: string, after: string): Key => ({
  pk: checkpointsPartition(organizationId),
  sk: after,
});
/** Returns the range of an organization's checkpoints of orders, oldest first. Positions are as in `checkpointKey`. */
export const checkpointsOf = (organizationId: string): Range => ({
  partition: checkpointsPartition(organizationId),
  prefix: '',
});
const checkpointsPartition = (organizationId: string) => `CLOSED#${organizationId}`;

/** Returns the key of a part of the list of a shard's orders that the checkpoint with `digest` closes. */
export const closedOrdersKey = (
  organizationId: string,
  shard: number,
  digest: string,
  part: number,
): Key => ({
  pk: closedOrdersPartition(organizationId, shard),
  sk: `${digest}#${String(part).padStart(4, '0')}`,
});
/** Returns the range of all parts of the list that `closedOrdersKey` describes. */
export const closedOrdersIn = (organizationId: string, shard: number, digest: string): Range => ({
  partition: closedOrdersPartition(organizationId, shard),
  prefix: `${digest}#`,
});
const closedOrdersPartition = (organizationId: string, shard: number) => `CLOSED#${organizationId}#${shard}`;
