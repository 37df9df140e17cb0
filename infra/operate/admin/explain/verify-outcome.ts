/** Verifies outcomes with a part of the checks that outsiders make with `npm run verify`. */
import type { OutcomeRecord } from '../../../../shared/accounts/records.ts';
import { type BookLines, parseBookLines } from '../../../../shared/books/book-lines.ts';
import { repeatDraw } from '../../../../shared/books/check/draws.ts';
import { leafLineOf } from '../../../../shared/books/leaf-line.ts';
import { type OutcomeLeaf, parseLeaf } from '../../../../shared/books/leaves.ts';
import { type BookProof, readBookProof } from '../../../../shared/books/proof.ts';
import { daySecret } from '../../../../shared/games/day-secrets.ts';
import { findOutcome } from '../../../../shared/games/find-outcome.ts';
import { readPrizeTable } from '../../../../shared/games/organization-tables.ts';
import { timeOfUlid, ulidOf } from '../../../../shared/ids.ts';
import { bookKey } from '../../../../shared/table/book-keys.ts';
import { getItem } from '../../../../shared/table/client.ts';
import { withoutKeys } from '../../../../shared/table/keys.ts';
import { dayOf } from '../../../../shared/time.ts';
import { leafHash, rootFromPath } from '../../../../shared/tree.ts';
import { Problem } from '../../../common/problem.ts';

/** Repeats an outcome's draw and compares the outcome with the day's book. Throws a Problem for an unknown outcome. */
export async function verifyRecordedOutcome(organizationId: string, id: string) {
  const recorded = await findOutcome(organizationId, id);
  if (!recorded) {
    const wait = 'An outcome can be found a few seconds after its play.';
    throw new Problem(`Organization ${organizationId} has no outcome ${id}. ${wait}`);
  }
  const day = dayOf(timeOfUlid(ulidOf(id)));
  const isClosed = (await getItem(bookKey(organizationId, day))) !== undefined;
  const place = await readBookProof(organizationId, recorded.user_id, id);
  const book = place && parseBookLines(place.text);
  const ofPlace = place
    ? faultsOfPlace(place, book)
    : isClosed
      ? [`The book of ${day} cannot be read or does not contain it.`]
      : [];
  const faults = [...(await findDrawFaults(recorded)), ...ofPlace];
  return {
    outcome: withoutKeys(recorded),
    ...(place && book ? { book: { day: book.day, record: place.index + 1, records: book.size } } : {}),
    verified: faults.length === 0,
    faults,
    not_checked: notChecked(isClosed || place !== undefined),
  };
}

/** Repeats an outcome's draw from the day's secret and the prize table. */
export async function findDrawFaults(recorded: OutcomeRecord): Promise<string[]> {
  const { organization_id, game, prize_table_version, secret_day } = recorded;
  const leaf = parseLeaf(leafLineOf(recorded)) as OutcomeLeaf | undefined;
  if (leaf?.kind !== 'outcomes') return ['It is not a valid outcome record.'];
  const secret = await daySecret(organization_id, secret_day);
  const { prizes } = await readPrizeTable(organization_id, game, prize_table_version);
  return repeatDraw(leaf, secret, prizes).faults;
}

/** Returns a fault if the day's book cannot be read, or if the record and its path do not lead to the book's root. */
function faultsOfPlace(place: BookProof, book: BookLines | undefined): string[] {
  if (!book) return ['The book of its day cannot be read.'];
  const hashes = place.path.map((hash) => Buffer.from(hash, 'base64'));
  const found = rootFromPath(leafHash(place.line), place.index, book.size, hashes);
  return found?.toString('base64') === book.root
    ? []
    : [`It differs from the record in the book of ${book.day}.`];
}

const notChecked = (isClosed: boolean) => [
  ...(isClosed
    ? []
    : [
        'Whether the book of its day contains it: the book is not closed yet, so nothing outside this stage proves the record.',
      ]),
  "Whether its day's cash and free spin order are right: use npm run verify.",
];
