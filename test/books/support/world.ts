/** A small service that is honest: it draws, and writes records as the format says them. */
import { draw } from '../../../shared/games/draw.ts';
import { defaultPrizeTables, type Prize } from '../../../shared/games/prize-tables.ts';
import {
  canonical,
  dayAt,
  daysAfter,
  digest,
  hexDigest,
  hmac,
  midnightOf,
  randomnessOf,
  roundOf,
  testBeacon,
  ulidBehind,
  ulidOf,
} from './plain.ts';

/** A record as its leaf says it. */
export type Rec = Record<string, unknown> & { kind: string; hash: string; sequence: number };
export type Game = 'prizewheel' | 'truck' | 'flight';
export type Settings = Record<string, string | number | boolean>;

export const versionFor = (game: string, prizes: unknown): string => `${game}-${digest(canonical(prizes))}`;
export const idOf = (rec: Rec): string =>
  String(rec.transaction_id ?? rec.operation_id ?? (rec.kind === 'outcomes' ? rec.id : rec.order_id));
/** The hash that a record must have after another's. */
export const hashOf = ({ hash, ...said }: Rec, previous: string): string =>
  digest(`${previous}\n${canonical(said)}`);

export type User = {
  id: string;
  sequence: number;
  hash: string;
  ulid: string;
  balances: Record<string, number>;
  numbers: Record<string, number>;
};
/** What stands behind a play URL. */
export type Url = {
  user: User;
  game: Game;
  token: string;
  secretDay: string;
  cost: number;
  table: string;
  debug?: 'jackpot' | 'tickets_only';
};
export type Order = { user: User; rec: Rec; next: number };

export type WorldOptions = {
  name?: string;
  start?: string;
  settings?: Settings;
  beacon?: boolean;
  onRecord?: (rec: Rec, day: string) => void;
};

const tables = (['prizewheel', 'truck', 'flight'] as const).map(
  (game) => [versionFor(game, defaultPrizeTables[game].prizes), defaultPrizeTables[game].prizes] as const,
);

export type World = ReturnType<typeof newWorld>;

/** A world of one organization, which is opened when it begins. Its clock is moved from outside. */
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
    operations: { sequence: 0, hash: '' },
    beacon: options.beacon === false ? null : testBeacon,
    users: 0,
    tokens: 0,
    secretOf: (day: string) => hexDigest(`${name} ${day}`),
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
  openWorld(world, {
    cost_prizewheel: 1,
    cost_truck: 5,
    cost_flight: 10,
    daily_spin_limit_on: true,
    daily_spin_limit: 5,
    daily_cash_limit_usd: 500,
    prize_table_prizewheel: wheel,
    prize_table_truck: truck,
    prize_table_flight: flight,
    rules_url: '',
    ...options.settings,
  });
  return world;
}

function openWorld(world: World, settings: Settings) {
  const days = [0, 1].map((days) => daysAfter(dayAt(world.now), days));
  const fingerprint = (day: string) => [day, hexDigest(Buffer.from(world.secretOf(day), 'hex'))];
  operate(world, {
    action: 'opened',
    before: {},
    after: settings,
    fingerprints: Object.fromEntries(days.map(fingerprint)),
  });
}

function operate(world: World, said: Record<string, unknown> & { after: Settings }) {
  const sequence = world.operations.sequence + 1;
  const ulid = ulidOf(world.now, `${world.organizationId} ${sequence}`);
  const rec: Rec = {
    kind: 'operations',
    operation_id: `op_${ulid}`,
    organization_id: world.organizationId,
    date_created: new Date(world.now).toISOString(),
    sequence,
    operator: 'somebody',
    ...said,
    hash: '',
  };
  rec.hash = hashOf(rec, world.operations.hash);
  world.operations = { sequence, hash: rec.hash };
  world.settings = { ...world.settings, ...said.after };
  world.onRecord(rec, dayAt(world.now));
  world.wait(1);
}

/** An operator changes settings. */
export function change(
  world: World,
  after: Settings,
  table?: { game: Game; version: string; prizes: Prize[] },
) {
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, world.settings[name]!]));
  operate(world, { action: 'changed', before, after, ...(table ? { table } : {}) });
}

