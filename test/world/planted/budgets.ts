import type { Bug } from './bug.ts';

/** Bugs in what users of an organization share: the day's cash and its pace, stock and wins, and their copies. */
export const budgets: Bug[] = [
  {
    name: 'cash is granted whatever was granted meanwhile',
    file: 'shared/games/cash.ts',
    from: "'grants = :number AND granted_usd = :sum'",
    to: "'attribute_exists(grants) OR (grants = :number AND granted_usd = :sum)'",
  },
  {
    name: "the first cash of a day is granted over another's",
    file: 'shared/games/cash.ts',
    from: 'attribute_not_exists(grants) AND (attribute_not_exists(granted_usd) OR granted_usd = :sum)',
    to: 'attribute_not_exists(granted_usd) OR granted_usd >= :sum',
  },
  {
    name: 'a grant of cash has no number of its own',
    file: 'shared/games/cash.ts',
    from: 'sequence: cash.sequence + 1',
    to: 'sequence: Math.max(1, cash.sequence)',
  },
  {
    name: 'cash is granted under a limit that has been lowered',
    file: 'shared/games/settings.ts',
    from: 'OR daily_cash_limit_usd = :limit',
    to: 'OR daily_cash_limit_usd <= :limit',
  },
  {
    name: 'a change of settings leaves out their copies',
    file: 'shared/games/operations.ts',
    from: 'settingsCopies({ ...organization, ...record.after })',
    to: 'settingsCopies(organization)',
  },
  {
    name: 'cash that is granted is not in the last of its copies',
    file: 'shared/games/cash.ts',
    from: 'all.map((key, copy) =>',
    to: 'all.slice(0, Math.max(1, all.length - 1)).map((key, copy) =>',
  },
  {
    name: "the cash of today has copies that the day's grants before are not in",
    file: 'shared/count-by-day.ts',
    from: 'day < from ? before : count',
    to: 'count',
  },
  {
    name: 'each chain of a day may grant the whole limit',
    file: 'shared/games/cash-chains.ts',
    from: 'return Math.floor(limitUsd / chains) + rest;',
    to: 'return limitUsd + 0 * rest;',
  },
  {
    name: 'a process that does not know of new chains goes on with the cash of another',
    file: 'shared/games/cash.ts',
    from: 'isRead ? [cash] :',
    to: 'isRead || cash ? [cash] :',
    tests: ['test/games/copies.test.ts'],
  },
  {
    name: 'an hour that has not begun makes cash available',
    file: 'shared/games/cash-pace.ts',
    from: '(limitUsd * begun)',
    to: '(limitUsd * Math.min(all, begun + 1))',
  },
  {
    name: 'cash is granted without the pace that was set meanwhile',
    file: 'shared/games/settings.ts',
    from: 'OR daily_cash_paced = :paced',
    to: 'OR daily_cash_paced = :paced OR daily_cash_paced <> :paced',
    tests: ['test/games/pace.test.ts'],
  },
  {
    name: 'the limit of wins lets one more win through',
    file: 'shared/games/wins.ts',
    from: 'wins.count >= wins.limit',
    to: 'wins.count > wins.limit',
  },
  {
    name: "a user's wins of days before count among those of the day",
    file: 'shared/games/wins.ts',
    from: 'wins?.day === on ? wins.count : 0',
    to: 'wins?.count ?? 0',
  },
  {
    name: 'a prize is won once more than its stock',
    file: 'shared/games/stock.ts',
    from: 'countOf(won, id) >= stock;',
    to: 'countOf(won, id) > stock;',
  },
  {
    name: 'a prize that was won out on a day stays out of stock',
    file: 'shared/games/stored-stock.ts',
    from: 'day === on ? won_on_day : {}',
    to: 'won_on_day',
  },
  {
    name: "a prize of a stock is granted over another's grant",
    file: 'shared/games/stored-stock.ts',
    from: "'grants = :grants'",
    to: "'grants >= :grants'",
  },
  {
    name: 'the first prize of a stock is granted twice',
    file: 'shared/games/stored-stock.ts',
    from: "const nothingGranted = 'attribute_not_exists(pk)';",
    to: "const nothingGranted = 'attribute_not_exists(pk) OR attribute_exists(pk)';",
  },
  {
    name: 'what is won of a stock is not in its copies',
    file: 'shared/games/stored-stock.ts',
    from: 'copy < copiesIn(organization).copies.count;',
    to: 'copy < 1 + 0 * copiesIn(organization).copies.count;',
  },
  {
    name: 'new copies leave the stock out',
    file: 'shared/reports/spread-records.ts',
    from: '...(await stockCopies(organizationId, shards)),',
    to: '...(await stockCopies(organizationId, 1)),',
  },
  {
    name: 'copies that come while a prize is won lack it',
    file: 'shared/games/settings.ts',
    from: "const noCopies = 'attribute_not_exists(copies)';",
    to: "const noCopies = '(attribute_not_exists(copies) OR attribute_exists(copies))';",
    tests: ['test/games/stock.test.ts'],
  },
  {
    name: "a debug jackpot uses up the day's cash, and the stock",
    file: 'shared/games/outcomes.ts',
    from: 'rules.isBudgeted ? granted(budgets, prize) : budgets',
    to: 'granted(budgets, prize)',
  },
];
