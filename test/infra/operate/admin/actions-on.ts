import { expect } from 'vitest';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { leafLineOf } from '../../../../shared/books/leaf-line.ts';
import { parseLeaf } from '../../../../shared/books/leaves.ts';
import { actionsOf } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';

/** Returns an organization's actions, oldest first. Expects that a book would accept each record. */
export async function actionsOn(organizationId: string): Promise<ActionRecord[]> {
  const records = await readRange(actionsOf(organizationId), { consistent: true });
  for (const record of records) expect(parseLeaf(leafLineOf(record)), JSON.stringify(record)).toBeDefined();
  return records as ActionRecord[];
}

/**
 * Returns a summary of each action on an organization. Omits the first action, which created the
 * organization.
 */
export const changesOn = async (organizationId: string) =>
  (await actionsOn(organizationId))
    .slice(1)
    .map(({ action, operator, why, about }) => ({ action, operator, why, ...about }));
