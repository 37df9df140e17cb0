/** Parses a book's text without `book.ts`, which would add Zod to the play page's bundle. */

/** `root` is in base64, and `header` is unparsed JSON. */
export type BookLines = { organizationId: string; day: string; size: number; root: string; header: string };

const form =
  /^incentives\/(org_[0-9A-Z]{26})\/(\d{4}-\d\d-\d\d)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(\{[^\n]*\})\n$/;

/** Returns the lines of a book's text, or undefined if the text does not have the form of a book. */
export function parseBookLines(text: string): BookLines | undefined {
  const parts = form.exec(text);
  if (!parts) return undefined;
  const [, organizationId, day, size, root, header] = parts as unknown as string[];
  return { organizationId: organizationId!, day: day!, size: Number(size), root: root!, header: header! };
}
