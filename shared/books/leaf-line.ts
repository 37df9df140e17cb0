import { withoutTexts } from '../accounts/records.ts';
import { canonicalJson } from '../ids.ts';
import { withoutKeys } from '../table/keys.ts';
import type { Leaf } from './leaves.ts';

/** What of a stored record is in its book: all that it says, but for the texts of a host's request. */
export const leafOf = (record: object): Leaf =>
  withoutTexts(withoutKeys(record) as Record<string, unknown>) as unknown as Leaf;

/** The bytes of a record in its book, as a line without an end. */
export const leafLineOf = (record: object): string => canonicalJson(leafOf(record));
