import { withoutTexts } from '../accounts/records.ts';
import { canonicalJson } from '../ids.ts';
import { withoutKeys } from '../table/keys.ts';

/** What of a stored record is in its book: all that it says, but for the texts of a host's request. */
export const leafOf = <R extends object>(record: R) =>
  withoutTexts(withoutKeys(record) as Record<string, unknown>);

/** The bytes of a record in its book, as a line without an end. */
export const leafLineOf = (record: object): string => canonicalJson(leafOf(record));
