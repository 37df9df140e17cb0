import type { HtmlAnswer } from '../../../shared/api/endpoint.ts';
import { openapiDocument } from '../../../shared/api/openapi/document.ts';
import { routesOf } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { currentStage } from '../../../shared/environment.ts';
import type { OpenapiDocument } from './document.ts';
import { errorsPage } from './errors.ts';
import { fileNamed, fileOf } from './files.ts';
import { guides } from './guides.ts';
import { indexOf, withAbsoluteLinks } from './llms.ts';
import { pageMessageSchema } from './page-message.ts';
import { guidePage, missingPage, referencePage } from './render.ts';
import { searchPlaces } from './search.ts';

/** `name` is that of a page, such as `start`, or of a file, such as `start.md`. */
export function pageNamed(name: string, baseUrl: string): HtmlAnswer {
  const file = fileNamed(name);
  if (file) return file;
  const routes = routesOf(currentStage(), allRoutes);
  const document = () => openapiDocument(routes, baseUrl) as OpenapiDocument;
  if (name === 'openapi.json') return fileOf('application/json', JSON.stringify(document()));
  if (name === 'page-message.json') {
    return fileOf('application/schema+json', JSON.stringify(pageMessageSchema()));
  }
  if (name === 'search.json') {
    return fileOf('application/json', JSON.stringify(searchPlaces(guides, document())));
  }
  if (name === 'reference') return referencePage();
  const pages = [...guides, errorsPage(routes, document())];
  if (name === 'llms.txt') return fileOf('text/plain', indexOf(pages, `${baseUrl}/docs`));
  const page = pages.find((one) => name.replace(/\.md$/, '') === one.page);
  if (!page) return missingPage();
  return name.endsWith('.md')
    ? fileOf('text/markdown', withAbsoluteLinks(page.markdown, `${baseUrl}/docs`))
    : guidePage(page);
}
