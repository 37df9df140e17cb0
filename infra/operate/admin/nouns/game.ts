import { maxCashChains } from '../../../../shared/games/cash-limit.ts';
import { games, langs, pausable } from '../../../../shared/vocabulary.ts';
import { Problem } from '../../../common/problem.ts';
import { command } from '../command.ts';
import { pauseGame, previewGame, setGame, showGames } from '../games.ts';
import { setLimits } from '../limits.ts';
import { cancelScheduled, scheduleGame, scheduleLimits, showScheduled } from '../schedule-games.ts';
import { simulateGame } from '../simulate-game.ts';

const org = 'organization id';
const game = games.join('|');
const timeToCome = 'a day, or a time such as 2026-12-01T15:00, in New York unless it has an offset';

const pausing = (summary: string, isPaused: boolean) =>
  command({
    effect: 'changes',
    summary,
    required: { org, game: pausable.join('|') },
    asksWhy: true,
    run: async (values, by) => ({ print: await pauseGame(values.org, values.game, isPaused, by) }),
  });

export const verbs = {
  show: command({
    effect: 'reads',
    summary:
      "Show an organization's limits, and of each game its cost, prizes, chances and what a play gives: by the table, and now that some prizes may be out of stock",
    required: { org },
    optional: { game },
    run: async (values, { now }) => ({ print: await showGames(values.org, values.game, now) }),
  }),
  set: command({
    effect: 'changes',
    summary: `Put a prize table ({"prizes": [{id, kind, amount, weight, label: {${langs.join(', ')}}, details?: the same, value_usd?, stock?, stock_per_day?}]}, or what show printed), a cost, or both in place; a dry run shows what would change, with the odds, and changes nothing; --costly is asked for if a play would give far more than today`,
    required: { org, game },
    optional: { file: 'JSON file', cost: 'tickets', from: timeToCome },
    flags: ['dry-run', 'costly'],
    run: async ({ org, game, from, 'dry-run': isDry, ...typed }, by) => {
      if (isDry) return { print: await previewGame(org, game, typed, by.now) };
      if (from !== undefined) return { print: await scheduleGame(org, game, { ...typed, from }, by) };
      return { print: await setGame(org, game, typed, by) };
    },
  }),
  simulate: command({
    effect: 'reads',
    summary:
      'Play a game a million times, or as often as is said, on no data: what was won beside what is expected of its table, or of a file',
    required: { org, game },
    optional: {
      file: 'JSON file',
      plays: 'number on one day',
      days: 'number',
      'plays-per-day': 'number',
      'daily-cash': 'USD|none',
      seed: 'text; the same is the same plays',
    },
    run: async ({ org, game, 'plays-per-day': playsPerDay, 'daily-cash': dailyCash, ...typed }, { now }) => ({
      print: await simulateGame(org, game, { ...typed, playsPerDay, dailyCash }, now),
    }),
  }),
  pause: pausing(
    'Refuse plays of a game, or of AMOE, within a minute; open play URLs stay, and free spins wait while AMOE or the wheel is paused',
    true,
  ),
  resume: pausing('Let a paused game, or AMOE, go on; free spins that waited run within 15 minutes', false),
  limits: command({
    effect: 'changes',
    summary: 'Set the limits of a day in New York, and the URL of the rules shown on the play page',
    required: { org },
    optional: {
      'daily-cash': 'USD',
      'cash-pacing': 'on|off; on, no more of the day’s cash is available than its share of the hours begun',
      'daily-spins': 'number|on|off',
      'daily-wins': 'number|off; of a user, whatever is neither tickets nor an entry',
      'rules-url': 'https URL|none',
      from: timeToCome,
      'cash-chains': `1 to ${maxCashChains}; from tomorrow on, each has its share of the day’s cash and its own users`,
    },
    run: async (values, by) => {
      const { 'daily-cash': dailyCash, 'cash-pacing': cashPacing, 'cash-chains': cashChains } = values;
      const { 'daily-spins': dailySpins, 'daily-wins': dailyWins, 'rules-url': rulesUrl } = values;
      const typed = { dailyCash, cashPacing, dailySpins, dailyWins, rulesUrl };
      const { org, from } = values;
      if (from === undefined) return { print: await setLimits(org, { ...typed, cashChains }, by) };
      if (cashChains === undefined) return { print: await scheduleLimits(org, { ...typed, from }, by) };
      throw new Problem('--cash-chains has no --from: they begin with the next day.');
    },
  }),
  scheduled: command({
    effect: 'reads',
    summary:
      'The changes that wait for their time, in New York; those of a midnight are made before its free spins',
    required: { org },
    run: async ({ org }) => ({ print: await showScheduled(org) }),
  }),
  unschedule: command({
    effect: 'changes',
    summary: 'Take back a change that waits for its time',
    required: { org, change: 'its sequence' },
    run: async ({ org, change }, by) => ({ print: await cancelScheduled(org, change, by) }),
  }),
};
