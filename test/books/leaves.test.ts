import { describe, expect, test } from 'vitest';
import { parseLeaf } from '../../shared/books/leaves.ts';
import { canonicalJson } from '../../shared/ids.ts';
import type { ActionName } from '../../shared/vocabulary.ts';

const ulid = '01JZ0000000000000000000000';
const [org, usr, txn, out, ord, op] = ['org', 'usr', 'txn', 'out', 'ord', 'act'].map(
  (prefix) => `${prefix}_${ulid}`,
);
const digest = 'A'.repeat(43);
const hex = 'ab'.repeat(32);
const table = `prizewheel-${digest}`;
const at = '2026-03-08T05:00:00.000Z';
const chained = { organization_id: org, date_created: at, sequence: 1, hash: digest };
const ofUser = { ...chained, user_id: usr, number: 1 };
const credit = {
  kind: 'tickets',
  ...ofUser,
  event_sequence: 1,
  transaction_id: txn,
  amount: 5,
  balance_after: 5,
  texts: digest,
  result_effective_date: at,
};
const play = {
  kind: 'outcomes',
  ...ofUser,
  event_sequence: 1,
  id: out,
  timestamp: at,
  play_type: 'regular',
  game: 'prizewheel',
  prize: { tickets: 1 },
  prize_id: 'tickets-1',
  game_status: 'Ticket-only',
  result_effective_date: at,
  cost: 1,
  prize_table_version: table,
  secret_day: '2026-03-08',
  token_hash: digest,
  expires_at: at,
  client_seed: 'é "quoted"',
  spin_index: 0,
  budgets: { cash: { grants: 0, granted: 0, limit: 500 } },
};
const { token_hash, expires_at, ...ofNoToken } = play;
const spin = { ...ofNoToken, play_type: 'amoe', order_id: ord };
const order = {
  kind: 'orders',
  ...ofUser,
  order_id: ord,
  num_of_spins: 3,
  run: 'queued',
  due_day: '2026-03-09',
  result_effective_date: at,
  prize_table_version: table,
  texts: digest,
};
const operation = {
  kind: 'actions',
  ...chained,
  action_id: op,
  operator: 'ops@example.com',
  action: 'changed',
  before: { cost_truck: 5 },
  after: { cost_truck: 6 },
};
const unchanged = { before: {}, after: {} };
const opened = { ...operation, action: 'opened', before: {}, fingerprints: { '2026-03-08': hex } };
const freeze = { ...operation, ...unchanged, action: 'user_frozen', about: { user_id: usr }, texts: digest };
const replay = {
  ...operation,
  ...unchanged,
  action: 'events_replayed',
  about: { window: { from: at, to: at } },
  why: 'lost',
};
const webhook_id = `wh_${ulid}`;
const details = {
  ...{ user_id: usr, key_id: 'k', transaction_id: txn, account: 'tickets', amount: -2 },
  ...{ balance: { before: 5, after: 3 }, token_hash: digest, spins: { [ord!]: 3 } },
  ...{ from: at, changes: { cost_truck: 6 }, sequence: 2 },
  ...{ page: { before: { brand_name: '' }, after: { brand_name: 'Sol' } } },
  ...{ webhook_id, webhook: { before: {}, after: { replaced_secrets: 2 } }, window: { from: at, to: at } },
  ...{ last_book: { after: '2026-03-07' } },
};
const prizes = [{ id: 'tickets-1', kind: 'tickets', amount: 1, weight: 1, label: { en: 'One', es: 'Uno' } }];
const tables = { table: { game: 'truck', version: `truck-${digest}`, prizes } };
const newTable = {
  ...operation,
  before: { prize_table_truck: `truck-${'B'.repeat(42)}A` },
  after: { prize_table_truck: `truck-${digest}` },
  ...tables,
};
const entry = { ...credit, kind: 'entries', entry_type: 'truck', number_of_type: 1 };
const { texts, ...withoutTexts } = credit;
const prize = { ...withoutTexts, outcome_id: out, description: 'Truck prize' };
const { budgets, ...withoutBudgets } = play;
const jackpot = { ...withoutBudgets, debug: 'jackpot' };
const withAll = {
  ...play,
  budgets: {
    day: '2026-03-07',
    ...budgets,
    stock: { grants: 3, out: ['car'], number: 1, number_of_day: 1 },
    wins: { granted: 0, limit: 2 },
  },
};
const withBudgets = (said: object) => line({ ...play, budgets: { ...budgets, ...said } });

