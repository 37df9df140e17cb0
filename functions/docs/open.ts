import { page } from '../../shared/api/endpoint.ts';
import { openapiDocument } from '../../shared/api/openapi/document.ts';
import { routesOf } from '../../shared/api/route.ts';
import { docsRoutes } from '../../shared/api/routes/docs.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { currentStage } from '../../shared/environment.ts';
import type { OpenapiDocument } from './page/document.ts';
import { errorsPage } from './page/errors.ts';
import { fileNamed, fileOf } from './page/files.ts';
import { guides } from './page/guides.ts';
import { pageMessageSchema } from './page/page-message.ts';
import { failedPage, guidePage, missingPage, referencePage } from './page/render.ts';
import { searchPlaces } from './page/search.ts';

export const handler = page(
  docsRoutes['docs/open'],
  async ({ query, baseUrl }) => {
    const { page: name } = query;
    const routes = routesOf(currentStage(), allRoutes);
    const document = () => openapiDocument(routes, baseUrl) as OpenapiDocument;
    if (name === 'openapi.json') return fileOf('application/json', JSON.stringify(document()));
    if (name === 'page-message.json') {
      return fileOf('application/schema+json', JSON.stringify(pageMessageSchema()));
    }
    if (name === 'search.json') {
      return fileOf('application/json', JSON.stringify(searchPlaces(guides, document())));
    }
    if (name === 'errors') return guidePage(errorsPage(routes, document()));
    const guide = guides.find(({ page }) => page === name);
    if (guide) return guidePage(guide);
    if (name === 'reference') return referencePage();
    return fileNamed(name) ?? missingPage();
  },
  failedPage,
);
