/** The public file of a drawing: with the books, everything that an outsider needs to check it. */
import type { Timestamp } from '../timestamps/timestamp.ts';
import type { Drawing } from './drawings.ts';

/** Throws if the drawing is not closed. */
export function drawingFileText(
  { organization_id, terms, list, signature, drawn }: Drawing,
  timestamp: Timestamp | undefined,
): string {
  const inBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const times = timestamp && { token: inBase64(timestamp.token), root: inBase64(timestamp.root) };
  const file = { format: 1, organization_id, terms, list, timestamp: times, signature, drawn };
  return JSON.stringify(file, null, 2);
}
