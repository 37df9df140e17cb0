/** What a check of books can find, and what it leaves open: each by a code that stays the same. */

/** What each finding means, for whoever reads the verdict. */
export const meanings = {
  unreadable_file: 'A file could not be read, so nothing in it was checked.',
  cut_off: 'A file ends in the middle. It is incomplete, or was shortened.',
  not_a_book: 'A file is not what its name says: no book of a day, or no records of one.',
  newer_format: 'A file is of a later format, which needs a later version of this check.',
  records_missing: 'There is a book without its records, so its day could not be checked.',
  book_missing: 'There are records, or a kept line, of a day without its book: nothing vouches for them.',
  mixed_up: 'A book and the records beside it are of different organizations or days.',
  forked: 'There are two different books of one day. An honest operator signs one.',
  enormous: 'Something in a file is larger than it can be.',

  signature_invalid: 'A book is not signed by the key it should be signed by.',
  key_differs: 'A book names another key than the one that was expected, or than the other books name.',
  not_the_kept_book: 'A book is not the one of which a line was kept: it was made anew afterwards.',
  chain_of_books_broken: 'A book does not follow from the book of the day before: one of them was replaced.',
  day_missing: 'A day between the first book and the last one has no book here.',
  sums_differ: 'A book says other sums than its records add up to.',
  counts_differ: 'A book says another number of records of a kind than it has.',
  fingerprint_missing: 'A book does not publish the fingerprint of the secret of two days later.',
  settings_differ: 'The settings of a day do not follow from those before it and the recorded changes.',

  change_not_as_set:
    'What an operator had set for a time was made before it, otherwise than it was set, or not at all.',

  root_differs: 'The records are not those that the book was signed over.',
  record_count_differs: 'There are more or fewer records than the book was signed over.',
  records_out_of_order: 'Records do not stand in the order of their times, or one stands there twice.',
  record_of_another_day: 'A record is of another day than its book.',
  record_of_another_organization: 'A record is of another organization than its book.',
  not_a_record: 'A line is no record as the service writes it.',
  named_by_nothing: 'A book or its records come with something that none of the records names.',

  record_altered: 'A record is not as it was written: its hash does not follow from it.',
  record_missing: 'Records of a user, or of an operator’s changes, were taken out.',
  record_forked: 'There are two records in the same place of a history.',
  balance_differs: 'A balance does not follow from the credits and debits before it.',
  numbering_differs: 'Records of a kind are not numbered one after the other.',
  opened_twice: 'An organization has one record of its beginning too many, or not on its first day.',
  opening_missing: 'The first book of an organization does not have the record of its beginning.',

  secret_not_as_published: 'A day’s secret is not the one whose fingerprint was published before.',
  secret_missing: 'The secret that a draw follows from is not in the book.',
  secret_of_another_day: 'A draw was made with the secret of a day that it could not be of.',
  client_seed_differs: 'A free spin was drawn with an input that does not follow from its order.',
  last_hash_differs: 'An order of free spins does not say the hash of the record before it.',
  prize_not_drawn: 'The seeds of a draw give another prize than the one that is recorded.',
  prize_not_as_in_table: 'A prize is not what its prize table says it is.',
  limits_do_not_follow: 'What limited a draw does not follow from its table and the cash that was left.',
  game_status_differs: 'The status of a game is not that of its prize.',

  table_altered: 'A prize table is not the one that its version stands for.',
  table_missing: 'The prize table of a draw is not among the records.',
  table_not_in_force: 'A draw was made from a prize table that was not in force.',
  cost_not_in_force: 'A play cost something else than what was in force.',
  limit_not_in_force:
    'A draw was made under a limit of the day’s cash, or of its user’s wins, that was not in force.',

  budget_chain_broken:
    'The wins of a day’s cash, or of a stock of prizes, do not follow one another: one is missing, or two are in one place.',
  budget_view_differs:
    'A draw was made on another state of the day’s cash, of the stock or of its user’s wins than the wins before it lead to.',
  budget_view_from_the_future:
    'A draw was made on a state of the day’s cash or of the stock that only came about later.',
  budget_view_stale:
    'A draw was made on a state of the day’s cash or of the stock that had been overtaken for more than a minute.',
  budget_exceeded: 'More was won than the day’s cash, a stock, or the limit of a user’s wins allowed.',
  budget_of_another_day: 'A draw was made on the cash and the stock of a day that it was not of.',

  cost_not_taken: 'A play was not paid as its outcome says.',
  prize_not_credited: 'A prize was not credited as its outcome says.',
  adjusted_by_nobody:
    'A balance was adjusted without a record of the operator who did it, or otherwise than that record says.',
  adjustment_missing: 'An operator is said to have adjusted a balance, and there is no such transaction.',
  credited_without_outcome: 'A cost or a prize was booked that no outcome is behind.',

  spin_without_order: 'A free spin was drawn that nobody had ordered.',
  spin_twice: 'A free spin of an order was drawn more than once.',
  spin_missing: 'A free spin of an order was left out.',
  spin_early: 'A free spin was drawn before it was due.',
  effective_date_differs: 'A free spin is effective on another date than its order said.',
  spins_overdue:
    'Free spins were not run within two days after they were due, and nothing was on hold that explains it.',
  cancelled_spin_drawn: 'A free spin was drawn that an operator had cancelled.',
  cancelled_spins_differ:
    'An operator is said to have cancelled or restored other free spins than there were to cancel or restore.',
  spin_of_another_user: 'A free spin was drawn for another user than the one it was ordered for.',
  order_too_long: 'More free spins were drawn than were ordered.',
  due_day_differs: 'Free spins were due on a day on which their draws could have been foreseen.',
  play_twice: 'One play was drawn more than once.',
  plays_over_limit: 'A user played more often in a day than the limit allowed.',

  beacon_differs:
    'The public randomness is described in another way than in the book, or than in other books.',
  beacon_signature_invalid: 'What is said to be public randomness is not signed by its source.',
  beacon_round_wrong:
    'A free spin was drawn with another round of the public randomness than the promised one.',
  beacon_not_mixed_in: 'A free spin was drawn without the public randomness that was promised for it.',
  beacon_unasked: 'A free spin was drawn with public randomness that was not promised for it.',
} as const satisfies Record<string, string>;
export type Code = keyof typeof meanings;

