import { Marked } from 'marked';

/** Returns a heading's anchor: its words in lower case, joined by hyphens. */
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
    // Links from one guide to another become links between pages.
    link({ href, tokens }) {
      const [, page, place = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
      return `<a href="${page ? `?page=${page}${place}` : href}">${this.parser.parseInline(tokens)}</a>`;
    },
    codespan({ text }) {
      const isOption = /^--\S+$/.test(text);
      return `<code${isOption ? ' class="option"' : ''}>${escaped(text)}</code>`;
    },
    // Keyboard users can scroll a code block only if it can take the focus.
    code({ text, lang }) {
      const label = lang ? ` aria-label="${lang.split(' ').at(-1)}"` : '';
      return `<pre tabindex="0" role="group"${label}><code>${escaped(text)}\n</code></pre>\n`;
    },
  },
});

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Converts a guide to HTML. Passes HTML in the guide through, because the project writes the guides itself.
 */
export const htmlOfGuide = (markdown: string): string => marked.parse(markdown, { async: false });
