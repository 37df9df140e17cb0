import { withoutTexts } from '../accounts/records.ts';
import { canonicalJson } from '../ids.ts';
import { withoutKeys } from '../table/keys.ts';
import type { Leaf } from './leaves.ts';

/** Returns the leaf of a stored record: all its fields except its keys and the host's texts. */
export const leafOf = (record: object): Leaf =>
  withoutTexts(withoutKeys(record) as Record<string, unknown>) as unknown as Leaf;

/** Returns a record's leaf as canonical JSON, without a newline. */
export const leafLineOf = (record: object): string => canonicalJson(leafOf(record));
