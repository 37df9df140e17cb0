import type { Bug } from './bug.ts';

/**
 * Bugs that `npm run planted` plants in the code for budgets: daily cash and its pacing, stock, and users'
 * wins.
 */
export const budgets: Bug[] = [
  {
    name: 'cash is granted whatever was granted meanwhile',
    file: 'shared/games/stored-budgets.ts',
    from: "ConditionExpression: 'grants = :grants'",
    to: "ConditionExpression: 'grants >= :grants'",
  },
  {
    name: "the first cash of a day is granted over another's",
    file: 'shared/games/stored-budgets.ts',
    from: "'attribute_not_exists(pk)'",
    to: "'attribute_not_exists(pk) OR grants > :none', ExpressionAttributeValues: { ':none': 0 }",
  },
  {
    name: 'a grant of cash has no number of its own',
    file: 'shared/games/budgets.ts',
    from: 'grants: state.grants + 1',
    to: 'grants: Math.max(1, state.grants)',
  },
  {
    name: 'cash is granted under a limit that has been lowered',
    file: 'shared/games/stored-budgets.ts',
    from: 'daily_cash_limit_usd = :limit AND',
    to: 'daily_cash_limit_usd <= :limit AND',
  },
  {
    name: 'a change of settings leaves out the shards',
    file: 'shared/operations/operation-records.ts',
    from: 'settingsOf({ ...organization, ...record.after, ...more })',
    to: 'settingsOf(organization)',
  },
  {
    name: 'the cash of today is divided among chains that begin tomorrow',
    file: 'shared/games/cash-limit.ts',
    from: 'day <= before.day ?',
    to: 'day < before.day ?',
  },
  {
    name: 'each chain of a day may grant the whole limit',
    file: 'shared/games/cash-limit.ts',
    from: 'return Math.floor(limitUsd / chains) + rest;',
    to: 'return limitUsd + 0 * rest;',
  },
  {
    name: 'a process that does not know of new chains goes on with the cash of another',
    file: 'shared/games/stored-budgets.ts',
    from: 'reads[name]?.pk === key.pk ?',
    to: 'reads[name]?.pk === key.pk || items[name] ?',
    tests: ['test/games/cash-chains.test.ts'],
  },
  {
    name: 'an hour that has not begun makes cash available',
    file: 'shared/games/cash-limit.ts',
    from: '(limitUsd * begun)',
    to: '(limitUsd * Math.min(all, begun + 1))',
  },
  {
    name: 'cash is granted without the pace that was set meanwhile',
    file: 'shared/games/stored-budgets.ts',
    from: 'AND daily_cash_paced = :paced AND',
    to: 'AND (daily_cash_paced = :paced OR daily_cash_paced <> :paced) AND',
    tests: ['test/games/pace.test.ts'],
  },
  {
    name: 'the limit of wins, and of cash, lets one more through',
    file: 'shared/games/budgets.ts',
    from: 'granted + taken <= limit &&',
    to: 'granted + taken <= limit + 1 &&',
  },
  {
    name: "a user's wins of days before count among those of the day",
    file: 'shared/games/budgets.ts',
    from: 'wins?.day === on ? wins.count : 0',
    to: 'wins?.count ?? 0',
  },
  {
    name: 'a prize is won once more than its stock',
    file: 'shared/games/budgets.ts',
    from: 'countOf(granted, id) >= stock;',
    to: 'countOf(granted, id) > stock;',
  },
  {
    name: 'a prize that was won out on a day stays out of stock',
    file: 'shared/games/budgets.ts',
    from: '{ ...state, day, grantedOnDay: {} }',
    to: '{ ...state, day }',
  },
  {
    name: 'what is won of a stock is in the first shards alone',
    file: 'shared/games/stored-budgets.ts',
    from: 'stock: allShards.map(',
    to: 'stock: allShards.slice(0, 8).map(',
  },
  {
    name: "a debug jackpot uses up the day's cash, and the stock",
    file: 'shared/games/rules.ts',
    from: 'isBudgeted: false',
    to: 'isBudgeted: true',
  },
  {
    name: 'a prize is won once more on a day than its stock of the day',
    file: 'shared/games/budgets.ts',
    from: 'countOf(grantedOnDay, id) >= stock_per_day;',
    to: 'countOf(grantedOnDay, id) > stock_per_day;',
  },
  {
    name: 'the stock of a day is filled up at midnight in UTC',
    file: 'shared/games/stored-budgets.ts',
    from: 'grantedOnDay: granted_on_day }, dayOf(now))',
    to: 'grantedOnDay: granted_on_day }, new Date(now).toISOString().slice(0, 10))',
  },
  {
    name: 'the whole stock is filled up with each day',
    file: 'shared/games/budgets.ts',
    from: '{ ...state, day, grantedOnDay: {} }',
    to: '{ ...state, day, granted: {}, grantedOnDay: {} }',
  },
  {
    name: 'the stock of a day is filled up again by a request of the day before',
    file: 'shared/games/budgets.ts',
    from: 'day > state.day ?',
    to: 'day !== state.day ?',
    tests: ['test/games/stock.test.ts'],
  },
  {
    name: 'a paced day has 24 hours, also when the clocks change',
    file: 'shared/games/cash-limit.ts',
    from: 'const { begun, all } = hoursOfDay(now);',
    to: 'const { begun } = hoursOfDay(now);\n  const all = 24;',
    tests: ['test/games/pace.test.ts'],
  },
  {
    name: 'the hours of a paced day are those of winter time',
    file: 'shared/time.ts',
    from: 'begun: Math.floor((epochMs - start) / hourMs) + 1',
    to: 'begun: ((Math.floor(epochMs / hourMs) + 19) % 24) + 1',
    tests: ['test/games/pace.test.ts'],
  },
  {
    name: 'a draw says one win more than its user had had',
    file: 'shared/games/budgets.ts',
    from: 'granted: wins.granted, limit',
    to: 'granted: wins.granted + 1, limit',
  },
  {
    name: "the spins of one batch do not see each other's wins",
    file: 'shared/amoe/spin-batches.ts',
    from: 'all.user = spun.user;',
    to: 'all.user = { ...spun.user, ...(user.wins ? { wins: user.wins } : {}) };',
  },
  {
    name: 'a debug jackpot counts among the wins of a day',
    file: 'shared/games/outcomes.ts',
    from: 'budgets && winsOf(user, budgets.day, winLimit)',
    to: 'winsOf(user, spin.budgets.day, winLimit)',
  },
  {
    name: 'an entry that was won counts among the wins of a day',
    file: 'shared/games/budgets.ts',
    from: 'wins && takes.wins(prize) ?',
    to: "wins && prize.kind !== 'tickets' ?",
  },
];
