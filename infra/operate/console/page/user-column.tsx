import type { Column } from './columns.ts';
import { hrefOf } from './route.ts';

/** Column with a link to the row's user, named by the host's reference. */
export const userColumn = (org: string): Column => ({
  name: 'external_reference',
  label: 'User',
  show: ({ external_reference, user_id }) => (
    <a href={hrefOf('users', { org, user: String(user_id) })}>{String(external_reference || user_id)}</a>
  ),
});
