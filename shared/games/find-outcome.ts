import { isId } from '../ids.ts';
import { between, recordsOf } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import type { OutcomeRecord } from './outcomes.ts';

/** An organization's outcome by its id alone, or undefined. One round trip. */
export async function findOutcome(organizationId: string, id: string): Promise<OutcomeRecord | undefined> {
  if (!isId('out', id)) return undefined;
  const ulid = id.slice('out_'.length);
  const [found] = await readRange(between(recordsOf(organizationId, 'outcomes'), ulid, ulid));
  return found as OutcomeRecord | undefined;
}
