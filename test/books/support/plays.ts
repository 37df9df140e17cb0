/** Draws the outcomes of plays and free spins in a test world, and writes their records. */
import { draw } from '../../../shared/games/draw.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { dayAt, daysAfter, digest, hmac, midnightOf } from './plain.ts';
import {
  append,
  type Draw,
  type Game,
  type Order,
  type Period,
  post,
  type Rec,
  type StockState,
  startOfToday,
  type Url,
  type User,
  type World,
} from './world.ts';

export function makeUrl(world: World, user: User, game: Game, debug?: Url['debug']): Url {
  return {
    user,
    game,
    token: digest(`token ${++world.tokens}`),
    secretDay: dayAt(world.now),
    expires: new Date(world.now + 30 * 60_000).toISOString(),
    cost: debug === 'jackpot' ? 0 : Number(world.settings[`cost_${game}`]),
    table: String(world.settings[`prize_table_${game}`]),
    ...(debug ? { debug } : {}),
  };
}

export function playUrl(world: World, url: Url, clientSeed = `seed of ${url.token}`): Rec {
  const { user, game, token, secretDay, cost, table, expires, debug } = url;
  const promised = [user.id, game, cost, table, expires, debug ?? ''];
  const seed = hmac(world.secretOf(secretDay), ['play', token, ...promised].join('\n'));
  const ofUrl = { token_hash: token, expires_at: expires };
  const said = { play_type: 'regular', game, cost, prize_table_version: table, ...ofUrl };
  const rest = { secret_day: secretDay, client_seed: clientSeed, spin_index: 0, ...(debug ? { debug } : {}) };
  const rec = spin(world, user, seed, { ...said, ...rest, result_effective_date: startOfToday(world) });
  world.wait(1);
  return rec;
}

/** Creates a play URL and plays it immediately. Returns the record of the outcome. */
export const play = (world: World, user: User, game: Game = 'prizewheel', debug?: Url['debug']): Rec =>
  playUrl(world, makeUrl(world, user, game, debug));

/**
 * Orders free spins for a user. Runs `at_once` spins (those of guests) immediately; queued spins wait for
 * `runSpins`.
 */
export function order(
  world: World,
  user: User,
  spins: number,
  run: 'queued' | 'at_once' = 'queued',
  result_effective_date = startOfToday(world),
): Order {
  const isQueued = run === 'queued';
  const rec = append(world, user, {
    kind: 'orders',
    num_of_spins: spins,
    run,
    due_day: daysAfter(dayAt(world.now), isQueued ? 1 : 0),
    result_effective_date,
    prize_table_version: world.settings.prize_table_prizewheel,
    texts: digest(`${user.id} order ${user.sequence}`),
  });
  const made = { user, rec, next: 0 };
  if (!isQueued) runSpins(world, made);
  world.wait(1);
  return made;
}

/** Runs at most `spins` remaining spins of an order. */
export function runSpins(world: World, made: Order, { spins = Number.POSITIVE_INFINITY } = {}) {
  const { user, rec } = made;
  const day = dayAt(world.now);
  const last = Math.min(Number(rec.num_of_spins), made.next + spins);
  const recs: Rec[] = [];
  for (; made.next < last; made.next++) {
    const seed = hmac(world.secretOf(day), `spin\n${rec.order_id}\n${made.next}`);
    const outcome = spin(
      world,
      user,
      seed,
      {
        play_type: 'amoe',
        game: 'prizewheel',
        cost: 0,
        prize_table_version: rec.prize_table_version,
        order_id: rec.order_id,
        secret_day: day,
        client_seed: rec.hash,
        spin_index: made.next,
        result_effective_date: rec.result_effective_date,
      },
      dayAt(Date.parse(String(rec.date_created))),
    );
    recs.push(outcome);
  }
  world.wait(1);
  return recs;
}

/**
 * Returns a function that dates a draw to `day`, as if its request began on `day` but is recorded after midnight. This
 * is possible only for a record with the time of its user's previous record.
 */
