/** Changes to the writes of a recorded world. Each breaks the rule that it is listed with. */
import type { Commit, StoredItem } from '../journal.ts';
import { type ItemType, typeOf } from './item-types.ts';
import { type Change, itemOf } from './step.ts';

type FoundChange = { commit: Commit; change: Change; item: StoredItem };
type Alteration = (commits: Commit[]) => Commit[];

/** Returns the first write by `writer` of an item of type `type` that `isIt` accepts. Throws if there is none. */
function find(
  commits: Commit[],
  writer: string,
  type: ItemType,
  isIt: (found: FoundChange) => boolean,
): FoundChange {
  for (const commit of commits)
    for (const change of commit.changes) {
      const found = { commit, change, item: itemOf(change) };
      if (commit.writer.startsWith(writer) && typeOf(found.item) === type && isIt(found)) return found;
    }
  throw new Error(`the recorded world has no such write of a ${type} by ${writer}`);
}

/** Returns an alteration that replaces fields of the first matching write. */
const alter =
  (
    writer: string,
    type: ItemType,
    to: (found: FoundChange) => Partial<Commit>,
    isIt = (_: FoundChange) => true,
  ): Alteration =>
  (commits) => {
    const found = find(commits, writer, type, isIt);
    return commits.map((commit) => (commit === found.commit ? { ...commit, ...to(found) } : commit));
  };

/** Returns an alteration that changes fields of the item in the first matching write. */
const set = (
  writer: string,
  type: ItemType,
  fields: (item: StoredItem) => object,
  isIt?: (found: FoundChange) => boolean,
): Alteration =>
  alter(
    writer,
    type,
    ({ commit: { changes }, change, item }) => ({
      changes: changes.map((one) => (one === change ? { ...one, after: { ...item, ...fields(item) } } : one)),
    }),
    isIt,
  );

const remove = (writer: string, type: ItemType, isIt?: (found: FoundChange) => boolean): Alteration =>
  alter(
    writer,
    type,
    ({ commit: { changes }, change }) => ({ changes: changes.filter((one) => one !== change) }),
    isIt,
  );

/** Returns an alteration that adds another item's change to the first matching write. */
const add = (writer: string, type: ItemType, to: (item: StoredItem) => Partial<Change>): Alteration =>
  alter(writer, type, ({ commit: { changes }, item }) => ({
    changes: [...changes, { before: undefined, after: undefined, ...to(item) }],
  }));

/** Returns an alteration that replaces fields in all written items of a type. */
const everywhere =
  (type: ItemType, fields: (item: StoredItem) => object): Alteration =>
  (commits) =>
    commits.map((commit) => ({
      ...commit,
      changes: commit.changes.map(({ before, after }) => ({
        before,
        after: after && typeOf(after) === type ? { ...after, ...fields(after) } : after,
      })),
    }));

const isNew = ({ change }: FoundChange) => change.before === undefined;
const isSet = ({ change }: FoundChange) => change.before !== undefined;
const isOf = (action: string) => (found: FoundChange) => isNew(found) && found.item.action === action;

