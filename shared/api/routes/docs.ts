import * as z from 'zod/mini';
import type { Route } from '../route.ts';
import { routeTable } from './table.ts';

const ofDocs = {
  method: 'GET',
  access: {},
  credential: 'none',
  answers: 'html',
  stages: ['local', 'staging'],
} satisfies Partial<Route>;

const name = z.string().check(z.maxLength(40));

export const docsRoutes = /* @__PURE__ */ routeTable({
  'docs/open': {
    ...ofDocs,
    path: '/docs',
    summary: 'Open a page of the documentation, or one of its files',
    description: 'Guides, the reference of the API, and its OpenAPI document.',
    schemas: () => ({ query: z.object({ page: z._default(name, 'start') }), reply: z.object({}) }),
  },
  'docs/file': {
    ...ofDocs,
    path: '/docs/{file}',
    summary: 'Open a file of the documentation',
    description: 'Guides as Markdown, their index `llms.txt`, and clients.',
    schemas: () => ({ path: z.object({ file: name }), reply: z.object({}) }),
  },
});
