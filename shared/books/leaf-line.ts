import { withoutTexts } from '../accounts/record-texts.ts';
import { canonicalJson } from '../ids.ts';
import type { Item } from '../table/client.ts';
import { withoutKeys } from '../table/keys.ts';
import type { Leaf } from './leaves.ts';

export const leafOf = (record: object): Leaf => withoutTexts(withoutKeys(record) as Item) as unknown as Leaf;

export const leafLineOf = (record: object): string => canonicalJson(leafOf(record));
