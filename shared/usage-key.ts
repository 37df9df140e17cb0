/**
 * Computes the usage keys with which API Gateway limits the rate of an organization's requests. The
 * authorizer returns a usage key for each request, and API Gateway counts the requests per usage key. A
 * digest of the organization's id selects one of the stage's usage keys.
 */
import { createHash } from 'node:crypto';
import { bucketOf } from './shards.ts';

/**
 * Number of usage keys per stage. With 32, two busy organizations seldom share a usage key and its rate
 * limit.
 */
export const usageKeys = 32;

/**
 * Returns a stage's usage key with the number `number`. Usage keys need not be secret, because only the
 * authorizer chooses the key of a request.
 */
export const usageKey = (stage: string, number: number): string =>
  createHash('sha256').update(`usage of ${stage}\n${number}`).digest('hex');

/** Returns the usage key for an organization's requests. */
export const usageKeyOf = (stage: string, organizationId: string): string =>
  usageKey(stage, bucketOf(organizationId, usageKeys));
