import { isErased } from '../../../shared/accounts/erase-texts.ts';
import { digestOfTexts } from '../../../shared/accounts/record-texts.ts';
import type { UserRecord } from '../../../shared/accounts/records.ts';
import type { User } from '../../../shared/accounts/user.ts';
import { checkBalance } from '../../../shared/books/check/balances.ts';
import { follow } from '../../../shared/books/check/complete.ts';
import type { UserState } from '../../../shared/books/check/state.ts';
import { leafLineOf } from '../../../shared/books/leaf-line.ts';
import { parseLeaf } from '../../../shared/books/leaves.ts';
import { accounts } from '../../../shared/vocabulary.ts';

/** `faults` lists changed or removed records, and wrong balances. */
type HistoryCheck = { records: number; intact: boolean; faults: string[]; not_checked: string[] };

const notChecked = [
  'Whether the books of their days contain these records, and whether their draws are right: use npm run verify.',
];

const ofErased = 'The erased texts of requests.';

/** Ignores records written after `user` was read. */
export function verifyHistory(user: User, found: UserRecord[]): HistoryCheck {
  const records = found
    .filter(({ sequence }) => sequence <= user.sequence)
    .sort((a, b) => a.sequence - b.sequence);
  const balances = { tickets: 0, truck: 0, flight: 0 };
  const state: UserState = { link: { sequence: 0, hash: '' }, isWhole: true, balances, owed: [] };
  const faults = [...historyFaults(user, records, state), ...balanceFaults(user, state)];
  const not_checked = user.erased_at === undefined ? notChecked : [...notChecked, ofErased];
  return { records: records.length, intact: faults.length === 0, faults, not_checked };
}

function historyFaults(user: User, records: UserRecord[], state: UserState): string[] {
  const faults: string[] = [];
  for (const record of records) {
    const report = (_: string, sentence: string) =>
      faults.push(`record ${record.sequence} (${record.sk}): ${sentence}`);
    const line = leafLineOf(record);
    const leaf = parseLeaf(line);
    if (!leaf || leaf.kind === 'operations') report('', 'It is not a valid record.');
    else {
      state.link = follow(state.link, leaf, line, report);
      if (leaf.kind === 'tickets' || leaf.kind === 'entries') checkBalance(state, leaf, report);
    }
    if (user.erased_at !== undefined && isErased(record)) continue;
    if (!hasItsTexts(user, record)) report('', 'Its texts have been altered.');
  }
  if (state.link.sequence !== user.sequence || state.link.hash !== user.last_hash) {
    faults.push(`the last record is not number ${user.sequence}, the last one of the user's item`);
  }
  return faults;
}

function hasItsTexts(user: User, record: UserRecord): boolean {
  if (!('texts' in record) || record.texts === undefined) return true;
  return record.texts === digestOfTexts(user, record);
}

function balanceFaults(user: User, { balances }: UserState): string[] {
  const differing = accounts.filter((account) => balances[account] !== user.balances[account]);
  return differing.map(
    (account) =>
      `the user has ${user.balances[account]} ${account}, but the records add up to ${balances[account]}`,
  );
}
