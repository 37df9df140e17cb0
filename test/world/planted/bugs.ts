import { accounts } from './accounts.ts';
import { amoe } from './amoe.ts';
import { api } from './api.ts';
import { books } from './books.ts';
import { budgets } from './budgets.ts';
import type { Bug } from './bug.ts';
import { deliveries } from './deliveries.ts';
import { games } from './games.ts';
import { ground } from './ground.ts';
import { holds } from './holds.ts';
import { infra } from './infra.ts';
import { operations } from './operations.ts';
import { page } from './page.ts';
import { payouts } from './payouts.ts';
import { reports } from './reports.ts';
import { table } from './table.ts';
import { webhooks } from './webhooks.ts';

/** All planted bugs. `npm run planted` checks that the simulation or a test catches each of them. */
export const bugs: Bug[] = [
  ...ground,
  ...table,
  ...accounts,
  ...games,
  ...budgets,
  ...operations,
  ...amoe,
  ...holds,
  ...webhooks,
  ...payouts,
  ...books,
  ...deliveries,
  ...reports,
  ...api,
  ...page,
  ...infra,
];