/** What a check leaves open, or lets a reader know: none of it speaks against the books. */
export const noticeMeanings = {
  other_days: 'Days for which no book was given are not covered, nor are days whose books are not made yet.',
  earlier_books: 'The books before the first one given were not checked: what they say is taken as it is.',
  key_unconfirmed:
    'The key was taken from the files themselves. Compare it with the one that the operator published.',
  signature_unchecked:
    'The signature of a book could not be checked, because neither its records nor a key was given.',
  nothing_kept:
    'No line of a book was kept and given. Whether the books were made anew as a whole cannot be seen.',
  fingerprint_unknown:
    'The fingerprint of a day’s secret was published in an earlier book that was not given.',
  fingerprint_with_secret:
    'The fingerprint of a first day was signed only after that day had begun: the first two days of an organization have no earlier book.',
  chain_begins_in_the_middle:
    'A history begins before the first book, so the hash of its first record was not checked.',
  order_not_given: 'A free spin’s order is in an earlier book that was not given.',
  adjustment_open:
    'An adjusted balance and the record of the operator who did it are on two days, of which one was not given.',
  orders_open: 'Free spins that were due had not been run by the end of the last book.',
  beacon_out: 'Free spins ran without the public randomness, because its source was out for an hour.',
  no_beacon:
    'Free spins were queued without a promise of public randomness: the operator could foresee them.',
  beacon_not_quicknet:
    'The public randomness is not that of drand’s quicknet. Who its source is was not checked.',
  settings_unknown: 'What was in force before the first book or after the last one is not known.',
  budget_unknown:
    'A state of the day’s cash or of the stock, on which a draw was made, follows from a book that was not given.',
  settings_changed:
    'An operator changed what is in force. Each change needs a reason, above all one between a midnight and the free spins that were due then.',
  operator_acted:
    'An operator did something to a user, a key, a play URL or queued spins. Each deed needs a reason.',
  debug_plays: 'Plays were forced to a result, as only a test stage should allow.',
} as const satisfies Record<string, string>;
export type NoticeCode = keyof typeof noticeMeanings;

/** Where something was found; `line` counts from 1, the first line of a file of records included. */
export type Where = {
  organization_id?: string;
  day?: string;
  file?: string;
  record?: string;
  line?: number;
};
/** One thing that was found. */
export type Finding = Where & { sentence: string };

/** How many findings of a code there are, and the first of them. */
export type Tally = { count: number; first: Finding[] };
export type Tallies<C extends string> = Map<C, Tally>;

/** So many findings of one code are listed; all are counted. */
export const mostListed = 20;

/** Counts a finding, and lists it if it is among the first of its code. */
export function tally<C extends string>(tallies: Tallies<C>, code: C, finding: Finding): void {
  const known = tallies.get(code);
  if (!known) tallies.set(code, { count: 1, first: [finding] });
  else if (known.count++ < mostListed) known.first.push(finding);
}

/** Adds what several checks found in parts of one file, in the order of its lines, to what was found before. */
export function addTallies<C extends string>(to: Tallies<C>, parts: Tallies<C>[]): void {
  for (const code of new Set(parts.flatMap((part) => [...part.keys()]))) {
    const found = parts.map((part) => part.get(code)).filter((one) => one !== undefined);
    const known = to.get(code) ?? { count: 0, first: [] };
    const first = found.flatMap(({ first }) => first).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    known.count += found.reduce((sum, { count }) => sum + count, 0);
    known.first = [...known.first, ...first].slice(0, mostListed);
    to.set(code, known);
  }
}

/** What a check has to say of what it looks at. */
export type Report = {
  finding: (code: Code, sentence: string) => void;
  notice: (code: NoticeCode, sentence: string) => void;
};
