import * as z from 'zod/mini';
import * as s from '../schemas.ts';
import { routeTable } from './table.ts';

export const drawingsRoutes = /* @__PURE__ */ routeTable({
  'drawings/list': {
    method: 'GET',
    path: '/drawings',
    summary: 'List the newest 100 drawings among entries, newest first',
    description:
      'Each drawing uses up the entries of its type that users hold at the end of its closing day. Show your users ' +
      'what their entries are for, when the drawing is, and its `root` once it has closed.',
    schemas: () => ({ reply: z.object({ drawings: z.array(s.drawing) }) }),
    access: { table: ['Query', 'BatchGetItem'] },
  },
  'drawings/get': {
    method: 'GET',
    path: '/drawings/{drawing_id}',
    summary: 'Read one drawing, with its winners',
    description:
      'Winners who forfeited stay in the list, before the user who took their place. The reference of an erased ' +
      'user is empty.',
    schemas: () => ({ path: s.drawingPath, reply: s.drawing }),
    access: { table: ['GetItem', 'BatchGetItem'] },
  },
});
