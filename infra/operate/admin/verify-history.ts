import { isErased } from '../../../shared/accounts/erase-texts.ts';
import { type ChainedRecord, digestOfTexts } from '../../../shared/accounts/records.ts';
import type { User } from '../../../shared/accounts/user.ts';
import { type Chain, followChain, newChain } from '../../../shared/books/check/chain.ts';
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
  const chain = newChain(true);
  const faults = [...chainFaults(user, records, chain), ...balanceFaults(user, chain)];
  const not_checked = user.erased_at === undefined ? notChecked : [...notChecked, ofErased];
  return { records: records.length, intact: faults.length === 0, faults, not_checked };
}

function chainFaults(user: User, records: ChainedRecord[], chain: Chain): string[] {
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
    else followChain(chain, leaf, line, true, report);
    if (user.erased_at !== undefined && isErased(record)) continue;
    if (!hasItsTexts(user, record)) report.finding('', 'Its texts have been altered.');
  }
  if (chain.sequence !== user.sequence || chain.hash !== user.last_hash) {
    faults.push(`the last record is not number ${user.sequence}, the last one of the user's item`);
  }
  return faults;
}

/** Returns whether the texts of a host's request, such as the description, match the digest in the record. */
function hasItsTexts(user: User, record: ChainedRecord): boolean {
  if (!('texts' in record) || record.idempotency_key === undefined) return true;
  return record.texts === digestOfTexts(user, record);
}

function balanceFaults(user: User, { balances }: Chain): string[] {
  const differing = accounts.filter((account) => (balances[account] ?? 0) !== user.balances[account]);
  return differing.map(
    (account) =>
      `the user has ${user.balances[account]} ${account}, but the records add up to ${balances[account] ?? 0}`,
  );
}
