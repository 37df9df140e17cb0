import { allOrganizations } from '../../shared/organizations/organizations.ts';
import { parseInstant } from '../../shared/time.ts';
import { parkedDeliveries } from '../../shared/webhooks/parked.ts';
import { replay } from '../../shared/webhooks/publishing.ts';
import { dropReplacedSecrets } from '../../shared/webhooks/webhooks.ts';
import { Problem } from '../local/problem.ts';
import { readOrganization } from './organization.ts';

/** Up to this many deliveries that failed for good, without their bodies: those are personal data. */
export async function showParked(most: number) {
  const parked = await parkedDeliveries(most);
  return parked.map(({ body: _, ...delivery }) => delivery);
}

/** A time window as it is typed, of one organization or of all. */
export type TypedWindow = { from: string; to: string; org?: string };

/**
 * Publishes all events of a time window again, with the ids they had. Returns the number of records by organization.
 * Throws a Problem if there is no such time or organization.
 */
export async function replayWindow({ from, to, org }: TypedWindow): Promise<Record<string, number>> {
  const [start, end] = [timeOf('from', from), timeOf('to', to)];
  if (start >= end) throw new Problem('--from has to be before --to.');
  if (org) await readOrganization(org);
  const replayed: Record<string, number> = {};
  for (const id of org ? [org] : await allOrganizations()) replayed[id] = await replay(id, start, end);
  return replayed;
}

function timeOf(name: string, text: string): number {
  const epochMs = parseInstant(text);
  if (epochMs !== undefined) return epochMs;
  throw new Problem(`--${name} is "${text}", and must be a time such as 2026-01-31T08:00:00Z, or a date.`);
}

/** Drops the replaced secrets of a webhook. Returns how many. Throws a Problem if there is no such organization. */
export async function dropSecrets(org: string, webhookId: string, now: number): Promise<number> {
  await readOrganization(org);
  return dropReplacedSecrets(org, webhookId, now);
}
