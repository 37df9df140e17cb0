/** Throws for an unknown or empty id, because Lambda then treats the whole batch as failed. */
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