export const requestedOn =
  (day: string, cash: Partial<Draw['cash']> = {}) =>
  (draw: Draw): Draw => ({
    ...draw,
    said: { ...draw.said, result_effective_date: new Date(midnightOf(day)).toISOString() },
    cash: { ...draw.cash, day, ...cash },
  });

const accounts: Record<string, string> = { tickets: 'tickets', entry_truck: 'truck', entry_flight: 'flight' };

function honestCash(world: World): Draw['cash'] {
  const day = dayAt(world.now);
  const cash = world.cash.get(day) ?? { sequence: 0, sum: 0 };
  const limit = Number(world.settings.daily_cash_limit_usd);
  const [start, end] = [day, daysAfter(day, 1)].map(midnightOf);
  const [begun, hours] = [Math.floor((world.now - start!) / hour) + 1, (end! - start!) / hour];
  const available = world.settings.daily_cash_paced ? Math.floor((limit * begun) / hours) : limit;
  return { day, ...cash, limit: available };
}

const hour = 3_600_000;

/** Returns the user's earlier wins of the day and the win limit, or an empty object without a limit. */
function honestWins({ now, settings }: World, { wins }: User): Pick<Draw, 'wins'> {
  const limit = Number(settings.daily_win_limit);
  if (limit === 0) return {};
  const day = dayAt(now);
  if (wins.day !== day) Object.assign(wins, { day, count: 0 });
  return { wins: { limit, count: wins.count } };
}

/** Returns the state of a game's stock, or an empty object if no prize of the table has a stock. */
function honestStock(world: World, said: Record<string, unknown>): Pick<Draw, 'stock'> {
  const stocked = world.tables.get(String(said.prize_table_version))!.filter(isStocked);
  if (stocked.length === 0) return {};
  const day = dayAt(world.now);
  const known = world.stock.get(String(said.game)) ?? { day, sequence: 0, won: {}, ofDay: {} };
  const state = known.day === day ? known : { ...known, day, ofDay: {} };
  const isOut = ({ id, stock = Infinity, stock_per_day = Infinity }: Prize) =>
    (state.won[id] ?? 0) >= stock || (state.ofDay[id] ?? 0) >= stock_per_day;
  return { stock: { ...state, out: stocked.filter(isOut).map(({ id }) => id) } };
}

const isStocked = ({ stock, stock_per_day }: Prize) => (stock ?? stock_per_day) !== undefined;

/** Counts a win of a stocked prize. Returns its number among all wins and among the day's wins of this prize. */
function grantStock(
  world: World,
  game: string,
  { id }: Prize,
  { out, ...state }: StockState & { out: string[] },
) {
  const [won, ofDay] = [state.won, state.ofDay].map((of) => ({ ...of, [id]: (of[id] ?? 0) + 1 }));
  world.stock.set(game, { ...state, sequence: state.sequence + 1, won: won!, ofDay: ofDay! });
  return { number: won![id], number_of_day: ofDay![id] };
}

const isWin = (kind: string) => kind !== 'tickets' && !kind.startsWith('entry_');

type Promotion = { first_day: string; last_day: string; cash_limit_usd?: number; previous?: Promotion };

function honestPeriod({ settings, promotions }: World, day: string): Period {
  const set = settings.promotion as Promotion | null;
  const periods = [set?.previous, set].filter((one) => one !== undefined && one !== null);
  const during = periods.find(({ first_day, last_day }) => first_day <= day && day <= last_day);
  if (!during) return set ? { outside: true } : {};
  const { first_day, cash_limit_usd: limit } = during;
  const { grants, granted } = promotions;
  return {
    promotion: { first_day, grants, granted: granted[first_day] ?? 0, ...(limit !== undefined && { limit }) },
  };
}

function grantPeriod({ promotions }: World, { promotion }: Period, amount: number) {
  if (!promotion) return;
  promotions.grants = promotion.grants + 1;
  promotions.granted[promotion.first_day] = promotion.granted + amount;
}

