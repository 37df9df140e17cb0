/** Operators change an organization's limits, costs and prize tables. */
import { defaultPrizeTables, type Prize } from '../../../shared/games/prize-tables.ts';
import { type Game, games, type PrizeKind, prizeKinds } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import { dayMs } from './action-times.ts';
import { type Host, pickOrUndefined } from './host.ts';

const hourMs = 3_600_000;

const orgOf = ({ caller }: Host) => ['--org', caller.organizationId];

/**
 * Changes some daily limits, the cash pacing or the URL of the official rules. Some changes start at a scheduled time.
 */
export async function setLimits(host: Host, random: Random): Promise<void> {
  const cash = random.pick(['0', '1', '3', '20', '20', '100', '500', '5000']);
  const spins = random.pick(['on', 'on', 'off', '1', '3', '5', '20']);
  const url = random.pick(['none', 'https://rules.example/?a=1&b="2"']);
  const options = [
    ...(random.chance(0.6) ? ['--daily-cash', cash] : []),
    ...(random.chance(0.4) ? ['--daily-spins', spins] : []),
    ...(random.chance(0.1) ? ['--rules-url', url] : []),
    ...drawFromOption(host, random),
    ...(random.chance(0.4) ? ['--cash-pacing', random.pick(['on', 'on', 'off'])] : []),
    ...(random.chance(0.4) ? ['--daily-wins', random.pick(['off', '1', '2', '5'])] : []),
  ];
  await host.api.admin(['game', 'limits', ...orgOf(host), ...options]);
}

/** Returns the UTC date `days` days from now, `YYYY-MM-DD`. */
const dayIn = ({ api }: Host, days: number) => new Date(api.now() + days * dayMs).toISOString().slice(0, 10);

/** Returns, in 30 % of the cases, a `--from` option with a time in the next few days. */
function drawFromOption(host: Host, random: Random): string[] {
  if (!random.chance(0.3)) return [];
  const day = dayIn(host, 1 + random.below(2));
  const soon = new Date(host.api.now() + random.around(4 * hourMs)).toISOString();
  const times = [day, `${day}T${random.pick(['00:00', '09:30', '23:59'])}`, `${day}T12:00-05:00`, soon];
  return ['--from', random.pick(times)];
}

/** In half of the cases, sets an organization's first budgets and schedules two changes of a game's cost. */
export async function firstBudgets(host: Host, random: Random): Promise<void> {
  if (random.chance(0.5)) return;
  const pacing = ['--cash-pacing', random.pick(['on', 'on', 'off'])];
  const wins = ['--daily-wins', random.pick(['off', '1', '2', '5'])];
  await host.api.admin(['game', 'limits', ...orgOf(host), ...pacing, ...wins]);
  await setPrizeTable(host, random, 'prizewheel');
  for (const days of [2, 1]) {
    const cost = ['--game', 'truck', '--cost', String(2 + days), '--from', dayIn(host, days)];
    await host.api.admin(['game', 'set', ...orgOf(host), ...cost]);
  }
}

/** Sets a promotion whose period begins or ends about now, perhaps with a limit on its cash, or removes it. */
export async function setPromotion(host: Host, random: Random): Promise<void> {
  const first = random.below(4) - 2;
  const days = ['--first-day', dayIn(host, first), '--last-day', dayIn(host, first + random.below(4))];
  const limit = random.chance(0.6) ? ['--cash-limit', random.pick(['1', '5', '20', '500'])] : [];
  const args = random.chance(0.4) ? ['clear'] : ['set', '--name', 'Summer', ...days, ...limit];
  const from = drawFromOption(host, random);
  await host.api.admin(['promotion', ...args, ...orgOf(host), '--despite-rules', ...from]);
}

/** Changes the cost of a random game. */
export async function setCost(host: Host, random: Random): Promise<void> {
  const cost = random.pick(['0', '1', '1', '2', '5', '10']);
  await host.api.admin([
    'game',
    'set',
    ...orgOf(host),
    '--game',
    random.pick(games),
    '--cost',
    cost,
    ...drawFromOption(host, random),
  ]);
}

