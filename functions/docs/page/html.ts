const row = (tag: 'th' | 'td', cells: string[]) =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;

/** Returns an HTML table from cells of HTML. The class `stacked` shows each row as a list on a phone. */
export const table = (head: string[], rows: string[][]): string =>
  `<table class="stacked"><thead>${row('th', head)}</thead><tbody>${rows.map((cells) => row('td', cells)).join('')}</tbody></table>`;

/** Returns the text of HTML, without tags and with single spaces. Keeps entities. */
export const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
