import type { HtmlAnswer } from '../../../shared/api/endpoint.ts';
import { ownOriginPolicy } from '../../../shared/page-policy.ts';
import { type Guide, guides } from './guides.ts';
import { htmlOf, textOf } from './markdown.ts';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': ownOriginPolicy,
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

type Shown = { page: string; title: string; status?: number; head?: string; main: string };

/** Pages of the navigation that are not guides. */
const generated = [
  { page: 'errors', title: 'Errors and limits' },
  { page: 'reference', title: 'API reference' },
  { page: 'llms.txt', title: 'As Markdown' },
];

const fewestSections = 3;

function contentsOf(main: string): string {
  const sections = [...main.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)];
  if (sections.length < fewestSections) return '';
  const links = sections.map(([, id, title = '']) => `<li><a href="#${id}">${textOf(title)}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`;
}

/** Returns a navigation link. Its URL is only a query, so that the documentation can be served at any path. */
const link = (page: string, title: string, shown: string) =>
  `<li><a href="?page=${page}"${page === shown ? ' aria-current="page"' : ''}>${title}</a></li>`;

function render({ page, title, status = 200, head = '', main }: Shown): HtmlAnswer {
  const links = [...guides, ...generated].map((target) => link(target.page, target.title, page));
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} – Incentives</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="?page=docs.css"><script src="?page=docs.js" defer></script>${head}</head>
<body><header><a class="name" href="?page=start">Incentives</a><nav aria-label="Documentation"><ul>${links.join('')}</ul></nav></header>
<main class="${page === 'reference' ? page : 'guide'}">${main}</main>${contentsOf(main)}</body></html>`;
  return { status, html, headers };
}

export const guidePage = ({ page, title, markdown }: Guide): HtmlAnswer =>
  render({ page, title, main: htmlOf(markdown) });

export const referencePage = (): HtmlAnswer =>
  render({
    page: 'reference',
    title: 'API reference',
    head: '<link rel="stylesheet" href="?page=reference.css"><script src="?page=reference.js" defer></script>',
    main:
      '<p class="document"><a href="?page=openapi.json">The OpenAPI 3.1 document</a></p><div id="reference"></div>' +
      '<noscript><p>The reference needs JavaScript. Without it, read the OpenAPI document, or the ' +
      '<a href="?page=llms.txt">guides as Markdown</a>.</p></noscript>',
  });

export const missingPage = (): HtmlAnswer =>
  render({ page: 'missing', title: 'Not found', status: 404, main: '<h1>This page does not exist</h1>' });

export const failedPage = (): HtmlAnswer =>
  render({ page: 'failed', title: 'Just a moment', main: '<h1>This page can’t be shown right now</h1>' });
