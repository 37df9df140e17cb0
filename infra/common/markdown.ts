import { Marked } from 'marked';

/** What a heading is called in an address: its words in small letters. */
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
    // A link to another guide is one to its page.
    link({ href, tokens }) {
      const [, page, place = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
      return `<a href="${page ? `?page=${page}${place}` : href}">${this.parser.parseInline(tokens)}</a>`;
    },
    codespan({ text }) {
      const isOption = /^--\S+$/.test(text);
      return `<code${isOption ? ' class="option"' : ''}>${escaped(text)}</code>`;
    },
    // A keyboard has to reach what scrolls.
    code({ text, lang }) {
      const label = lang ? ` aria-label="${lang.split(' ').at(-1)}"` : '';
      return `<pre tabindex="0" role="group"${label}><code>${escaped(text)}\n</code></pre>\n`;
    },
  },
});

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A guide of the documentation as HTML. It is the project's own: what HTML it has passes as it is. */
export const htmlOfGuide = (markdown: string): string => marked.parse(markdown, { async: false });
