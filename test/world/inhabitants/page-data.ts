/** What a play page says to those who look at it. */

const dataElement = /<script type="application\/json" id="data">(.*?)<\/script>/s;
const unseen = /<(script|style|svg|noscript)\b.*?<\/\1>/gs;

/**
 * The data that a play page leaves for its script, without the script's own texts, and with the text that one sees on
 * the page as `text`. Undefined if the page has no data.
 */
export function pageData(html: string): Record<string, unknown> | undefined {
  const [, json] = dataElement.exec(html) ?? [];
  if (json === undefined) return undefined;
  const { texts: _, ...data } = JSON.parse(json) as Record<string, unknown>;
  return { ...data, text: textOf(html) };
}

/** The text of a page's main element. */
function textOf(html: string): string {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  return main
    .replace(unseen, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
