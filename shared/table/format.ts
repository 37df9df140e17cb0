export const format = 1;

/** Thrown if stored data has a format that this release does not support. */
export class OtherFormat extends Error {
  override readonly name = 'OtherFormat';
}

/** Throws OtherFormat unless the item has the format of this release. */
export function requireFormat(item: { format?: unknown }): void {
  if (item.format === format) return;
  throw new OtherFormat(
    `The table has data of format ${item.format}, but this release supports only format ${format}. Nothing was ` +
      'changed. Deploy a release for that format, or migrate the table first.',
  );
}
