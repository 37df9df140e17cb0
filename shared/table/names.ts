/** The meaning of a stored name must never change. */

/** Fields of records have one-letter names, because the index `byTime` stores records a second time. */
export const fieldsByStoredName: Readonly<Record<string, string>> = {
  // Fields that all records have.
  s: 'sequence',
  n: 'number',
  e: 'event_sequence',
  h: 'hash',
  t: 'texts',
  r: 'result_effective_date',
  i: 'idempotency_key',
  k: 'kind',
  // Fields of records that change a balance.
  a: 'amount',
  b: 'balance_after',
  d: 'description',
  o: 'outcome_id',
  N: 'number_of_type',
  t0: 'ms_since_last',
  O: 'action_id',
  W: 'drawing_id',
  // Fields of outcomes.
  y: 'play_type',
  g: 'game',
  p: 'prize',
  j: 'prize_id',
  z: 'game_status',
  c: 'cost',
  v: 'prize_table_version',
  D: 'secret_day',
  T: 'token_hash',
  I: 'order_id',
  X: 'expires_at',
  f: 'client_seed',
  x: 'spin_index',
  G: 'debug',
  // Fields of an outcome's budgets.
  L: 'budgets',
  C: 'cash',
  K: 'stock',
  w: 'wins',
  E: 'grants',
  A: 'granted',
  M: 'limit',
  Y: 'out',
  Z: 'number_of_day',
  F: 'granted_on_day',
  U: 'usd',
  // Fields of orders of free spins.
  m: 'num_of_spins',
  q: 'run',
  u: 'due_day',
  l: 'last_hash',
  o0: 'remaining',
  // Fields with ids and times.
  w0: 'organization_id',
  w1: 'user_id',
  w2: 'date_created',
  w3: 'timestamp',
  w4: 'id',
  w5: 'transaction_id',
  w6: 'entry_type',
  // Fields of used idempotency keys.
  i0: 'parameters',
  i1: 'reply',
  i2: 'nonce',
  i3: 'balance',
  i4: 'total_queued_spins',
  i5: 'ulid',
  // Fields of play sessions.
  p0: 'lang',
  p1: 'commitment',
  p3: 'played',
  p4: 'voided',
  p5: 'server_seed',
  // Fields of calls to webhooks.
  c0: 'webhook_id',
  c1: 'event_id',
  c2: 'event_type',
  c3: 'payload',
  c4: 'attempt',
  c5: 'response_status',
  c6: 'duration_ms',
  c7: 'url',
  c8: 'error',
  // Fields of users and their balances.
  u0: 'external_reference',
  u1: 'balances',
  u2: 'queued_spins',
  u3: 'plays',
  u4: 'day',
  u5: 'count',
  u6: 'version',
  u7: 'counts',
  u8: 'last_ulid',
  u9: 'text_key',
  b0: 'tickets',
  b1: 'truck',
  b2: 'flight',
  k0: 'entries',
  k1: 'entries#truck',
  k2: 'entries#flight',
  k3: 'outcomes',
  k4: 'orders',
  // Fields named after kinds of prizes.
  z0: 'cash_usd',
  z1: 'entry_truck',
  z2: 'entry_flight',
  z3: 'prize_money_transfer',
  z4: 'prize_cash_back',
  z5: 'prize_streaming',
  z6: 'prize_imt',
  z7: 'prize_gift_card',
  z8: 'prize_phone_accessory',
  z9: 'prize_merchandise',
};

const storedNames = new Map(Object.entries(fieldsByStoredName).map(([name, field]) => [field, name]));
const fieldsByName = new Map(Object.entries(fieldsByStoredName));
// Prefix for the stored name of a field that begins with `~` or equals another field's stored name.
const escapeSign = '~';

export const storedName = (field: string): string =>
  storedNames.get(field) ?? (fieldsByName.has(field) || field[0] === escapeSign ? escapeSign + field : field);

export const fieldOf = (name: string): string =>
  fieldsByName.get(name) ?? (name[0] === escapeSign ? name.slice(1) : name);
