import type { User } from '../../../../shared/accounts/user.ts';
import { getItems } from '../../../../shared/table/client.ts';
import { userKey } from '../../../../shared/table/keys.ts';
import type { CsvRow } from './csv.ts';

const readAtOnce = 1000;

/** Adds to each row the current external reference of the row's user, or null if the user was erased. */
export async function withReferences(organizationId: string, rows: readonly CsvRow[]): Promise<CsvRow[]> {
  const all: CsvRow[] = [];
  for (let start = 0; start < rows.length; start += readAtOnce) {
    const some = rows.slice(start, start + readAtOnce);
    const ids = [...new Set(some.map(({ user_id }) => String(user_id)))];
    const keys = ids.map((id) => userKey(organizationId, id));
    const users = (await getItems(keys)) as (User | undefined)[];
    const references = new Map(
      users.flatMap((user) =>
        user && user.erased_at === undefined ? [[user.user_id, user.external_reference] as const] : [],
      ),
    );
    for (const row of some)
      all.push({ ...row, external_reference: references.get(String(row.user_id)) ?? null });
  }
  return all;
}