/** Sets the prize table of a game: a new table, an earlier one, or the default. */
export async function setPrizeTable(host: Host, random: Random, of?: Game): Promise<void> {
  const game = of ?? random.pick(games);
  const kind = random.weighted({ fresh: 3, earlier: 2, project: 1 });
  const fresh = JSON.stringify({ prizes: drawPrizes(random) });
  const project = JSON.stringify({ prizes: defaultPrizeTables[game].prizes });
  const file = { fresh, earlier: pickOrUndefined(random, host.prizeTables) ?? fresh, project }[kind];
  const cost = random.chance(0.2) ? ['--cost', String(random.below(4))] : [];
  const args = [
    'game',
    'set',
    ...orgOf(host),
    '--game',
    game,
    '--file',
    'prizes.json',
    '--costly',
    ...cost,
    ...drawFromOption(host, random),
  ];
  const { exitCode } = await host.api.admin(args, { 'prizes.json': file });
  if (exitCode === 0 && !host.prizeTables.includes(file)) host.prizeTables.push(file);
}

/** Cancels a scheduled change of settings. If none is scheduled, tries to cancel one that does not exist. */
export async function unschedule(host: Host, random: Random): Promise<void> {
  const { exitCode, printed } = await host.api.admin(['game', 'scheduled', ...orgOf(host)]);
  if (exitCode !== 0) return;
  const waiting = printed.scheduled as { change: number }[];
  const change = pickOrUndefined(random, waiting)?.change ?? random.below(100);
  await host.api.admin(['game', 'unschedule', ...orgOf(host), '--change', String(change)]);
}

export async function showGames(host: Host): Promise<void> {
  await host.api.admin(['game', 'show', ...orgOf(host)]);
}

/** Draws the prizes of a prize table. About half are cash, so that wins reach the daily cash limit. */
export function drawPrizes(random: Random): Prize[] {
  const kinds: PrizeKind[] = ['tickets', ...Array.from({ length: random.below(8) }, () => drawKind(random))];
  return kinds.map((kind, index) => {
    const amount = amountOf(kind, random);
    const label = { en: `${amount} ${kind} 🎁`, es: `${amount} «${kind}» </script>` };
    const prize = {
      id: `${kind.replaceAll('_', '-')}-${index}`,
      kind,
      amount,
      weight: drawWeight(random),
      label,
    };
    return {
      ...prize,
      ...drawDetails(random.fork(prize.id)),
      ...drawValue(kind, random),
      // The first prize has no stock limit, so that the prize table always has an available prize.
      ...(index > 0 ? drawStock(random) : {}),
    };
  });
}

const drawDetails = (random: Random): Pick<Prize, 'details'> =>
  random.chance(0.3) ? { details: { en: 'We’ll call you. <b>', es: 'Te llamamos. “¡Sí!”' } } : {};

const drawValue = (kind: PrizeKind, random: Random): Pick<Prize, 'value_usd'> =>
  kind !== 'cash_usd' && random.chance(0.3) ? { value_usd: random.pick([0, 0.1, 19.99, 300]) } : {};

const drawStock = (random: Random): Pick<Prize, 'stock' | 'stock_per_day'> => ({
  ...(random.chance(0.3) ? { stock: random.pick([1, 1, 2, 5, 20]) } : {}),
  ...(random.chance(0.3) ? { stock_per_day: random.pick([1, 2, 5]) } : {}),
});

const drawKind = (random: Random): PrizeKind => (random.chance(0.5) ? 'cash_usd' : random.pick(prizeKinds));

function amountOf(kind: PrizeKind, random: Random): number {
  if (kind === 'cash_usd') return random.pick([1, 1, 2, 3, 5, 7, 10, 100]);
  return kind === 'tickets' ? random.pick([1, 2, 5, 1_000_000]) : 1;
}

const drawWeight = (random: Random): number =>
  random.pick([1, 1, 2, 3, 7, 10, 100, 1000, 1 + random.below(100), 1_000_000]);