export const brokenWrites: [rule: string, how: string, alteration: Alteration][] = [
  [
    'balances are never negative',
    'tickets below 0',
    set('tickets/credit', 'user', () => ({ balances: { tickets: -1, truck: 0, flight: 0 } })),
  ],
  [
    'balances are the sums of their records',
    'a balance that rises more than its record says',
    set('tickets/credit', 'user', ({ balances }) => ({ balances: { ...balances, truck: 1 } })),
  ],
  [
    'balances are the sums of their records',
    'a record with a wrong balance',
    set('tickets/credit', 'record', () => ({ balance_after: 1 })),
  ],
  [
    'a draw and an order use the day of their organization’s calendar',
    'spins that are due a day late',
    set('amoe/queue', 'record', () => ({ due_day: '2026-03-08' })),
  ],
  [
    'a draw and an order use the day of their organization’s calendar',
    'a draw that counts for another day',
    set('play/spin', 'record', ({ budgets }) => ({ budgets: { ...budgets, day: '2026-03-05' } })),
  ],
  [
    'queued spins equal the remaining spins of orders',
    'a due item with more spins',
    set('amoe/queue', 'due', () => ({ remaining: 6 })),
  ],
  [
    'plays and wins of a day are counted with their records',
    'a play that is not counted',
    set('play/spin', 'user', () => ({ plays: { day: '', count: 0 } })),
  ],
  [
    'plays and wins of a day are counted with their records',
    'a credit that counts as a win',
    set('tickets/credit', 'user', () => ({ wins: { day: '2026-03-06', count: 1 } })),
  ],
  [
    'each change increments the user’s version',
    'a skipped version',
    set('tickets/credit', 'user', ({ version }) => ({ version: version + 1 })),
  ],
  ['records are written with their user', 'a record without its user', remove('tickets/credit', 'user')],
  [
    'records name their user’s reference',
    'a reference of another user',
    set('tickets/credit', 'record', () => ({ external_reference: 'another' })),
  ],
  [
    'texts of hosts are hashed with the user’s key',
    'a changed description',
    set('tickets/credit', 'record', () => ({ description: 'another' })),
  ],
  [
    'no time is in the future',
    'a record that is 2.1 s ahead',
    alter('tickets/credit', 'record', ({ item }) => ({ at: Date.parse(item.date_created) - 2100 })),
  ],
  [
    'a record is written within a minute of its time',
    'a record that is 62.1 s old',
    alter('tickets/credit', 'record', ({ item }) => ({ at: Date.parse(item.date_created) + 62_100 })),
  ],
  [
    'immutable items never change',
    'another amount in a stored record',
    add('tickets/credit', 'record', (before) => ({ before, after: { ...before, amount: 1 } })),
  ],
  [
    'immutable items never change',
    'a play URL that is unplayed again',
    add('play/spin', 'session', (before) => ({ before, after: { ...before, played: undefined } })),
  ],
  [
    'nothing is deleted too early',
    'a deleted record',
    add('tickets/credit', 'record', (before) => ({ before })),
  ],
  [
    'nothing is deleted too early',
    'an idempotency key that expires',
    set('tickets/credit', 'idempotency', () => ({ ttl: 2_000_000_000 })),
  ],
  [
    'an idempotency key is stored with its effect',
    'an effect without its key',
    remove('tickets/credit', 'idempotency'),
  ],
  [
    'an idempotency key is stored with its effect',
    'the reply of another request',
    set('amoe/queue', 'idempotency', () => ({ reply: { total_queued_spins: 6 } })),
  ],
  [
    'all shards have the same settings and stock',
    'a shard without a change',
    remove('operator', 'settings', isSet),
  ],
  [
    'a draw follows from its seeds and prize table',
    'another client seed',
    // Changes all outcomes, because one outcome alone may win the same prize with another seed.
    everywhere('record', ({ kind }) => (kind === 'outcomes' ? { client_seed: 'other' } : {})),
  ],
  [
    'a draw follows from its seeds and prize table',
    'a revealed seed',
    set(
      'play/spin',
      'record',
      () => ({ server_seed: '0' }),
      ({ item }) => item.kind === 'outcomes',
    ),
  ],
  [
    'an outcome debits its cost and credits its prize',
    'a cost that is not debited',
    remove('play/spin', 'record', ({ item }) => item.kind === 'tickets'),
  ],
  [
    'an outcome debits its cost and credits its prize',
    'a credit that nobody asked for',
    set('tickets/credit', 'record', () => ({ idempotency_key: undefined })),
  ],
  [
    'a play URL is played once, as its page showed',
    'an outcome without a play URL',
    remove('play/spin', 'session'),
  ],
  [
    'a play URL is played once, as its page showed',
    'another balance on the page',
    set('play/spin', 'session', ({ played }) => ({ played: { ...played, balance: 999 } })),
  ],
  [
    'a suspended organization does not change',
    'a write after a suspension',
    everywhere('organization', () => ({ suspended: true })),
  ],
  [
    'a paused game is not played',
    'a spin of a paused game',
    everywhere('organization', () => ({ paused: 'prizewheel' })),
  ],
  [
    'a frozen user does not change',
    'a credit of a frozen user',
    alter('tickets/credit', 'user', ({ commit: { changes }, change }) => ({
      changes: changes.map((one) =>
        one === change ? { ...one, before: { ...one.before!, frozen: true } } : one,
      ),
    })),
  ],
  [
    'a voided play URL is not played',
    'a play URL that is played and voided',
    set('play/spin', 'session', () => ({ voided: true })),
  ],
  [
    'an operator’s change of a user is recorded in the same write',
    'a freeze without its record',
    remove('operator', 'operation', isOf('user_frozen')),
  ],
  [
    'an operator’s change of a user is recorded in the same write',
    'a void without its record',
    remove('operator', 'operation', isOf('play_voided')),
  ],
  [
    'a key knows whether its organization is suspended',
    'a key that is suspended alone',
    set('operator', 'api key', () => ({ suspended: true })),
  ],
  [
    'a user is erased once and then never changes',
    'an erasure without its record',
    remove('operator', 'operation', isOf('user_erased')),
  ],
  [
    'an organization has at most two live keys and counts them',
    'a key that is not counted',
    remove('operator', 'api key'),
  ],
  ['webhooks are counted', 'a webhook that is not counted', remove('webhooks/create', 'webhook')],
  [
    'every item belongs to one organization and user',
    'a record of another user',
    set('tickets/credit', 'record', () => ({ user_id: 'usr_other' })),
  ],
  [
    'every item belongs to one organization and user',
    'an unknown key',
    set('tickets/credit', 'record', () => ({ sk: 'OTHER' })),
  ],
  [
    'a write belongs to one organization',
    'items of two organizations',
    add('tickets/credit', 'user', (user) => ({ after: { ...user, pk: 'USER#other#1' } })),
  ],
  [
    'only authorized functions write an item',
    'a credit by another function',
    alter('tickets/credit', 'record', () => ({ writer: 'users/find' })),
  ],
];
