/**
 * Returns the ids of the failed items in a partial batch response. Like Lambda, treats an absent or empty
 * list as a success of all items. Throws if Lambda would treat all items as failed: for an empty id, or an id
 * that is not in the batch.
 */
export function failedIdentifiers(response: unknown, identifiers: string[]): Set<string> {
  const failures = (response as { batchItemFailures?: unknown } | null | undefined)?.batchItemFailures ?? [];
  if (!Array.isArray(failures)) throw new Error('batchItemFailures is not a list');
  const failed = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  const unknown = failed.find((identifier) => !identifiers.includes(identifier as string));
  if (failed.length > 0 && (unknown !== undefined || failed.includes(undefined))) {
    throw new Error(`batchItemFailures names what was not in the batch: ${String(unknown)}`);
  }
  return new Set(failed as string[]);
}
