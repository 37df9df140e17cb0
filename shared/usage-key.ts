/**
 * The usage keys by which API Gateway limits an organization's requests. The authorizer returns the usage
 * key, and API Gateway counts the requests of each key. A digest of the organization's id selects one of the
 * stage's keys.
 */
import { createHash } from 'node:crypto';
import { bucketOf } from './shards.ts';

/** Number of usage keys of a stage; with 32, two busy organizations seldom share a limit. */
export const usageKeys = 32;

/** Returns a usage key of a stage by its number. It is not secret, because callers cannot choose theirs. */
export const usageKey = (stage: string, number: number): string =>
  createHash('sha256').update(`usage of ${stage}\n${number}`).digest('hex');

/** Returns the usage key of an organization. */
export const usageKeyOf = (stage: string, organizationId: string): string =>
  usageKey(stage, bucketOf(organizationId, usageKeys));