function spin(
  world: World,
  user: User,
  seed: string,
  honest: Record<string, unknown>,
  periodDay = dayAt(world.now),
): Rec {
  const told = world.lie({
    serverSeed: seed,
    said: honest,
    cash: honestCash(world),
    period: honestPeriod(world, periodDay),
    ...(honest.debug === 'jackpot' ? {} : { ...honestWins(world, user), ...honestStock(world, honest) }),
  });
  const { said, cash, period, wins, stock } = told;
  const prize = drawn(world.tables.get(String(said.prize_table_version))!, told);
  const isBudgeted = said.debug !== 'jackpot';
  if (isBudgeted && prize.kind === 'cash_usd') {
    world.cash.set(cash.day, { sequence: cash.sequence + 1, sum: cash.sum + prize.amount });
    grantPeriod(world, period, prize.amount);
  }
  if (wins && isWin(prize.kind)) user.wins.count++;
  const budgets = {
    ...(cash.day === dayAt(world.now) ? {} : { day: cash.day }),
    cash: { grants: cash.sequence, granted: cash.sum, limit: cash.limit },
    ...period,
    ...(stock && {
      stock: {
        grants: stock.sequence,
        ...(stock.out.length > 0 ? { out: stock.out } : {}),
        ...(isStocked(prize) ? grantStock(world, String(said.game), prize, stock) : {}),
      },
    }),
    ...(wins ? { wins: { granted: wins.count, limit: wins.limit } } : {}),
  };
  const rec = append(world, user, {
    kind: 'outcomes',
    prize: { [prize.kind]: prize.amount },
    prize_id: prize.id,
    game_status: { tickets: 'Ticket-only', cash_usd: 'Cash' }[prize.kind as string] ?? 'Extra-prize',
    ...(isBudgeted ? { budgets } : {}),
    ...(said.debug ? {} : trackingOf(world, prize)),
    ...said,
  });
  const of = { outcome_id: rec.id, result_effective_date: said.result_effective_date };
  const cost = Number(said.cost);
  const name = { prizewheel: 'Prize wheel', truck: 'Truck', flight: 'Flight' }[String(said.game)];
  if (cost > 0) post(world, user, 'tickets', -cost, { ...of, description: `${name} play` });
  const account = accounts[prize.kind];
  if (account) post(world, user, account, prize.amount, { ...of, description: `${name} prize` });
  return rec;
}

const trackingOf = ({ settings: { tracked_prizes, claim_days } }: World, { kind }: Prize) =>
  String(tracked_prizes).split(' ').includes(kind) ? { claim_days } : {};

function drawn(prizes: Prize[], told: Draw): Prize {
  const { serverSeed, said, cash, period, wins, stock, ticketsOnly: forced } = told;
  const seeds = { serverSeed, clientSeed: String(said.client_seed), spinIndex: Number(said.spin_index) };
  const dollars = prizes.filter(({ kind }) => kind === 'cash_usd');
  if (said.debug === 'jackpot') {
    const most = Math.max(...dollars.map(({ amount }) => amount));
    const jackpot = dollars.find(({ amount }) => amount === most);
    return draw(
      prizes.map((one) => (one === jackpot ? one : { ...one, weight: 0 })),
      seeds,
    );
  }
  const { limit = Infinity, granted = 0 } = period.promotion ?? {};
  const left = Math.min(cash.limit - cash.sum, limit - granted);
  const isCovered = ({ kind, amount }: Prize) => kind !== 'cash_usd' || amount <= left;
  const noCash = dollars.length > 0 && !dollars.some(isCovered);
  const ticketsOnly = noCash || said.debug === 'tickets_only' || forced || period.outside;
  const winsUsedUp = wins !== undefined && wins.count >= wins.limit;
  const inDraw = prizes.filter(
    (prize) =>
      isCovered(prize) &&
      !stock?.out.includes(prize.id) &&
      (!ticketsOnly || prize.kind === 'tickets') &&
      (!winsUsedUp || !isWin(prize.kind)),
  );
  return draw(inDraw, seeds);
}
