import * as z from 'zod/mini';
import { table } from './table.ts';

export const docsRoutes = /* @__PURE__ */ table({
  'docs/open': {
    method: 'GET',
    path: '/docs',
    summary: 'Open a page of the documentation, or one of its files',
    description: 'Guides, the reference of the API, and its OpenAPI document.',
    schemas: () => ({
      query: z.object({ page: z._default(z.string().check(z.maxLength(40)), 'start') }),
      reply: z.object({}),
    }),
    access: {},
    credential: 'none',
    answers: 'html',
    stages: ['local', 'staging'],
  },
});
