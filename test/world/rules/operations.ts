/** Rules of operations, which record the operators' changes of settings and balances. */
import type { StoredItem } from '../journal.ts';
import { timeIn, ulidIn } from './days-and-ulids.ts';
import { isSame } from './hashes.ts';
import { accountOf, organizationOf, shortId } from './item-types.ts';
import { hashOf } from './records.ts';
import type { StepRule } from './rule.ts';
import { itemOf } from './step.ts';

const setting = /^(cost_|daily_|prize_table_|rules_url|cash_chains|beacon|suspended|paused)/;
const settingsIn = (organization: StoredItem | undefined) =>
  Object.fromEntries(Object.entries(organization ?? {}).filter(([name]) => setting.test(name)));

/** Returns the settings that differ between two states of an organization, with the later values. */
function changedBy(before: StoredItem | undefined, after: StoredItem | undefined) {
  const was = settingsIn(before);
  return Object.fromEntries(Object.entries(settingsIn(after)).filter(([name, value]) => value !== was[name]));
}

/** A change of settings is written with an operation, the next in the organization's hash chain. */
export const recordedChanges: StepRule = {
  rule: 'a change of settings is recorded in the same write',
  start: (report) => (step) => {
    for (const change of step.of('organization')) {
      const { before, after } = change;
      const { pk } = itemOf(change);
      const records = step.of('operation').flatMap(({ before, after }) => (before || !after ? [] : [after]));
      const mine = records.filter((record) => record.pk === pk);
      const [record] = mine;
      const changes = changedBy(before, after);
      if (!record && Object.keys(changes).length === 0) continue;
      if (!record || mine.length > 1) report(`${pk} changes with ${mine.length} records`);
      else
        for (const fault of faultsOf(record, before, after, changes)) report(`${pk} ${record.sk}: ${fault}`);
    }
  },
};

function faultsOf(
  record: StoredItem,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  changes: object,
): string[] {
  const { operations = 0, operations_hash = '' } = (before ?? {}) as StoredItem;
  const ulid = ulidIn(record.operation_id);
  const holds = {
    'it is not next in its chain':
      record.sequence === operations + 1 && after?.operations === record.sequence,
    'its hash does not follow from the one before it':
      record.hash === hashOf(operations_hash, record) && after?.operations_hash === record.hash,
    'it has no operator': typeof record.operator === 'string' && record.operator !== '',
    'it does not match the change': Object.entries(changes).every(
      ([name, value]) => record.after[name] === value,
    ),
    'it does not match the organization': isSame(record.after, {
      ...record.after,
      ...pick(after, record.after),
    }),
    'its keys or time do not match its id':
      record.sk === `OPERATIONS#${ulid}` &&
      record.tpk === `${shortId(organizationOf(record))}#operations` &&
      record.tsk === ulid &&
      record.date_created === new Date(timeIn(ulid)).toISOString(),
  };
  return Object.entries(holds).flatMap(([fault, holdsTrue]) => (holdsTrue ? [] : [fault]));
}

const pick = (item: StoredItem | undefined, names: object) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, item?.[name]]));

/** An operation's `before` equals the settings before the write, except settings that had no stored value. */
export const formerValues: StepRule = {
  rule: 'an operation has the correct former values',
  start: (report) => (step) => {
    for (const { before, after } of step.of('organization')) {
      const record = step.of('operation').find((change) => change.after?.pk === after?.pk)?.after;
      for (const [name, value] of Object.entries(record?.before ?? {}))
        if (before?.[name] !== undefined && before[name] !== value)
          report(`${record!.sk} has ${value} as the former ${name}, which was ${before[name]}`);
    }
  },
};

/**
 * An operator's adjustment is one transaction, written with an operation that describes it and gives a
 * reason.
 */
export const adjustments: StepRule = {
  rule: 'an adjustment is written with its operation',
  start: (report) => (step) => {
    const records = step.users.flatMap((user) => user.records);
    const made = records.filter(({ operation_id }) => operation_id);
    if (!step.writer.includes('/') && made.length < records.length)
      report('an operator writes another kind of record');
    const operations = step.of('operation').flatMap(({ before, after }) => (before || !after ? [] : [after]));
    const adjusting = operations.filter(({ action }) => action === 'balance_adjusted');
    const recordedOperations = adjusting.map(({ operation_id, about }) => ({ operation_id, ...about }));
    const done = made.map((record) => ({
      operation_id: record.operation_id,
      user_id: record.user_id,
      transaction_id: record.transaction_id,
      account: accountOf(record),
      amount: record.amount,
      balance: { before: record.balance_after - record.amount, after: record.balance_after },
    }));
    if (!isSame(recordedOperations, done))
      report(`${JSON.stringify(recordedOperations)} is recorded, but the write has ${JSON.stringify(done)}`);
    if (adjusting.some(({ why, texts }) => !why || !texts)) report('an adjustment without a reason');
  },
};

export const operationRules = [recordedChanges, formerValues, adjustments];
