import { fileNames } from './files.ts';
import type { Guide } from './guides.ts';

/** Returns the index of the pages for language models (llmstxt.org). `docs` is the documentation's URL. */
export function indexOf(pages: Guide[], docs: string): string {
  const clients = fileNames.filter((name) => name.endsWith('.py'));
  const links = [
    ...pages.map(({ page, title }) => `- [${title}](${docs}/${page}.md)`),
    `- [API reference](${docs}/openapi.json): the OpenAPI 3.1 document`,
    `- [Messages of the play page](${docs}/page-message.json): JSON Schema`,
    ...clients.map((name) => `- [${name}](${docs}/${name}): a client in one file`),
  ];
  return `# Incentives

> Tickets, sweepstakes entries and games with real prizes, for the users of a host app.

${links.join('\n')}
`;
}

/** Markdown lacks the viewer of the reference, so its links lead to the OpenAPI document. */
export const withAbsoluteLinks = (markdown: string, docs: string): string =>
  markdown.replaceAll(
    /\]\((?:\?page=)?([\w-]+)(\.\w+)?(#[^)]*)?\)/g,
    (_, page: string, extension = '.md', place = '') =>
      page === 'reference' ? `](${docs}/openapi.json)` : `](${docs}/${page}${extension}${place})`,
  );
