/** Generates days of an honest service that contain every kind of record. */
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { midnightOf } from './plain.ts';
import { makeUrl, order, play, playUrl, runSpins } from './plays.ts';
import { change, credit, newUser, newWorld, putTable, type World, type WorldOptions } from './world.ts';

const minutes = 60_000;

/** Returns three days in which six users play every game, force results, and order queued and immediate free spins. */
export function honestDays(options: WorldOptions = {}): World {
  const world = newWorld(options);
  world.wait(minutes);
  const users = Array.from({ length: 6 }, () => {
    world.wait(7);
    return newUser(world);
  });
  const [anna, ben, cleo, dan, eve, finn] = users as [(typeof users)[0], ...typeof users] & typeof users;
  for (const user of users) credit(world, user, 300);
  for (const user of users.slice(0, 4)) {
    for (const game of ['prizewheel', 'truck', 'flight'] as const) play(world, user, game);
  }
  credit(world, anna, -3);
  credit(world, ben!, 4, 'truck');
  credit(world, ben!, -1, 'truck');
  play(world, dan!, 'truck', 'jackpot');
  play(world, dan!, 'truck', 'tickets_only');
  const queued = users.map((user) => order(world, user, 12));
  order(world, eve!, 5, 'at_once');
  // Creates a play URL before the game's cost and prizes change. Its play must have the old cost and prizes.
  const open = makeUrl(world, cleo!, 'truck');
  const prizes = defaultPrizeTables.truck.prizes.map((prize) => ({ ...prize, weight: prize.weight + 7 }));
  world.wait(minutes);
  change(world, { cost_truck: 6 });
  putTable(world, 'truck', prizes);
  world.wait(20 * minutes);
  playUrl(world, open);
  play(world, finn!, 'truck');
  world.now = midnightOf('2026-03-07') - 5 * minutes;
  const late = [makeUrl(world, finn!, 'prizewheel'), makeUrl(world, eve!, 'flight')];
  world.now = midnightOf('2026-03-07') + minutes;
  for (const made of queued.slice(0, 5)) runSpins(world, made);
  world.now = midnightOf('2026-03-07') + 10 * minutes;
  for (const url of late) playUrl(world, url);
  // Sets the cash limit of the day so that only 2 USD are left to win.
  const won = world.cash.get('2026-03-07')?.sum ?? 0;
  change(world, { daily_cash_limit_usd: won + 2, daily_spin_limit: 30 });
  world.wait(2 * minutes);
  for (const made of [order(world, dan!, 40, 'at_once'), order(world, cleo!, 3)]) {
    if (made.rec.run === 'queued') queued.push(made);
  }
  for (let i = 0; i < 25; i++) play(world, [anna, ben!, cleo!][i % 3]!, 'prizewheel');
  world.now = midnightOf('2026-03-07') + 20 * 60 * minutes;
  // Runs the spins of an order twenty hours after they were due.
  runSpins(world, queued[5]!);
  world.now = midnightOf('2026-03-08') + 70 * minutes;
  runSpins(world, queued[6]!, { spins: 1 });
  world.wait(minutes);
  runSpins(world, queued[6]!);
  play(world, anna, 'flight');
  return world;
}
