import { chainHash, type HistoryRecord } from '../../shared/accounts/records.ts';
import type { Account, User } from '../../shared/accounts/user.ts';

/** What a look at a user's whole history found; `faults` is empty where every record is as it was written. */
export type Verdict = { records: number; intact: boolean; faults: string[] };

type Posted = HistoryRecord & { entry_type?: 'truck' | 'flight'; amount?: number; balance_after?: number };

/**
 * Recomputes the chain of hashes through a user's records of all kinds, in any order, and the balances that follow
 * from them. Records written after the user was read are left out.
 */
export function verifyHistory(user: User, found: HistoryRecord[]): Verdict {
  const records = found
    .filter(({ sequence }) => sequence <= user.sequence)
    .sort((a, b) => a.sequence - b.sequence);
  const faults = [...chainFaults(user, records), ...balanceFaults(user, records)];
  return { records: records.length, intact: faults.length === 0, faults };
}

function chainFaults(user: User, records: HistoryRecord[]): string[] {
  const faults: string[] = [];
  let previous = { sequence: 0, hash: '' };
  for (const record of records) {
    const { sequence, hash } = record;
    if (sequence !== previous.sequence + 1) {
      faults.push(`the records between ${previous.sequence} and ${sequence} are not as they were written`);
    } else if (hash !== chainHash(previous.hash, record)) {
      faults.push(`record ${sequence} (${record.sk}) is not as it was written`);
    }
    previous = record;
  }
  if (previous.sequence !== user.sequence || previous.hash !== user.last_hash) {
    faults.push(`the last record is not the user's last one, number ${user.sequence}`);
  }
  return faults;
}

function balanceFaults(user: User, records: Posted[]): string[] {
  const sums: Record<Account, number> = { tickets: 0, truck: 0, flight: 0 };
  const faults: string[] = [];
  for (const { kind, sequence, entry_type, amount = 0, balance_after } of records) {
    if (kind === 'outcomes') continue;
    const account = kind === 'tickets' ? 'tickets' : entry_type!;
    sums[account] += amount;
    if (sums[account] !== balance_after) {
      faults.push(
        `record ${sequence} says ${balance_after} ${account}, and the records up to it ${sums[account]}`,
      );
    }
  }
  for (const account of Object.keys(sums) as Account[]) {
    if (sums[account] === user.balances[account]) continue;
    faults.push(`the user has ${user.balances[account]} ${account}, and the records say ${sums[account]}`);
  }
  return faults;
}
