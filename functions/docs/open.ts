import { pageEndpoint } from '../../shared/api/endpoint.ts';
import { docsRoutes } from '../../shared/api/routes/docs.ts';
import { pageNamed } from './page/pages.ts';
import { failedPage } from './page/render.ts';

export const handler = pageEndpoint(
  docsRoutes['docs/open'],
  async ({ query, baseUrl }) => pageNamed(query.page, baseUrl),
  failedPage,
);