/** An operator puts a prize table in place. */
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
  };
}

const idField: Record<string, [string, string]> = {
  tickets: ['transaction_id', 'txn'],
  entries: ['transaction_id', 'txn'],
  outcomes: ['id', 'out'],
  orders: ['order_id', 'ord'],
};

/** Appends a record to a user's history. */
function append(world: World, user: User, said: Record<string, unknown> & { kind: string }): Rec {
  const sequence = user.sequence + 1;
  const fresh = ulidOf(world.now, `${user.id} ${sequence}`);
  const ulid = user.ulid.slice(0, 10) >= fresh.slice(0, 10) ? ulidBehind(user.ulid) : fresh;
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
    ...(said.kind === 'entries' ? { number_of_type: count(String(said.entry_type)) } : {}),
    ...said,
    hash: '',
  };
  rec.hash = hashOf(rec, user.hash);
  Object.assign(user, { sequence, hash: rec.hash, ulid });
  world.onRecord(rec, dayAt(world.now));
  return rec;
}

const startOfToday = (world: World) => new Date(midnightOf(dayAt(world.now))).toISOString();

function post(world: World, user: User, account: string, amount: number, said: Record<string, unknown>) {
  user.balances[account]! += amount;
  return append(world, user, {
    ...(account === 'tickets' ? { kind: 'tickets' } : { kind: 'entries', entry_type: account }),
    amount,
    balance_after: user.balances[account],
    result_effective_date: startOfToday(world),
    ...said,
  });
}

/** A host credits or, negative, debits an account. */
export function credit(world: World, user: User, amount: number, account = 'tickets'): Rec {
  const rec = post(world, user, account, amount, { texts: digest(`${user.id} ${user.sequence}`) });
  world.wait(1);
  return rec;
}

/** A play URL. */
export function makeUrl(world: World, user: User, game: Game, debug?: Url['debug']): Url {
  return {
    user,
    game,
    token: digest(`token ${++world.tokens}`),
    secretDay: dayAt(world.now),
    cost: debug === 'jackpot' ? 0 : Number(world.settings[`cost_${game}`]),
    table: String(world.settings[`prize_table_${game}`]),
    ...(debug ? { debug } : {}),
  };
}

/** Plays a URL. */
export function playUrl(world: World, url: Url, clientSeed = `seed of ${url.token}`): Rec {
  const { user, game, token, secretDay, cost, table, debug } = url;
  const seed = hmac(world.secretOf(secretDay), `play\n${token}`);
  const said = { play_type: 'regular', game, cost, prize_table_version: table, token_hash: token };
  const rest = { secret_day: secretDay, client_seed: clientSeed, spin_index: 0, ...(debug ? { debug } : {}) };
  const rec = spin(world, user, seed, { ...said, ...rest, result_effective_date: startOfToday(world) });
  world.wait(1);
  return rec;
}

/** A play from its URL to its outcome. */
export const play = (world: World, user: User, game: Game = 'prizewheel', debug?: Url['debug']): Rec =>
  playUrl(world, makeUrl(world, user, game, debug));

/** Orders free spins; of a guest's, all run at once. */
export function order(world: World, user: User, spins: number, run: 'queued' | 'at_once' = 'queued'): Order {
  const isQueued = run === 'queued';
  const rec = append(world, user, {
    kind: 'orders',
    num_of_spins: spins,
    run,
    due_day: daysAfter(dayAt(world.now), isQueued ? 1 : 0),
    result_effective_date: startOfToday(world),
    last_hash: user.hash,
    ...(isQueued && world.beacon ? { beacon: world.beacon.chain } : {}),
    texts: digest(`${user.id} order ${user.sequence}`),
  });
  const made = { user, rec, next: 0 };
  if (!isQueued) runSpins(world, made);
  world.wait(1);
  return made;
}

