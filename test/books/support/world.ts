/** Simulates a service for tests of books: draws prizes and writes records, by default without cheating. */
import { defaultPrizeTables, type Prize } from '../../../shared/games/prize-tables.ts';
import { canonical, dayAt, daysAfter, digest, hexDigest, midnightOf, nextUlid, ulidOf } from './plain.ts';

/** A record as in a book, with fields in snake_case. */
export type Rec = Record<string, unknown> & { kind: string; hash: string; sequence: number };
export type Game = 'prizewheel' | 'truck' | 'flight';
export type Settings = Record<string, string | number | boolean | object | null>;

export const versionFor = (game: string, prizes: unknown): string => `${game}-${digest(canonical(prizes))}`;
export const idOf = (rec: Rec): string =>
  String(rec.transaction_id ?? rec.action_id ?? (rec.kind === 'outcomes' ? rec.id : rec.order_id));
export const hashOf = ({ hash, ...said }: Rec, previous: string): string =>
  digest(`${previous}\n${canonical(said)}`);

export type User = {
  id: string;
  sequence: number;
  hash: string;
  ulid: string;
  balances: Record<string, number>;
  numbers: Record<string, number>;
  /** The user's number of wins (`count`) on `day`, the last day on which a win limit applied. */
  wins: { day: string; count: number };
};
export type Url = {
  user: User;
  game: Game;
  token: string;
  secretDay: string;
  cost: number;
  table: string;
  /** The end of the URL, as an ISO instant. */
  expires: string;
  debug?: 'jackpot' | 'tickets_only';
};
export type Order = { user: User; rec: Rec; next: number };
/** The state of a game's stock. `won` and `ofDay` count wins, in total and on `day`. */
export type StockState = {
  day: string;
  sequence: number;
  won: Record<string, number>;
  ofDay: Record<string, number>;
};
/** As in an outcome's record. */
export type Period = {
  outside?: true;
  promotion?: { first_day: string; grants: number; granted: number; limit?: number };
};
/** The inputs of a draw. The function `lie` of a world can replace them, for the draw and for its record. */
export type Draw = {
  serverSeed: string;
  /** The fields of the outcome's record that do not describe budgets, such as the game and the seeds. */
  said: Record<string, unknown>;
  cash: { day: string; sequence: number; sum: number; limit: number };
  /** The user's daily win limit and number of earlier wins. Absent if no limit is in force. */
  wins?: { limit: number; count: number };
  /** The state of the game's stock and the used-up prizes. Absent if the table has no stock. */
  stock?: StockState & { out: string[] };
  /** The state of the promotion's period. Empty without a promotion. */
  period: Period;
  ticketsOnly?: boolean;
};

export type WorldOptions = {
  name?: string;
  start?: string;
  settings?: Settings;
  onRecord?: (rec: Rec, day: string) => void;
};

const tables = (['prizewheel', 'truck', 'flight'] as const).map(
  (game) => [versionFor(game, defaultPrizeTables[game].prizes), defaultPrizeTables[game].prizes] as const,
);

export type World = ReturnType<typeof newWorld>;

