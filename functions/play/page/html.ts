export type Html = { readonly html: string };

type Value = Html | string | number | false | undefined | readonly Html[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** Marks markup as safe, so that `html` does not escape it. */
export const trustedHtml = (text: string): Html => ({ html: text });

const toMarkup = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  if ('html' in value) return value.html;
  return value.map((part) => part.html).join('');
};

/** Builds markup and escapes every value that is not `Html`. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  trustedHtml(strings.reduce((markup, text, i) => markup + toMarkup(values[i - 1]) + text));

export const jsonScript = (id: string, data: unknown): Html => {
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return trustedHtml(`<script type="application/json" id="${id}">${json}</script>`);
};
