import { games, pausable } from '../../../../shared/vocabulary.ts';
import { command, org } from '../command.ts';
import { pauseGame, previewGame, setGame, showGames } from '../games.ts';
import { setLimits } from '../limits.ts';
import { cancelScheduled, showScheduled } from '../schedule-games.ts';

const game = games.join('|');
export const timeHint = 'a day, or a time such as 2026-12-01T15:00, in New York unless it has an offset';

/** Permits a change of odds after a promotion has begun. */
export const despiteRulesFlag = 'despite-rules';

const pausing = (summary: string, isPaused: boolean) =>
  command({
    effect: 'changes',
    summary,
    required: { org, game: pausable.join('|') },
    requiresReason: true,
    run: async (values, context) => ({ print: await pauseGame(values.org, values.game, isPaused, context) }),
  });

export const verbs = {
  show: command({
    effect: 'reads',
    summary:
      "Show an organization's limits, and the cost, prizes, chances and average result of each game: by the table, and now, without prizes that are out of stock",
    required: { org },
    optional: { game },
    run: async (values, { now }) => ({ print: await showGames(values.org, values.game, now) }),
  }),
  set: command({
    effect: 'changes',
    summary:
      'Set a prize table (a file with the edited output of game show), a cost, or both. --dry-run shows what would change, the odds, the expected cost and how long the cash lasts. --costly is required if a play would give more than three times as much as today, --despite-rules once a promotion has begun',
    required: { org, game },
    optional: { file: 'JSON file', cost: 'tickets', from: timeHint },
    fields: Object.fromEntries(games.map((game) => [`cost_${game}`, 'cost' as const])),
    flags: ['dry-run', 'costly', despiteRulesFlag],
    run: async ({ org, game, from, 'dry-run': isDry, [despiteRulesFlag]: despiteRules, ...typed }, given) => {
      const context = { ...given, despiteRules };
      if (isDry) return { print: await previewGame(org, game, { ...typed, from }, context.now) };
      return { print: await setGame(org, game, { ...typed, from }, context) };
    },
  }),
  pause: pausing(
    'Pause a game or AMOE within a minute: plays are refused, open play URLs stay valid, and free spins wait while AMOE or their game is paused',
    true,
  ),
  resume: pausing('Resume a paused game or AMOE; waiting free spins run within 15 minutes', false),
  limits: command({
    effect: 'changes',
    summary:
      'Set the daily limits (days in New York), and the URL of the rules on the play page. Once a promotion has begun, other limits than a daily cash of 0 need --despite-rules',
    required: { org },
    optional: {
      'daily-cash': 'USD',
      'cash-pacing': 'on|off; on releases the day’s cash hour by hour',
      'daily-spins': 'number|on|off; regular plays of a user; off means no limit',
      'daily-wins': 'number|off; wins of a user, not counting tickets and entries',
      'rules-url': 'https URL|none; used where page set gives no URL for a language',
      from: timeHint,
    },
    fields: {
      daily_cash_limit_usd: 'daily-cash',
      daily_spin_limit: 'daily-spins',
      daily_win_limit: 'daily-wins',
    },
    flags: [despiteRulesFlag],
    run: async (values, given) => {
      const context = { ...given, despiteRules: values[despiteRulesFlag] };
      const { 'daily-cash': dailyCash, 'cash-pacing': cashPacing } = values;
      const { 'daily-spins': dailySpins, 'daily-wins': dailyWins, 'rules-url': rulesUrl } = values;
      const typed = { dailyCash, cashPacing, dailySpins, dailyWins, rulesUrl, from: values.from };
      return { print: await setLimits(values.org, typed, context) };
    },
  }),
  scheduled: command({
    effect: 'reads',
    summary:
      'List the scheduled changes with their times in New York; changes at midnight are made before its free spins run',
    required: { org },
    run: async ({ org }) => ({ print: await showScheduled(org) }),
  }),
  unschedule: command({
    effect: 'changes',
    summary: 'Cancel a scheduled change',
    required: { org, change: 'number of the change' },
    run: async ({ org, change }, context) => ({ print: await cancelScheduled(org, change, context) }),
  }),
};
