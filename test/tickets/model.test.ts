import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainHash, type EntryRecord, type TicketRecord } from '../../shared/accounts/records.ts';
import { readUser, type User } from '../../shared/accounts/user.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { newOrganization } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';

const accounts = ['tickets', 'truck', 'flight'] as const;
type Account = (typeof accounts)[number];
type Change = { account: Account; direction: 'credit' | 'debit'; amount: number; key: string };
type Told = { status: number; code?: string; balance?: number };

const change: fc.Arbitrary<Change> = fc.record({
  account: fc.constantFrom(...accounts),
  direction: fc.constantFrom('credit', 'debit'),
  amount: fc.integer({ min: 1, max: 9 }),
  // Few keys, so that they are repeated: with the same parameters and with others.
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n'),
});

/** The ledger as one would write it on paper. */
function newModel() {
  const balances = { tickets: 0, truck: 0, flight: 0 };
  const used = new Map<string, { parameters: string; told: Told }>();
  const posted: { account: Account; amount: number; balance: number }[] = [];
  const apply = ({ account, direction, amount, key }: Change): Told => {
    const use = `${account === 'tickets'} ${key}`;
    const parameters = `${account} ${direction} ${amount}`;
    const before = used.get(use);
    if (before) {
      return before.parameters === parameters ? before.told : { status: 422, code: 'idempotency_key_reused' };
    }
    const signed = direction === 'credit' ? amount : -amount;
    const balance = balances[account] + signed;
    if (balance < 0) {
      return { status: 400, code: account === 'tickets' ? 'insufficient_tickets' : 'insufficient_entries' };
    }
    balances[account] = balance;
    posted.push({ account, amount: signed, balance });
    const told = { status: 200, balance };
    used.set(use, { parameters, told });
    return told;
  };
  return { balances, posted, apply };
}

async function ask(organizationId: string, user_id: string, change: Change, now: number): Promise<Told> {
  const { account, direction, amount, key } = change;
  const tickets = account === 'tickets';
  const { status, body } = await invoke(`${tickets ? 'tickets' : 'entries'}/${direction}`, {
    organizationId,
    path: { user_id },
    body: { amount, idempotency_key: key, ...(tickets ? {} : { type: account }) },
    now,
  });
  if (status !== 200) return { status, code: body.code };
  return { status, balance: tickets ? body.new_ticket_balance : body.new_entry_balance };
}

type Stored = TicketRecord | EntryRecord;
async function recordsOf(organizationId: string, userId: string): Promise<Stored[]> {
  const records: Stored[] = [];
  for (const list of ['tickets', 'entries#truck', 'entries#flight'] as const) {
    const found = await readRange(recordsOfUser(organizationId, userId, list), { consistent: true });
    expect(found.map(({ sequence }) => sequence)).toEqual(
      found.map(({ sequence }) => sequence).sort((a, b) => Number(a) - Number(b)),
    );
    records.push(...(found as unknown as Stored[]));
  }
  return records.sort((a, b) => a.sequence - b.sequence);
}

function expectChain(records: Stored[], user: User): void {
  let last = '';
  for (const [index, record] of records.entries()) {
    expect(record.sequence).toBe(index + 1);
    expect(record.hash).toBe(chainHash(last, record));
    expect(record.hash).not.toBe(chainHash(last, { ...record, amount: record.amount + 1 }));
    last = record.hash;
  }
  expect([user.sequence, user.last_hash]).toEqual([records.length, last]);
}

async function walk(organizationId: string, user_id: string, limit: number): Promise<number[]> {
  const amounts: number[] = [];
  let next_token = '';
  do {
    const query = { limit: String(limit), next_token };
    const { body } = await invoke('tickets/history', { organizationId, path: { user_id }, query });
    amounts.push(...body.transactions.map(({ amount }: { amount: number }) => amount));
    next_token = body.next_token;
  } while (next_token);
  return amounts;
}

test('any row of changes does what a ledger on paper does', async () => {
  const { organizationId } = await newOrganization();
  const clock = fc.infiniteStream(fc.integer({ min: -50, max: 50 }));
  const pages = fc.integer({ min: 1, max: 7 });
  const changes = fc.array(change, { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(changes, clock, pages, async (changes, drift, limit) => {
      const model = newModel();
      const reference = { external_reference: crypto.randomUUID() };
      const user_id = (await invoke('users/create', { organizationId, body: reference })).body.user_id;
      for (const change of changes) {
        const now = Date.now() + (drift.next().value as number);
        expect(await ask(organizationId, user_id, change, now)).toEqual(model.apply(change));
      }
      const [user, records] = await Promise.all([
        readUser(organizationId, user_id),
        recordsOf(organizationId, user_id),
      ]);
      expect(user.balances).toEqual(model.balances);
      const written = records.map((record) => ({
        account: record.kind === 'entries' ? record.entry_type : record.kind,
        amount: record.amount,
        balance: record.balance_after,
      }));
      expect(written).toEqual(model.posted);
      expectChain(records, user);
      const tickets = model.posted.filter(({ account }) => account === 'tickets');
      expect(await walk(organizationId, user_id, limit)).toEqual(
        tickets.map(({ amount }) => amount).reverse(),
      );
    }),
    { numRuns: 15 },
  );
});