/** Returns a world with one organization that was just opened. Tests set the world's time in its field `now`. */
export function newWorld(options: WorldOptions = {}) {
  const { name = 'honest', start = '2026-03-06' } = options;
  const days = new Map<string, Rec[]>();
  const world = {
    organizationId: `org_${ulidOf(midnightOf(start), name)}`,
    now: midnightOf(start) + 9 * 3_600_000,
    days,
    settings: {} as Settings,
    tables: new Map<string, Prize[]>(tables),
    cash: new Map<string, { sequence: number; sum: number }>(),
    stock: new Map<string, StockState>(),
    /** Cash of promotions, by first day. */
    promotions: { grants: 0, granted: {} as Record<string, number> },
    actions: { sequence: 0, hash: '' },
    users: 0,
    tokens: 0,
    secretOf: (day: string) => hexDigest(`${name} ${day}`),
    lie: (draw: Draw): Draw => draw,
    onRecord:
      options.onRecord ??
      ((rec: Rec, day: string) => {
        days.set(day, [...(days.get(day) ?? []), rec]);
      }),
    wait: (ms: number) => {
      world.now += ms;
    },
  };
  const [wheel, truck, flight] = tables.map(([version]) => version) as [string, string, string];
  world.settings = {
    cost_prizewheel: 1,
    cost_truck: 5,
    cost_flight: 10,
    daily_spin_limit_on: true,
    daily_spin_limit: 5,
    daily_cash_limit_usd: 500,
    daily_cash_paced: false,
    daily_win_limit: 0,
    prize_table_prizewheel: wheel,
    prize_table_truck: truck,
    prize_table_flight: flight,
    rules_url: '',
    suspended: false,
    paused: '',
    promotion: null,
    tracked_prizes: '',
    claim_days: 0,
    ...options.settings,
  };
  open(world);
  return world;
}

/**
 * Writes the organization's first record, which opens the organization and publishes the fingerprints of the
 * first two days' secrets.
 */
export function open(world: World) {
  const days = [0, 1].map((days) => daysAfter(dayAt(world.now), days));
  const fingerprint = (day: string) => [day, hexDigest(Buffer.from(world.secretOf(day), 'hex'))];
  operate(world, {
    action: 'opened',
    before: {},
    after: world.settings,
    fingerprints: Object.fromEntries(days.map(fingerprint)),
  });
}

/** Deletes all records and opens the organization again with other settings. */
export function reopen(world: World, settings: Settings) {
  world.days.clear();
  world.actions = { sequence: 0, hash: '' };
  world.settings = settings;
  open(world);
}

function operate(world: World, said: Record<string, unknown> & { after: Settings }): Rec {
  const sequence = world.actions.sequence + 1;
  const ulid = ulidOf(world.now, `${world.organizationId} ${sequence}`);
  const rec: Rec = {
    kind: 'actions',
    action_id: `act_${ulid}`,
    organization_id: world.organizationId,
    date_created: new Date(world.now).toISOString(),
    sequence,
    operator: 'somebody',
    ...said,
    hash: '',
  };
  rec.hash = hashOf(rec, world.actions.hash);
  world.actions = { sequence, hash: rec.hash };
  world.settings = { ...world.settings, ...said.after };
  world.onRecord(rec, dayAt(world.now));
  world.wait(1);
  return rec;
}

export function change(
  world: World,
  changes: Settings,
  table?: { game: Game; version: string; prizes: Prize[] },
  about?: Record<string, unknown>,
  why?: string,
) {
  const names = Object.keys(changes).filter((name) => changes[name] !== world.settings[name]);
  const after = Object.fromEntries(names.map((name) => [name, changes[name]!]));
  const before = Object.fromEntries(
    names.filter((name) => name in world.settings).map((name) => [name, world.settings[name]!]),
  );
  const more = { ...(about && { about }), ...(table && { table }), ...(why && { why }) };
  operate(world, { action: 'changed', before, after, ...more });
}

/** Records an operator's action that changes no settings. `more` are further fields of the record. */
export const act = (world: World, action: string, about: Record<string, unknown>, more: object = {}) =>
  operate(world, { action, about, before: {}, after: {}, ...more });

/** Puts a prize table in force as an operator, and records the change. Returns the table's version. */
export function putTable(world: World, game: Game, prizes: Prize[]): string {
  const version = versionFor(game, prizes);
  world.tables.set(version, prizes);
  change(world, { [`prize_table_${game}`]: version }, { game, version, prizes });
  return version;
}

