/** Attacks on books: manipulated draws, and books forged with the operator's keys. */
import { type Books, booksOf, filesOf, rehash } from './books.ts';
import { codesIn } from './verified.ts';
import { credit, type Draw, newUser, newWorld, type Rec, type User, type World } from './world.ts';

export async function foundIn(world: World, forge: (books: Books) => void = () => {}) {
  const books = booksOf(world);
  forge(books);
  return (await codesIn(filesOf(books))).found;
}

/** Returns a world with one user who has 500 tickets. */
export function worldOfOne(options?: Parameters<typeof newWorld>[0]): { world: World; user: User } {
  const world = newWorld(options);
  const user = newUser(world);
  credit(world, user, 500);
  return { world, user };
}

/** Returns a manipulation of draws that changes fields of the outcome's record. */
export const says = (said: Record<string, unknown>) => (draw: Draw) => ({
  ...draw,
  said: { ...draw.said, ...said },
});

export const recordsIn = ({ days }: Books): Rec[] => days.flatMap(({ records }) => records);
export const outcomesIn = (books: Books): Rec[] => recordsIn(books).filter(({ kind }) => kind === 'outcomes');

/** Removes the records that `gone` accepts. Throws if there are none. */
export function takeOut(books: Books, gone: (rec: Rec) => unknown): void {
  if (!recordsIn(books).some(gone)) throw new Error('the books have no such record');
  for (const day of books.days) day.records = day.records.filter((rec) => !gone(rec));
}

export const takeOutOutcome = (books: Books, { id }: Rec): void =>
  takeOut(books, (rec) => rec.id === id || rec.outcome_id === id);

/** Returns a forgery that sets fields of the last record that `which` accepts, and recomputes all hashes. */
export const setting =
  (which: (rec: Rec) => unknown, fields: (rec: Rec) => object) =>
  (books: Books): void => {
    const rec = recordsIn(books).findLast(which);
    if (!rec) throw new Error('the books have no such record');
    Object.assign(rec, fields(rec));
    rehash(books);
  };
