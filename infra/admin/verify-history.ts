import { type ChainedRecord, chainHash, digestOfTexts } from '../../shared/accounts/records.ts';
import type { User } from '../../shared/accounts/user.ts';
import { type Account, accounts } from '../../shared/vocabulary.ts';

/** What a look at a user's whole history found; `faults` is empty if every record is as it was written. */
export type HistoryCheck = { records: number; intact: boolean; faults: string[] };

/**
 * Recomputes the chain of hashes through a user's records of all kinds, in any order, and the balances that follow
 * from them. Records written after the user was read are left out.
 */
export function verifyHistory(user: User, found: ChainedRecord[]): HistoryCheck {
  const records = found
    .filter(({ sequence }) => sequence <= user.sequence)
    .sort((a, b) => a.sequence - b.sequence);
  const faults = [...chainFaults(user, records), ...balanceFaults(user, records)];
  return { records: records.length, intact: faults.length === 0, faults };
}

function chainFaults(user: User, records: ChainedRecord[]): string[] {
  const faults: string[] = [];
  let previous = { sequence: 0, hash: '' };
  for (const record of records) {
    const { sequence, hash } = record;
    if (sequence !== previous.sequence + 1) {
      faults.push(`the records between ${previous.sequence} and ${sequence} are not as they were written`);
    } else if (hash !== chainHash(previous.hash, record) || !hasItsTexts(user, record)) {
      faults.push(`record ${sequence} (${record.sk}) is not as it was written`);
    }
    previous = record;
  }
  if (previous.sequence !== user.sequence || previous.hash !== user.last_hash) {
    faults.push(`the last record is not the user's last one, number ${user.sequence}`);
  }
  return faults;
}

/** Whether the texts of a host's request are those that were digested, if they are still there. */
function hasItsTexts(user: User, record: ChainedRecord): boolean {
  if (!('texts' in record) || record.idempotency_key === undefined) return true;
  return record.texts === digestOfTexts(user, record);
}

function balanceFaults(user: User, records: ChainedRecord[]): string[] {
  const sums = Object.fromEntries(accounts.map((account) => [account, 0])) as Record<Account, number>;
  const faults: string[] = [];
  for (const record of records) {
    if (record.kind === 'outcomes' || record.kind === 'orders') continue;
    const { sequence, amount, balance_after } = record;
    const account = record.kind === 'entries' ? record.entry_type : record.kind;
    sums[account] += amount;
    if (sums[account] !== balance_after) {
      faults.push(
        `record ${sequence} says ${balance_after} ${account}, and the records up to it ${sums[account]}`,
      );
    }
  }
  for (const account of accounts) {
    if (sums[account] === user.balances[account]) continue;
    faults.push(`the user has ${user.balances[account]} ${account}, and the records say ${sums[account]}`);
  }
  return faults;
}
