import { endpoint, reply } from '../../shared/api/endpoint.ts';
import { drawingsRoutes } from '../../shared/api/routes/drawings.ts';
import { readDrawing } from '../../shared/drawings/drawings.ts';
import { readDrawingViews } from '../../shared/drawings/view.ts';

export const handler = endpoint(drawingsRoutes['drawings/get'], async ({ organizationId, path }) => {
  const [view] = await readDrawingViews([await readDrawing(organizationId, path.drawing_id)]);
  return reply(view!);
});
