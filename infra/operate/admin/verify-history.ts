import { isErased } from '../../../shared/accounts/erase-texts.ts';
import { type ChainedRecord, digestOfTexts } from '../../../shared/accounts/records.ts';
import type { User } from '../../../shared/accounts/user.ts';
import { newReplayed, type Replayed, replayAlone } from '../../../shared/books/check/user-state.ts';
import { leafLineOf } from '../../../shared/books/leaf-line.ts';
import { parseLeaf } from '../../../shared/books/leaves.ts';
import { accounts } from '../../../shared/vocabulary.ts';

/** Result of checking a user's history. `faults` is empty if no changed or removed record was found. */
export type HistoryCheck = { records: number; intact: boolean; faults: string[]; not_checked: string[] };

const notChecked = [
  'Whether the books of their days contain these records, and whether their draws are right: use npm run verify.',
];

const ofErased = 'The erased texts of requests.';

/**
 * Checks a user's hash chain, and compares sums of amounts with balances. Ignores records written after
 * `user` was read.
 */
export function verifyHistory(user: User, found: ChainedRecord[]): HistoryCheck {
  const records = found
    .filter(({ sequence }) => sequence <= user.sequence)
    .sort((a, b) => a.sequence - b.sequence);
  const replayed = newReplayed(user.organization_id, user.user_id, true);
  const faults = [...chainFaults(user, records, replayed), ...balanceFaults(user, replayed)];
  const not_checked = user.erased_at === undefined ? notChecked : [...notChecked, ofErased];
  return { records: records.length, intact: faults.length === 0, faults, not_checked };
}

function chainFaults(user: User, records: ChainedRecord[], replayed: Replayed): string[] {
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
    else replayAlone(replayed, leaf, line, report);
    if (user.erased_at !== undefined && isErased(record)) continue;
    if (!hasItsTexts(user, record)) report.finding('', 'Its texts have been altered.');
  }
  const { links } = replayed;
  if (links.sequence !== user.sequence || links.hash !== user.last_hash) {
    faults.push(`the last record is not number ${user.sequence}, the last one of the user's item`);
  }
  return faults;
}

/** Returns whether the texts of a host's request, such as the description, match the digest in the record. */
function hasItsTexts(user: User, record: ChainedRecord): boolean {
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