/** Runs spins of an order: all that remain, or so many. */
export function runSpins(world: World, made: Order, { spins = Number.POSITIVE_INFINITY, out = false } = {}) {
  const { user, rec } = made;
  const due = String(rec.due_day);
  const round = rec.beacon && !out ? roundOf(due) : undefined;
  const randomness = round === undefined ? '' : randomnessOf(round);
  const last = Math.min(Number(rec.num_of_spins), made.next + spins);
  const recs: Rec[] = [];
  for (; made.next < last; made.next++) {
    const seed = hmac(world.secretOf(due), `spin\n${user.id}\n${rec.sequence}\n${made.next}`);
    const outcome = spin(world, user, seed, {
      play_type: 'amoe',
      game: 'prizewheel',
      cost: 0,
      prize_table_version: world.settings.prize_table_prizewheel,
      order_id: rec.order_id,
      order_sequence: rec.sequence,
      ...(round === undefined ? {} : { beacon_round: round }),
      ...(rec.beacon && out ? { beacon_out: true } : {}),
      secret_day: due,
      client_seed: digest(`${rec.last_hash}\n${randomness}`),
      spin_index: made.next,
      result_effective_date: rec.result_effective_date,
    });
    recs.push(outcome);
  }
  world.wait(1);
  return recs;
}

const accounts: Record<string, string> = { tickets: 'tickets', entry_truck: 'truck', entry_flight: 'flight' };

function spin(world: World, user: User, serverSeed: string, said: Record<string, unknown>): Rec {
  const prizes = world.tables.get(String(said.prize_table_version))!;
  const day = dayAt(world.now);
  const cash = world.cash.get(day) ?? { sequence: 0, sum: 0 };
  const limit = Number(world.settings.daily_cash_limit_usd);
  const left = said.debug === 'jackpot' ? null : Math.max(0, limit - cash.sum);
  const { prize, ticketsOnly } = drawn(prizes, left, serverSeed, said);
  if (left !== null && prize.kind === 'cash_usd') {
    world.cash.set(day, { sequence: cash.sequence + 1, sum: cash.sum + prize.amount });
  }
  const status = { tickets: 'Ticket-only', cash_usd: 'Cash' }[prize.kind as string] ?? 'Extra-prize';
  const view = {
    cash_day: day,
    cash_sequence: cash.sequence,
    cash_granted_usd: cash.sum,
    cash_limit_usd: limit,
  };
  const rec = append(world, user, {
    kind: 'outcomes',
    ...said,
    draw_version: 2,
    prize: { [prize.kind]: prize.amount },
    prize_id: prize.id,
    game_status: status,
    commitment: hexDigest(Buffer.from(serverSeed, 'hex')),
    server_seed: serverSeed,
    cash_left_usd: left,
    tickets_only: ticketsOnly,
    ...(left === null ? {} : view),
  });
  const of = { outcome_id: rec.id, result_effective_date: said.result_effective_date };
  const cost = Number(said.cost);
  if (cost > 0) post(world, user, 'tickets', -cost, { ...of, description: 'a play' });
  const account = accounts[prize.kind];
  if (account) post(world, user, account, prize.amount, { ...of, description: 'a prize' });
  return rec;
}

/** What a draw comes to, by the seeds and what of the day's cash is left (null: it is a jackpot). */
export function drawn(
  prizes: Prize[],
  left: number | null,
  serverSeed: string,
  { debug, client_seed, spin_index }: Record<string, unknown>,
): { prize: Prize; ticketsOnly: boolean } {
  const cash = prizes.filter(({ kind }) => kind === 'cash_usd').map(({ amount }) => amount);
  const none = left !== null && cash.length > 0 && cash.every((amount) => amount > left);
  const ticketsOnly = left !== null && (none || debug === 'tickets_only');
  const jackpot = prizes.find(({ kind, amount }) => kind === 'cash_usd' && amount === Math.max(...cash));
  const inPlay =
    left === null ? prizes.map((one) => (one === jackpot ? one : { ...one, weight: 0 })) : prizes;
  const seeds = { serverSeed, clientSeed: String(client_seed), spinIndex: Number(spin_index) };
  return { prize: draw(inPlay, { cashLeftUsd: left, ticketsOnly }, seeds), ticketsOnly };
}
