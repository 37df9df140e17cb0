/**
 * The format of what is stored. This release reads and writes one format and no other: a change of what is
 * stored has the next number and a migration from the one before (`README.md` of this room).
 */

/** The number of the format, which every organization's item, its settings and its API keys carry. */
export const format = 1;

/** What was read is of another format than this release works on. */
export class OtherFormat extends Error {
  override readonly name = 'OtherFormat';
}

/** Throws OtherFormat unless an item is of this release's format. */
export function requireFormat(item: { format?: unknown }): void {
  if (item.format === format) return;
  throw new OtherFormat(
    `The table holds data of format ${item.format}, and this release works on format ${format} alone. Nothing was ` +
      'changed. Deploy a release of that format, or migrate the table first.',
  );
}
