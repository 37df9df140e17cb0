/** The public file of a drawing: with the books, everything that an outsider needs to check it. */
import { inBase64, type Timestamp } from '../timestamps/timestamp.ts';
import type { Drawing } from './drawings.ts';

/** Throws if the drawing is not closed. */
export function drawingFileText(
  { organization_id, terms, list, signature, drawn }: Drawing,
  timestamp: Timestamp | undefined,
): string {
  const times = timestamp && inBase64(timestamp);
  const file = { format: 1, organization_id, terms, list, timestamp: times, signature, drawn };
  return JSON.stringify(file, null, 2);
}
