/**
 * How API Gateway limits the requests of an organization: it counts those of a usage key, which the authorizer names. A
 * stage has some of these keys, and each organization always the same one, by a digest of its id.
 */
import { createHash } from 'node:crypto';
import { bucketOf } from './shards.ts';

/** How many usage keys a stage has: two busy organizations seldom share one. */
export const usageKeys = 32;

/** A usage key of a stage, by its number. No secret: callers cannot name one. */
export const usageKey = (stage: string, number: number): string =>
  createHash('sha256').update(`usage of ${stage}\n${number}`).digest('hex');

/** The usage key of an organization. */
export const usageKeyOf = (stage: string, organizationId: string): string =>
  usageKey(stage, bucketOf(organizationId, usageKeys));
