import { isErased } from '../../../shared/accounts/erase-texts.ts';
import { digestOfTexts } from '../../../shared/accounts/record-texts.ts';
import type { NewRecord, UserRecord } from '../../../shared/accounts/records.ts';
import type { User } from '../../../shared/accounts/user.ts';
import type { Report } from '../../../shared/books/check/findings.ts';
import {
  accountOfLeaf,
  appendRecord,
  differencesOf,
  follow,
  newReplayed,
  type Replayed,
} from '../../../shared/books/check/user-state.ts';
import { leafLineOf } from '../../../shared/books/leaf-line.ts';
import { parseLeaf, type UserLeaf } from '../../../shared/books/leaves.ts';
import { accounts } from '../../../shared/vocabulary.ts';

/** Result of checking a user's history. `faults` lists changed or removed records, and wrong balances. */
type HistoryCheck = { records: number; intact: boolean; faults: string[]; not_checked: string[] };

const notChecked = [
  'Whether the books of their days contain these records, and whether their draws are right: use npm run verify.',
];

const ofErased = 'The erased texts of requests.';

/**
 * Checks a user's hash chain, and compares sums of amounts with balances. Ignores records written after
 * `user` was read.
 */
export function verifyHistory(user: User, found: UserRecord[]): HistoryCheck {
  const records = found
    .filter(({ sequence }) => sequence <= user.sequence)
    .sort((a, b) => a.sequence - b.sequence);
  const replayed = newReplayed(user.organization_id, user.user_id, true);
  const faults = [...historyFaults(user, records, replayed), ...balanceFaults(user, replayed)];
  const not_checked = user.erased_at === undefined ? notChecked : [...notChecked, ofErased];
  return { records: records.length, intact: faults.length === 0, faults, not_checked };
}

function historyFaults(user: User, records: UserRecord[], replayed: Replayed): string[] {
  const faults: string[] = [];
  for (const record of records) {
    const report = {
      finding: (_: string, sentence: string) =>
        faults.push(`record ${record.sequence} (${record.sk}): ${sentence}`),
      notice: () => {},
    };
    const line = leafLineOf(record);
    const leaf = parseLeaf(line);
    if (!leaf || leaf.kind === 'operations') report.finding('', 'It is not a valid record.');
    else checkRecord(replayed, leaf, line, report);
    if (user.erased_at !== undefined && isErased(record)) continue;
    if (!hasItsTexts(user, record)) report.finding('', 'Its texts have been altered.');
  }
  const { links } = replayed;
  if (links.sequence !== user.sequence || links.hash !== user.last_hash) {
    faults.push(`the last record is not number ${user.sequence}, the last one of the user's item`);
  }
  return faults;
}

/**
 * Checks a record's hash, sequence numbers and balance. Does not check whether the record's content follows the rules.
 */
function checkRecord(state: Replayed, leaf: UserLeaf, line: string, report: Report): void {
  const standing = follow(state, leaf, line, true, report);
  if (standing === 'forked') return;
  const { sequence, number, ...recorded } = leaf;
  const generated = { event_sequence: undefined, number_of_type: undefined, last_hash: undefined };
  const isPosting = leaf.kind === 'tickets' || leaf.kind === 'entries';
  const balance = isPosting && { balance_after: state.user.balances[accountOfLeaf(leaf)] + leaf.amount };
  const fields = Object.fromEntries(Object.entries(recorded).filter(([name]) => !(name in generated)));
  const differences = differencesOf(state.user, { ...fields, ...balance } as unknown as NewRecord, leaf);
  if (standing === 'good') for (const { code, sentence } of differences) report.finding(code, sentence);
  appendRecord(state, state.user, leaf);
}

/** Returns whether the texts of a host's request, such as the description, match the digest in the record. */
function hasItsTexts(user: User, record: UserRecord): boolean {
  if (!('texts' in record) || record.idempotency_key === undefined) return true;
  return record.texts === digestOfTexts(user, record);
}

function balanceFaults(user: User, { user: { balances } }: Replayed): string[] {
  const differing = accounts.filter((account) => balances[account] !== user.balances[account]);
  return differing.map(
    (account) =>
      `the user has ${user.balances[account]} ${account}, but the records add up to ${balances[account]}`,
  );
}
