/**
 * The lines of a book's text, for a page and its browser: without all that it takes to check them, which
 * `book.ts` has.
 */

/** What they say: `root` in base64, and `header` as it stands there. */
export type BookLines = { organizationId: string; day: string; size: number; root: string; header: string };

const form =
  /^incentives\/(org_[0-9A-Z]{26})\/(\d{4}-\d\d-\d\d)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(\{[^\n]*\})\n$/;

/** Takes the text of a book apart; undefined if it has not the form of one. */
export function bookLinesOf(text: string): BookLines | undefined {
  const parts = form.exec(text);
  if (!parts) return undefined;
  const [, organizationId, day, size, root, header] = parts as unknown as string[];
  return { organizationId: organizationId!, day: day!, size: Number(size), root: root!, header: header! };
}
