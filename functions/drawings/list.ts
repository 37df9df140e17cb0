import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { drawingsRoutes } from '../../shared/api/routes/drawings.ts';
import { readNewestDrawings } from '../../shared/drawings/drawings.ts';
import { readDrawingViews } from '../../shared/drawings/view.ts';

export const handler = endpoint(drawingsRoutes['drawings/list'], async ({ organizationId }) =>
  reply({ drawings: await readDrawingViews(await readNewestDrawings(organizationId)) }),
);
