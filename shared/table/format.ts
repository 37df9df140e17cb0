export const tableFormat = 1;

/** Thrown if stored data has a format that this release does not support. */
export class UnsupportedFormat extends Error {
  override readonly name = 'UnsupportedFormat';
}

/** Throws UnsupportedFormat unless the item has the format of this release. */
export function requireFormat(item: { format?: unknown }): void {
  if (item.format === tableFormat) return;
  throw new UnsupportedFormat(
    `The table has data of format ${item.format}, but this release supports only format ${tableFormat}. Nothing was ` +
      'changed. Deploy a release for that format, or migrate the table first.',
  );
}
