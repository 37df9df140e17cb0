import { describe, expect, test } from 'vitest';
import { parseLeaf } from '../../shared/books/leaves.ts';
import { canonicalJson } from '../../shared/ids.ts';

const ulid = '01JZ0000000000000000000000';
const [org, usr, txn, out, ord, op] = ['org', 'usr', 'txn', 'out', 'ord', 'op'].map(
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
  client_seed: 'é "quoted"',
  spin_index: 0,
  budgets: { cash: { grants: 0, granted: 0, limit: 500 } },
};
const { token_hash, ...ofNoToken } = play;
const spin = { ...ofNoToken, play_type: 'amoe', order_id: ord, order_sequence: 1, beacon_round: 3 };
const order = {
  kind: 'orders',
  ...ofUser,
  order_id: ord,
  num_of_spins: 3,
  run: 'queued',
  due_day: '2026-03-09',
  result_effective_date: at,
  last_hash: '',
  prize_table_version: table,
  beacon: hex,
  texts: digest,
};
const operation = {
  kind: 'operations',
  ...chained,
  operation_id: op,
  operator: 'ops@example.com',
  action: 'changed',
  before: { cost_truck: 5 },
  after: { cost_truck: 6 },
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

describe('a leaf', () => {
  test.each(Object.entries({ credit, entry, prize, play, withAll, spin, jackpot, order, operation }))(
    '%s is read as it is written',
    (_, said) => expect(parseLeaf(line(said))).toEqual(said),
  );

  test.each([
    ['of no kind', line({ ...credit, kind: 'users' })],
    ['of a kind that every object has', line({ ...credit, kind: 'toString' })],
    ['that is a list', '[]'],
    ['that is nothing', 'null'],
    ['that is empty', ''],
    ['with a field more', line({ ...credit, more: 1 })],
    ['with a field more that objects have', line(credit).replace('{', '{"__proto__":{},')],
    ['with a field less', line({ ...credit, amount: undefined })],
    ['with a space', line(credit).replace(':5', ': 5')],
    ['with a field twice', line(credit).replace('"amount":5', '"amount":5,"amount":5')],
    ['with its fields in another order', JSON.stringify(credit)],
    ['with a number spelled otherwise', line(credit).replace(':5,', ':5.0,')],
    ['with a text spelled otherwise', line(credit).replace('tickets', 'tick\\u0065ts')],
    ['with an amount that is no whole number', line({ ...credit, amount: 0.5 })],
    ['that changes nothing', line({ ...credit, amount: 0 })],
    ['with a balance below zero', line({ ...credit, balance_after: -1 })],
    ['of a sequence below one', line({ ...credit, sequence: 0 })],
    ['whose id is of another kind', line({ ...credit, transaction_id: out })],
    ['whose hash is spelled otherwise', line({ ...credit, hash: `${'A'.repeat(42)}B` })],
    ['of a host and of an outcome', line({ ...prize, texts: digest })],
    ['of no outcome that describes itself', line({ ...prize, outcome_id: undefined })],
    ['of two prizes', line({ ...play, prize: { tickets: 1, cash_usd: 1 } })],
    ['of no prize', line({ ...play, prize: {} })],
    ['of a prize that nobody knows', line({ ...play, prize: { car: 1 } })],
    ['of a request without the digest of its texts', line(withoutTexts)],
    ['of a play without the day of its secret', line({ ...play, secret_day: undefined })],
    ['of a play without its URL', line(ofNoToken)],
    ['of a spin of no order', line({ ...spin, order_id: undefined, order_sequence: undefined })],
    ['of a spin without the number of its order', line({ ...spin, order_sequence: undefined })],
    ['of an order without a table', line({ ...order, prize_table_version: undefined })],
    ['of a play with an index', line({ ...play, spin_index: 1 })],
    ['of a play with an order', line({ ...play, order_id: ord })],
    ['of a play with a round', line({ ...play, beacon_round: 1 })],
    ['of a spin of an order without an id', line({ ...spin, order_id: undefined })],
    ['of a spin that is forced', line({ ...spin, debug: 'tickets_only' })],
    ['with the beacon both in and out', line({ ...spin, beacon_out: true })],
    ['without the cash of the day', withBudgets({ cash: undefined })],
    ['with half of the cash', withBudgets({ cash: { grants: 0, granted: 0 } })],
    [
      'with its budgets in another order',
      line(play).replace(/"granted":0,"grants":0/, '"grants":0,"granted":0'),
    ],
    ['that says a day that goes without saying', withBudgets({ day: '2026-03-08' })],
    ['that says that nothing is out of stock', withBudgets({ stock: { grants: 0, out: [] } })],
    ['with half of the numbers of a prize', withBudgets({ stock: { grants: 0, number: 1 } })],
    ['with wins that nothing limits', withBudgets({ wins: { granted: 0, limit: 0 } })],
    ['with half a character', line({ ...play, client_seed: '\ud800' })],
    ['of an order of no spins', line({ ...order, num_of_spins: 0 })],
    ['of an operation on what nobody knows', line({ ...operation, after: { cost_train: 1 } })],
    ['with its settings in another order', JSON.stringify(operation)],
    ['that is deep', `{"kind":${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
  ])('%s is none', (_, text) => expect(parseLeaf(text)).toBeUndefined());
});
