/**
 * The format of stored data. A release supports exactly one format. Changing stored data requires the next
 * number and a migration; see README.md.
 */

/** The format number, which every organization's item, settings and API keys carry. */
export const format = 1;

/** Thrown if stored data has a different format than this release supports. */
export class OtherFormat extends Error {
  override readonly name = 'OtherFormat';
}

/** Throws OtherFormat unless an item has this release's format. */
export function requireFormat(item: { format?: unknown }): void {
  if (item.format === format) return;
  throw new OtherFormat(
    `The table has data of format ${item.format}, but this release supports only format ${format}. Nothing was ` +
      'changed. Deploy a release for that format, or migrate the table first.',
  );
}
