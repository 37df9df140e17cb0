/** Makes a valid write of an operator. Tests change the write to break a rule. */
import type { Commit, StoredItem } from '../journal.ts';
import { commitOf, iso, organizationId, start, ulidOf } from './examples.ts';
import { shortId } from './item-types.ts';
import { hashOf } from './records.ts';

/** Returns the write in which `by` changes an organization's settings to `after` and adds an operation. */
export function exampleOperation(
  after: object,
  { writer = 'operator', more = {}, operationFields = {} } = {},
): Commit {
  const organization: StoredItem = {
    pk: `ORG#${organizationId}`,
    sk: 'ORG',
    organization_id: organizationId,
    cost_truck: 5,
    operations: 1,
    last_operation: ulidOf(start - 1000),
    operations_hash: 'first',
    ...more,
  };
  const ulid = ulidOf(start);
  const record: StoredItem = {
    pk: organization.pk,
    sk: `OPERATIONS#${ulid}`,
    tpk: `${shortId(organizationId)}#operations`,
    tsk: ulid,
    kind: 'operations',
    operation_id: `op_${ulid}`,
    organization_id: organizationId,
    date_created: iso(start),
    sequence: 2,
    operator: 'somebody',
    action: 'changed',
    before: { cost_truck: 5 },
    after,
    ...operationFields,
  };
  const hash = hashOf('first', record);
  const noted = { operations: 2, last_operation: ulid, operations_hash: hash };
  return commitOf(writer, [
    [organization, { ...organization, ...after, ...noted }],
    [undefined, { ...record, hash }],
  ]);
}
