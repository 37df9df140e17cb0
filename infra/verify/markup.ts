import { escapeControlsInLines } from '../../shared/spelled-out.ts';

export type Markup = { markup: string };

type Value = Markup | Markup[] | string | number | undefined;

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const inMarkup = (value: Value): string => {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(inMarkup).join('\n');
  if (typeof value === 'object') return value.markup;
  return escapeControlsInLines(String(value)).replace(/[&<>"']/g, (c) => escapes[c]!);
};

/** Escapes inserted values, except values of type `Markup`. */
export const html = (texts: TemplateStringsArray, ...values: Value[]): Markup => ({
  markup: String.raw({ raw: texts }, ...values.map(inMarkup)),
});

export const tableOf = (headings: string[], rows: (string | number | Markup)[][]): Markup => html`<table>
<tr>${headings.map((heading) => html`<th>${heading}</th>`)}</tr>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
</table>`;
