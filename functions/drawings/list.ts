import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { drawingsRoutes } from '../../shared/api/routes/drawings.ts';
import { newestDrawings } from '../../shared/drawings/drawings.ts';
import { viewsOf } from '../../shared/drawings/view.ts';

export const handler = endpoint(drawingsRoutes['drawings/list'], async ({ organizationId }) =>
  reply({ drawings: await viewsOf(await newestDrawings(organizationId)) }),
);
