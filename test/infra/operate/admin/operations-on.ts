import { expect } from 'vitest';
import { leafLineOf } from '../../../../shared/books/leaf-line.ts';
import { parseLeaf } from '../../../../shared/books/leaves.ts';
import type { OperationRecord } from '../../../../shared/operations/operation-records.ts';
import { operationsOf } from '../../../../shared/table/keys.ts';
import { readRange } from '../../../../shared/table/ranges.ts';

/** Returns an organization's operations, oldest first. Expects that a book would accept each record. */
export async function operationsOn(organizationId: string): Promise<OperationRecord[]> {
  const records = await readRange(operationsOf(organizationId), { consistent: true });
  for (const record of records) expect(parseLeaf(leafLineOf(record)), JSON.stringify(record)).toBeDefined();
  return records as OperationRecord[];
}

/**
 * Returns a summary of each operation on an organization. Omits the first operation, which created the
 * organization.
 */
export const changesOn = async (organizationId: string) =>
  (await operationsOn(organizationId))
    .slice(1)
    .map(({ action, operator, why, about }) => ({ action, operator, why, ...about }));