export function newUser(world: World): User {
  const id = `usr_${ulidOf(world.now, `${world.organizationId} user ${++world.users}`)}`;
  return {
    id,
    sequence: 0,
    hash: '',
    ulid: '',
    balances: { tickets: 0, truck: 0, flight: 0 },
    numbers: {},
    wins: { day: '', count: 0 },
  };
}

const idField: Record<string, [string, string]> = {
  tickets: ['transaction_id', 'txn'],
  entries: ['transaction_id', 'txn'],
  outcomes: ['id', 'out'],
  orders: ['order_id', 'ord'],
  claims: ['claim_id', 'clm'],
};

export function append(world: World, user: User, said: Record<string, unknown> & { kind: string }): Rec {
  const sequence = user.sequence + 1;
  const fresh = ulidOf(world.now, `${user.id} ${sequence}`);
  const ulid = user.ulid.slice(0, 10) >= fresh.slice(0, 10) ? nextUlid(user.ulid) : fresh;
  const [field, prefix] = idField[said.kind]!;
  const count = (of: string) => {
    user.numbers[of] = (user.numbers[of] ?? 0) + 1;
    return user.numbers[of];
  };
  const at = new Date(world.now).toISOString();
  const rec: Rec = {
    [field]: `${prefix}_${ulid}`,
    organization_id: world.organizationId,
    user_id: user.id,
    date_created: at,
    ...(said.kind === 'outcomes' ? { timestamp: at } : {}),
    sequence,
    number: count(said.kind),
    ...(said.kind === 'orders' ? {} : { event_sequence: count('events') }),
    ...(said.kind === 'entries' ? { number_of_type: count(String(said.entry_type)) } : {}),
    ...said,
    hash: '',
  };
  rec.hash = hashOf(rec, user.hash);
  Object.assign(user, { sequence, hash: rec.hash, ulid });
  world.onRecord(rec, dayAt(world.now));
  return rec;
}

export const startOfToday = (world: World) => new Date(midnightOf(dayAt(world.now))).toISOString();

export function post(
  world: World,
  user: User,
  account: string,
  amount: number,
  said: Record<string, unknown>,
) {
  user.balances[account]! += amount;
  return append(world, user, {
    ...(account === 'tickets' ? { kind: 'tickets' } : { kind: 'entries', entry_type: account }),
    amount,
    balance_after: user.balances[account],
    result_effective_date: startOfToday(world),
    ...said,
  });
}

/** Records that a prize of a user was delivered. */
export function deliver(world: World, user: User, outcome: Rec): Rec {
  const { id: prize_id, prize } = outcome;
  const said = { state: 'delivered', delivered_on: dayAt(world.now), operator: 'somebody', correction: true };
  const rec = append(world, user, {
    kind: 'claims',
    prize_id,
    prize,
    ...said,
    texts: digest(`${user.id} ${user.sequence}`),
  });
  world.wait(1);
  return rec;
}

/** Credits an account of a user, as a host would. A negative amount is a debit. */
export function credit(world: World, user: User, amount: number, account = 'tickets'): Rec {
  const rec = post(world, user, account, amount, { texts: digest(`${user.id} ${user.sequence}`) });
  world.wait(1);
  return rec;
}

/**
 * Adjusts a balance of a user, as an operator. The action's record is `laterMs` milliseconds later than the
 * transaction.
 */
export function adjust(world: World, user: User, amount: number, { laterMs = 0, account = 'tickets' } = {}) {
  const next = ulidOf(world.now + laterMs, `${world.organizationId} ${world.actions.sequence + 1}`);
  const own = { description: 'Adjustment', action_id: `act_${next}` };
  const posting = post(world, user, account, amount, own);
  world.wait(laterMs);
  const after = user.balances[account]!;
  const about = {
    user_id: user.id,
    transaction_id: posting.transaction_id,
    account,
    amount,
    balance: { before: after - amount, after },
  };
  const said = { action: 'balance_adjusted', about, texts: digest('why'), before: {}, after: {} };
  return { posting, action: operate(world, said) };
}
