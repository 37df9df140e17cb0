/** All endpoints by name. Lambda handlers import single files of `routes/` instead, to keep bundles small. */
import type { Route } from './route.ts';
import { amoeRoutes } from './routes/amoe.ts';
import { booksRoutes } from './routes/books.ts';
import { debugRoutes } from './routes/debug.ts';
import { docsRoutes } from './routes/docs.ts';
import { drawingsRoutes } from './routes/drawings.ts';
import { entriesRoutes } from './routes/entries.ts';
import { eventsRoutes } from './routes/events.ts';
import { gamesRoutes } from './routes/games.ts';
import { pageRoutes } from './routes/page.ts';
import { playRoutes } from './routes/play.ts';
import { prizesRoutes } from './routes/prizes.ts';
import { reportsRoutes } from './routes/reports.ts';
import { ticketsRoutes } from './routes/tickets.ts';
import { usersRoutes } from './routes/users.ts';
import { webhooksRoutes } from './routes/webhooks.ts';

export const routes = {
  ...usersRoutes,
  ...ticketsRoutes,
  ...entriesRoutes,
  ...drawingsRoutes,
  ...amoeRoutes,
  ...gamesRoutes,
  ...playRoutes,
  ...prizesRoutes,
  ...pageRoutes,
  ...debugRoutes,
  ...webhooksRoutes,
  ...eventsRoutes,
  ...reportsRoutes,
  ...booksRoutes,
  ...docsRoutes,
};

export const allRoutes: Route[] = Object.values(routes);
