/** Usage keys, by which API Gateway limits request rates. A digest of an organization's id selects one. */
import { createHash } from 'node:crypto';
import { bucketOf } from './shards.ts';

/** Number of usage keys per stage, each with its own rate limit: enough that busy organizations seldom share a key. */
export const usageKeys = 32;

/** Returns a stage's usage key by number. Usage keys are not secret: only the authorizer chooses them. */
export const usageKey = (stage: string, number: number): string =>
  createHash('sha256').update(`usage of ${stage}\n${number}`).digest('hex');

/** Returns the usage key for an organization's requests. */
export const usageKeyOf = (stage: string, organizationId: string): string =>
  usageKey(stage, bucketOf(organizationId, usageKeys));
