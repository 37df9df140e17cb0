/** Embeds JSON texts in a response as they are: parsing would change numbers beyond 2^53, and the order of fields. */
import { randomUUID } from 'node:crypto';

// Random, so that no text of a host can contain it.
const name = `raw ${randomUUID()}`;
const embedded = new RegExp(`\\{"${name}":("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")\\}`, 'g');

/** Returns a placeholder, which `withRawJson` replaces by the text. The text must be JSON. */
export const rawJson = (text: string): Record<string, unknown> => ({ [name]: text });

export const withRawJson = (body: string): string =>
  body.includes(name) ? body.replace(embedded, (_, text: string) => JSON.parse(text)) : body;
