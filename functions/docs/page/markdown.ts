import { Marked } from 'marked';

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/<[^>]+>|[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      return `<h${depth} id="${slug(html)}">${html}</h${depth}>\n`;
    },
    // Replaces links between Markdown files with links between pages of the documentation.
    link({ href, tokens }) {
      const [, page, place = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
      return `<a href="${page ? `?page=${page}${place}` : href}">${this.parser.parseInline(tokens)}</a>`;
    },
    // Makes code blocks focusable, because keyboard users can scroll only a focused block.
    code({ text, lang }) {
      const label = lang ? ` aria-label="${lang.split(' ').at(-1)}"` : '';
      return `<pre tabindex="0" role="group"${label}><code>${escaped(text)}\n</code></pre>\n`;
    },
  },
});

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Does not escape HTML: all pages are texts of this project. */
export const htmlOf = (markdown: string): string => marked.parse(markdown, { async: false });

export const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`;

export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map(row).join('');
