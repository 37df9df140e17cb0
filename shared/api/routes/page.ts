import * as z from 'zod/mini';
import { pageChanges, pagePreview, pageSettingsSchema } from '../page-fields.ts';
import { routeTable } from './table.ts';

const pageReply = () => z.extend(pageSettingsSchema, { preview_urls: z.array(pagePreview) });

export const pageRoutes = /* @__PURE__ */ routeTable({
  'page/get': {
    method: 'GET',
    path: '/page',
    summary: 'Read the settings of your play pages',
    description:
      'Returns the origins that may frame the page, the return URL, the rules and the brand. An empty value means ' +
      'the default. Each of `preview_urls` shows a game in one language with these settings, to anybody who ' +
      'has the URL. A preview plays nothing, costs nothing and never expires. In a frame, it sends the ' +
      'messages `ready`, `resize` and `done`.',
    schemas: () => ({ reply: pageReply() }),
    access: { table: ['GetItem'], playUrls: true },
  },
  'page/update': {
    method: 'PUT',
    path: '/page',
    summary: 'Change the settings of your play pages',
    description:
      'The settings apply to pages opened after the request. A setting that you leave out stays the same, and an ' +
      'empty value restores the default. Colors with too little contrast return an error that names the nearest ' +
      'readable color. Repeating the request has no further effect. Operators see each change with the id of ' +
      'your API key.',
    schemas: () => ({ body: pageChanges, reply: pageReply() }),
    access: { table: ['GetItem', 'PutItem'], playUrls: true },
  },
});
