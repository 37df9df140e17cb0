import { withoutTexts } from '../accounts/record-texts.ts';
import { canonicalJson } from '../ids.ts';
import type { Item } from '../table/client.ts';
import { withoutKeys } from '../table/keys.ts';
import type { Leaf } from './leaves.ts';

/** Returns the leaf of a stored record, without the table's keys and the texts that can be erased. */
export const leafOf = (record: object): Leaf => withoutTexts(withoutKeys(record) as Item) as unknown as Leaf;

/** Returns the leaf of a stored record as canonical JSON, without a newline. */
export const leafLineOf = (record: object): string => canonicalJson(leafOf(record));
