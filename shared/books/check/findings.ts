export const findingMeanings = {
  unreadable_file: 'A file could not be read. Its contents were not checked.',
  not_a_book:
    'A file is not what its name says, a book or the records of a book, or is incomplete. Its contents were not checked.',
  file_missing:
    'A book, its records, or the book of a day in between was not given, so nothing is proven about that day.',

  signature_invalid: 'A book is not signed with the expected key. Somebody else made it, or it was changed.',
  not_the_kept_book: 'A book does not match its kept line: the book was replaced afterwards.',
  book_replaced:
    'A book does not follow from the book of the day before, or two different books exist for one day: one of them was replaced.',
  timestamp_invalid:
    'The timestamp of a book or of a list proves nothing: it is of another text, by an authority that you do not trust, or of a time that cannot be right.',

  records_differ:
    'The records are not those that the book was signed for: at least one was changed, added, removed, moved or is of another day.',
  sums_differ: 'A book states totals that its records do not add up to.',
  not_a_record: 'A line is not a valid record. The service did not write it in this form.',
  history_broken:
    'A history of a user, or of the operators’ actions, is broken: a record was changed, removed or inserted.',

  balance_differs: 'A balance does not equal the balance before it plus the credit or minus the debit.',
  cost_or_prize_differs:
    'The cost of a play or a prize was not booked as its outcome says, or was booked without an outcome.',

  secret_not_as_published:
    'The secret of a day is missing or does not match its published fingerprint, so draws could be chosen.',
  prize_not_drawn:
    'The recorded prize is not the one that the seeds, the prize table and the limits of the draw give.',
  client_seed_differs:
    'A free spin was drawn with a second input (client seed) that its order does not fix: the draw could be chosen.',
  table_altered: 'The prize table of a draw is missing, or its prizes do not match its version.',
  play_twice: 'A play was drawn more than once, so its prize could be chosen.',
  spin_twice: 'A free spin of an order was drawn more than once, so its prize could be chosen.',
  spin_not_ordered: 'A free spin was drawn that nobody had ordered, before it was due, or ahead of another.',

  limit_exceeded:
    'More was won than the day’s cash, a promotion’s cash, a stock or a user’s win limit allowed.',
  grants_differ:
    'The numbered wins of the day’s cash, a promotion’s cash, a stock or a user do not follow from each other: a win was left out, or a draw assumed that more or less had been won.',

  settings_differ:
    'The settings in a book do not follow from the earlier settings and the recorded changes: a change was not recorded, or was altered.',
  terms_not_in_force: 'A cost, a prize table or a limit was used that was not in force.',

  announcement_differs:
    'A drawing was announced too late, was changed afterwards, or was not drawn by the public round that was announced, so its winner could be chosen.',
  entrant_differs:
    'A drawing left a user with entries out, added somebody, or used up more or fewer entries than a user had.',
  list_differs:
    'The published list of a drawing is not that of the entries that it used up, or not the one that was kept or is in its file.',
  list_late:
    'The list of a drawing was made when its round was already public, so it could be made to fit a winner.',
  winner_differs:
    'A prize of a drawing went to somebody else than the list and the round give, an alternate was preferred, or the file of the drawing says so.',

  result_forced: 'A play was forced to a result in production: somebody chose what was won.',
} as const satisfies Record<string, string>;
export type FindingCode = keyof typeof findingMeanings;

/** A notice is a limitation of the check, not a fault in the books. */
export const noticeMeanings = {
  earlier_books:
    'The books before the first given book were not checked. What it takes from earlier days is taken as it is.',
  key_unconfirmed: 'The key was taken from the files. Compare it with the key that the operator published.',
  no_kept_line: 'No kept line was given. The check cannot tell whether all books were replaced together.',
  timestamp_missing:
    'No independent authority confirmed within 12 hours that a book existed. Until it did, the book could be replaced.',
  authority_unconfirmed:
    'The authority of timestamps was taken from the files. Compare its certificate with the one that it publishes.',
  list_unconfirmed:
    'No root or line was kept from before the round of a drawing. The check cannot tell whether another list was published before.',
} as const satisfies Record<string, string>;
export type NoticeCode = keyof typeof noticeMeanings;

/** The place of a finding. `line` counts from 1; line 1 of a records file is `RecordsHead`. */
export type FindingPlace = {
  organization_id?: string;
  day?: string;
  file?: string;
  record?: string;
  line?: number;
};
export type Finding = FindingPlace & { sentence: string };

export type FindingTally = { count: number; first: Finding[] };
export type FindingTallies = Map<FindingCode | NoticeCode, FindingTally>;

const maxListed = 20;

export type ReportFinding = (code: FindingCode | NoticeCode, sentence: string) => void;

export const reporterFor =
  (tallies: FindingTallies, place: FindingPlace): ReportFinding =>
  (code, sentence) => {
    const tally = tallies.get(code) ?? { count: 0, first: [] };
    tally.count++;
    if (tally.first.length < maxListed) tally.first.push({ ...place, sentence });
    tallies.set(code, tally);
  };
