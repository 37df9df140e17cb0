/** Generates days of an honest service whose records contain every field that the schemas of leaves allow. */
import { prizeOf } from '../../support/prize.ts';
import { digest, midnightOf, ulidOf } from './plain.ts';
import { makeUrl, order, play, playUrl, requestedOn, runSpins } from './plays.ts';
import {
  act,
  adjust,
  change,
  credit,
  deliver,
  newUser,
  newWorld,
  putTable,
  type Settings,
  versionFor,
  type World,
} from './world.ts';

const minute = 60_000;
const at = (day: string, minutes: number) => midnightOf(day) + minutes * minute;
const iso = (time: number) => new Date(time).toISOString();

/** Returns a world with three days in which hosts, players and operators do everything that writes a record. */
export function everyLeaf(): World {
  // With this name, which seeds the draws, a play soon wins cash: fewer records make the tests faster.
  const world = newWorld({
    name: 'every leaf 63',
    settings: { daily_win_limit: 3, tracked_prizes: 'cash_usd', claim_days: 30 },
  });
  world.wait(minute);
  const [anna, ben] = [newUser(world), newUser(world)];
  for (const user of [anna, ben]) credit(world, user, 300);
  credit(world, anna, -3);
  for (const account of ['truck', 'flight']) credit(world, anna, 4, account);
  credit(world, anna, -1, 'truck');
  for (const game of ['prizewheel', 'truck', 'flight'] as const) play(world, ben, game);
  play(world, anna, 'truck', 'jackpot');
  play(world, anna, 'truck', 'tickets_only');
  for (const account of ['tickets', 'truck']) adjust(world, anna, 2, { account });
  playUntilCash(world);
  playStock(world);
  operate(world, anna.id);
  const makeChange = schedule(world, at('2026-03-07', 600));
  const [queued, cancelled] = [order(world, anna, 2), order(world, ben, 3)];
  order(world, ben, 2, 'at_once');
  const about = () => ({ user_id: ben.id, spins: { [String(cancelled.rec.order_id)]: 3 } });
  act(world, 'spins_cancelled', about());
  world.now = at('2026-03-07', 0.2);
  playWithCashOfDayBefore(world);
  world.now = at('2026-03-07', 1);
  runSpins(world, queued);
  world.wait(minute);
  act(world, 'spins_restored', about());
  world.now = at('2026-03-07', 16);
  runSpins(world, cancelled);
  world.now = at('2026-03-07', 600);
  makeChange();
  const held = order(world, ben, 2);
  world.now = at('2026-03-08', 70);
  runSpins(world, held);
  play(world, anna, 'flight');
  // Adds a record more than two days after the last due day. By this time, verify expects all due spins to have run.
  world.now = at('2026-03-11', 0);
  credit(world, ben, 1);
  return world;
}

function playUntilCash(world: World) {
  while (world.cash.size === 0) {
    const user = newUser(world);
    credit(world, user, 1);
    deliver(world, user, play(world, user));
  }
}

/** Plays until the prizes with stock are used up, and then makes further plays. */
function playStock(world: World) {
  putTable(world, 'truck', [
    { ...prizeOf('prize_merchandise', 1, 40), id: 'car', value_usd: 20.5, stock: 2 },
    {
      ...prizeOf('prize_imt', 1, 40),
      id: 'call',
      stock_per_day: 2,
      details: { en: 'a call', es: 'una llamada' },
    },
    prizeOf('tickets', 1, 20),
  ]);
  world.wait(40 * minute);
  for (let i = 0; i < 8; i++) {
    const user = newUser(world);
    credit(world, user, 50);
    play(world, user, 'truck');
    world.wait(2 * minute);
  }
}

/** Records one action of each kind that operators can take without changing a balance or a draw. */
function operate(world: World, user_id: string) {
  const webhook_id = `wh_${ulidOf(world.now, 'webhook')}`;
  const [from, to] = [world.now - minute, world.now].map(iso);
  const state = () => ({ failing_since: from, disabled_at: to, replaced_secrets: 1 });
  act(world, 'key_created', { key_id: 'key-1' });
  act(world, 'page_changed', { page: { before: { brand_name: '' }, after: { brand_name: 'Acme' } } });
  act(world, 'user_frozen', { user_id });
  act(world, 'user_unfrozen', { user_id });
  act(world, 'play_voided', { user_id, token_hash: digest('a token') });
  act(world, 'webhook_enabled', { webhook_id, webhook: { before: state(), after: state() } });
  act(world, 'events_replayed', { webhook_id, window: { from, to } });
  act(world, 'reports_rebuilt', {});
  act(world, 'book_closed', { last_book: { before: '2026-03-04', after: '2026-03-05' } });
  change(world, { rules_url: 'https://example.com/rules', paused: 'flight' }, undefined, undefined, 'law');
  const before = { ...world.settings, paused: '' };
  change(world, otherSettings(before));
  change(world, before);
}

const rules = { url: 'https://example.com/rules', sha256: 'ab'.repeat(32) };
const promotion = {
  name: 'Truck',
  first_day: '2026-03-07',
  last_day: '2026-03-07',
  cash_limit_usd: 300,
  rules: { en: rules, es: rules },
  previous: { first_day: '2026-03-05', last_day: '2026-03-06', cash_limit_usd: 200 },
};

/** Returns settings that all differ from the given ones. */
function otherSettings(settings: Settings): Settings {
  const other = (name: string, value: Settings[string]) => {
    if (name === 'promotion') return promotion;
    if (typeof value === 'number') return value + 1;
    if (typeof value === 'boolean') return !value;
    const [, game] = name.split('prize_table_');
    if (game) return versionFor(game, [prizeOf('tickets', 3, 1)]);
    return name === 'rules_url' ? 'https://example.com/other' : name === 'paused' ? 'truck' : 'a'.repeat(64);
  };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, other(name, value)]));
}

/** Schedules two changes and cancels the second one. Returns a function that makes the first change. */
function schedule(world: World, from: number): () => void {
  const settings = (change: Settings) => ({ from: iso(from), changes: change });
  const changes = {
    ...world.settings,
    cost_flight: 8,
    daily_cash_limit_usd: 400,
    daily_cash_paced: true,
    promotion,
  };
  act(world, 'scheduled', settings(changes));
  const { sequence } = world.actions;
  const prizes = [prizeOf('tickets', 2, 1)];
  const table = { game: 'truck', version: versionFor('truck', prizes), prizes };
  act(
    world,
    'scheduled',
    { ...settings({ cost_truck: 6, prize_table_truck: table.version }), despite_rules: 'Truck' },
    { table },
  );
  act(world, 'unscheduled', { sequence: world.actions.sequence });
  return () => change(world, changes, undefined, { sequence, despite_rules: 'Truck' });
}

/**
 * Plays just after midnight on a Lambda function whose clock is behind. The play counts against the cash of the day
 * before.
 */
function playWithCashOfDayBefore(world: World) {
  const user = newUser(world);
  credit(world, user, 10);
  const url = makeUrl(world, user, 'prizewheel');
  const day = '2026-03-06';
  world.wait(-1);
  world.lie = requestedOn(day, { ...world.cash.get(day)!, limit: 500 });
  playUrl(world, url);
  world.lie = (draw) => draw;
}
