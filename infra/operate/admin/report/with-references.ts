import { externalReferences } from '../../../../shared/accounts/user.ts';
import type { Row } from './csv.ts';

const readAtOnce = 1000;

/** Adds to each row the current external reference of the row's user, or null if the user was erased. */
export async function withReferences(organizationId: string, rows: readonly Row[]): Promise<Row[]> {
  const all: Row[] = [];
  for (let start = 0; start < rows.length; start += readAtOnce) {
    const some = rows.slice(start, start + readAtOnce);
    const users = some.map(({ user_id }) => ({
      organization_id: organizationId,
      user_id: String(user_id),
    }));
    const references = await externalReferences(users);
    for (const row of some)
      all.push({ ...row, external_reference: references.get(String(row.user_id)) ?? null });
  }
  return all;
}
