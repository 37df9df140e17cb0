import type { HtmlAnswer } from '../../../shared/api/endpoint.ts';
import { openapiDocument } from '../../../shared/api/openapi/document.ts';
import { routesInStage } from '../../../shared/api/route.ts';
import { allRoutes } from '../../../shared/api/routes.ts';
import { currentStage } from '../../../shared/environment.ts';
import type { OpenapiDocument } from './document.ts';
import { errorsPage } from './errors.ts';
import { docsFile, fileAnswer, fileNames } from './files.ts';
import { type Guide, guides } from './guides.ts';
import { guidePage, missingPage, referencePage } from './render.ts';
import { searchTargets } from './search.ts';

/** `name` is that of a page, such as `start`, or of a file, such as `start.md`. */
export function pageNamed(name: string, baseUrl: string): HtmlAnswer {
  const file = docsFile(name);
  if (file) return file;
  if (name === 'reference') return referencePage();
  const routes = routesInStage(currentStage(), allRoutes);
  const document = () => openapiDocument(routes, baseUrl) as OpenapiDocument;
  const json = (value: unknown) => fileAnswer('application/json', JSON.stringify(value));
  if (name === 'openapi.json') return json(document());
  if (name === 'search.json') return json(searchTargets(guides, document()));
  const pages = () => [...guides, errorsPage(routes, document())];
  const docs = `${baseUrl}/docs`;
  if (name === 'llms.txt') return fileAnswer('text/plain', indexOf(pages(), docs));
  const isNamed = ({ page }: Guide) => name === page || name === `${page}.md`;
  const page = guides.find(isNamed) ?? pages().find(isNamed);
  if (!page) return missingPage();
  return name === page.page
    ? guidePage(page)
    : fileAnswer('text/markdown', withAbsoluteLinks(page.markdown, docs));
}

/** The index for language models (llmstxt.org). */
function indexOf(pages: Guide[], docs: string): string {
  const clients = fileNames.filter((name) => name.startsWith('incentives'));
  const files = [
    ...pages.map(({ page, title }) => [title, `${page}.md`]),
    ['API reference (OpenAPI 3.1)', 'openapi.json'],
    ...clients.map((name) => [`For hosts without npm: ${name}`, name]),
  ];
  return `# Incentives

> Tickets, sweepstakes entries and games with real prizes, for the users of a host app.

${files.map(([title, file]) => `- [${title}](${docs}/${file})\n`).join('')}`;
}

/** Links to the reference lead to the OpenAPI document instead: only an HTML page can show the reference. */
const withAbsoluteLinks = (markdown: string, docs: string) =>
  markdown.replaceAll(
    /\]\((?:\?page=)?([\w-]+)(\.\w+)?(#[^)]*)?\)/g,
    (_, page: string, extension = '.md', place = '') =>
      page === 'reference' ? `](${docs}/openapi.json)` : `](${docs}/${page}${extension}${place})`,
  );
