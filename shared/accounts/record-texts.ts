import { canonicalJson, sha256 } from '../ids.ts';
import type { Item } from '../table/client.ts';
import { withoutKeys } from '../table/keys.ts';
import type { User } from './user.ts';

/** Returns a record's hash. It covers a digest instead of the record's texts, so that the texts can be erased. */
export function recordHash(previous: string, record: object): string {
  const { hash, ...fields } = withoutKeys(record as Item);
  return sha256(`${previous}\n${canonicalJson(withoutTexts(fields))}`);
}

export function withoutTexts(record: Item): Item {
  const { external_reference, ms_since_last, ...rest } = record;
  if (rest.idempotency_key === undefined && rest.texts === undefined) return rest;
  const { description, idempotency_key, why, reference, reason, ...others } = rest;
  return others;
}

export function digestOfTexts(
  { text_key }: User,
  { description, idempotency_key, why, reference, reason }: Texts,
): string {
  // The text key exists, because only erasure deletes it and an erased user gets no new records.
  return sha256(`${text_key!}\n${canonicalJson({ description, idempotency_key, why, reference, reason })}`);
}
type Texts = { [text in 'description' | 'idempotency_key' | 'why' | 'reference' | 'reason']?: unknown };
