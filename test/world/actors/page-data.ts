const dataElement = /<script type="application\/json" id="data">(.*?)<\/script>/s;
const hiddenElements = /<(script|style|svg|noscript)\b.*?<\/\1>/gs;

/** Returns a play page's JSON data and visible text, or undefined if the page has no data. */
export function pageData(html: string): Record<string, unknown> | undefined {
  const [, json] = dataElement.exec(html) ?? [];
  if (json === undefined) return undefined;
  const { texts: _, ...data } = JSON.parse(json) as Record<string, unknown>;
  return { ...data, text: textOf(html) };
}

/** Returns the visible text in a page's `<main>` element. */
function textOf(html: string): string {
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  return main
    .replace(hiddenElements, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