const line = (said: object) => canonicalJson(said);

const namesOfAllObjects = Object.getOwnPropertyNames(Object.prototype);
const long = (length: number) => 'x'.repeat(length);
const withSettings = (after: object) => ({ ...operation, before: {}, after });
const about = (action: ActionName, details: object) => ({
  ...operation,
  ...unchanged,
  action,
  about: details,
});

describe('a leaf', () => {
  test.each(
    Object.entries({
      ...{ credit, entry, prize, play, withAll, spin, jackpot, order },
      ...{ operation, opened, freeze, replay, newTable },
    }),
  )('%s is parsed as it is written', (_, said) => expect(parseLeaf(line(said))).toEqual(said));

  test.each<[ActionName, ...(keyof typeof details)[]]>([
    ['scheduled', 'from', 'changes'],
    ['unscheduled', 'sequence'],
    ['key_created', 'key_id'],
    ['key_revoked', 'key_id'],
    ['page_changed', 'page'],
    ['user_frozen', 'user_id'],
    ['user_unfrozen', 'user_id'],
    ['user_erased', 'user_id'],
    ['balance_adjusted', 'user_id', 'transaction_id', 'account', 'amount', 'balance'],
    ['play_voided', 'user_id', 'token_hash'],
    ['play_restored', 'user_id', 'token_hash'],
    ['spins_cancelled', 'user_id', 'spins'],
    ['spins_restored', 'user_id', 'spins'],
    ['webhook_enabled', 'webhook_id', 'webhook'],
    ['webhook_secrets_dropped', 'webhook_id', 'webhook'],
    ['events_replayed', 'window'],
    ['reports_rebuilt'],
    ['book_closed', 'last_book'],
  ])('of the action %s has exactly the details of its kind', (action, ...fields) => {
    const of = (names: string[]) => {
      const about = Object.fromEntries(names.map((name) => [name, details[name as keyof typeof details]]));
      return { ...operation, ...unchanged, action, about };
    };
    expect(parseLeaf(line(of(fields)))).toEqual(of(fields));
    for (const field of fields)
      expect(parseLeaf(line(of(fields.filter((one) => one !== field))))).toBeUndefined();
    const other = fields[0] === 'key_id' ? 'token_hash' : 'key_id';
    expect(parseLeaf(line(of([...fields, other])))).toBeUndefined();
  });

  test.each<[what: string, leafWith: (version: string) => object]>([
    ['an outcome', (version) => ({ ...play, prize_table_version: version })],
    ['an order', (version) => ({ ...order, prize_table_version: version })],
    ['settings', (version) => withSettings({ prize_table_truck: version })],
    ['former settings', (version) => ({ ...newTable, before: { prize_table_truck: version } })],
    [
      'a scheduled change',
      (version) => about('scheduled', { from: at, changes: { prize_table_truck: version } }),
    ],
    [
      'a prize table',
      (version) => ({ ...withSettings({ prize_table_truck: version }), table: { ...tables.table, version } }),
    ],
  ])(
    'with the version of %s is rejected if every JavaScript object has a field of its name',
    (_, leafWith) => {
      const version = long(120);
      expect(parseLeaf(line(leafWith(version)))).toEqual(leafWith(version));
      for (const name of namesOfAllObjects) expect(parseLeaf(line(leafWith(name)))).toBeUndefined();
    },
  );

  test.each([
    ['of an unknown kind', line({ ...credit, kind: 'users' })],
    ['of a kind that names an Object method', line({ ...credit, kind: 'toString' })],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['that is empty', ''],
    ['with an extra field', line({ ...credit, more: 1 })],
    ['with an extra __proto__ field', line(credit).replace('{', '{"__proto__":{},')],
    ['with a missing field', line({ ...credit, amount: undefined })],
    ['with a space', line(credit).replace(':5', ': 5')],
    ['with a duplicate field', line(credit).replace('"amount":5', '"amount":5,"amount":5')],
    ['with its fields in another order', JSON.stringify(credit)],
    ['with another spelling of a number', line(credit).replace(':5,', ':5.0,')],
    ['with another spelling of a text', line(credit).replace('tickets', 'tick\\u0065ts')],
    ['with a fractional amount', line({ ...credit, amount: 0.5 })],
    ['with amount zero', line({ ...credit, amount: 0 })],
    ['with a negative balance', line({ ...credit, balance_after: -1 })],
    ['with sequence number zero', line({ ...credit, sequence: 0 })],
    ['with an id of another kind', line({ ...credit, transaction_id: out })],
    ['with another spelling of a hash', line({ ...credit, hash: `${'A'.repeat(42)}B` })],
    ['with a host’s texts and an outcome', line({ ...prize, texts: digest })],
    ['with a description but no outcome', line({ ...prize, outcome_id: undefined })],
    ['with two prizes', line({ ...play, prize: { tickets: 1, cash_usd: 1 } })],
    ['with no prize', line({ ...play, prize: {} })],
    ['with an unknown prize', line({ ...play, prize: { car: 1 } })],
    ['with a host’s request but no digest of its texts', line(withoutTexts)],
    ['with a play without a token hash', line(ofNoToken)],
    ['with a free spin without an order', line({ ...spin, order_id: undefined })],
    ['with a play with a spin index', line({ ...play, spin_index: 1 })],
    ['with a play with an order', line({ ...play, order_id: ord })],
    ['with a free spin with a forced result', line({ ...spin, debug: 'tickets_only' })],
    ['without the state of the day’s cash', withBudgets({ cash: undefined })],
    ['with an incomplete state of the day’s cash', withBudgets({ cash: { grants: 0, granted: 0 } })],
    [
      'with its budgets in another order',
      line(play).replace(/"granted":0,"grants":0/, '"grants":0,"granted":0'),
    ],
    ['with the default day stated', withBudgets({ day: '2026-03-08' })],
    ['with an empty list of used-up prizes', withBudgets({ stock: { grants: 0, out: [] } })],
    ['with only one of a prize’s two numbers', withBudgets({ stock: { grants: 0, number: 1 } })],
    ['with only the other of them', withBudgets({ stock: { grants: 0, number_of_day: 1 } })],
    ['with a state of wins but no limit', withBudgets({ wins: { granted: 0, limit: 0 } })],
    ['with an unpaired surrogate', line({ ...play, client_seed: '\ud800' })],
    ['with an order of zero spins', line({ ...order, num_of_spins: 0 })],
    ['with an operation on an unknown setting', line({ ...operation, after: { cost_train: 1 } })],
    ['with its settings in another order', JSON.stringify(operation)],
    ['with an action on a user and the reason in full', line({ ...freeze, why: 'trouble' })],
    ['with another action and a digest of its reason', line({ ...operation, texts: digest })],
    ['with an action on a user that changes settings', line({ ...freeze, after: { cost_truck: 6 } })],
    ['with a former setting that does not change', line({ ...operation, before: { cost_flight: 1 } })],
    ['with an opening with former settings', line({ ...opened, before: { cost_truck: 5 } })],
    ['with an opening without fingerprints', line({ ...opened, fingerprints: undefined })],
    ['with fingerprints in another action', line({ ...operation, fingerprints: { '2026-03-08': hex } })],
    ['with a prize table of another version', line({ ...newTable, after: { prize_table_truck: table } })],
    ['with a prize table that no setting names', line({ ...operation, ...tables })],
    ['that is deeply nested', `{"kind":${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
  ])('a line %s is rejected', (_, text) => expect(parseLeaf(text)).toBeUndefined());
});
