/** The codes of a check's findings and notices. Codes are part of the output format and never change. */

/** Explains each finding to readers of the check's result. */
export const meanings = {
  unreadable_file: 'A file could not be read. Its contents were not checked.',
  cut_off: 'A file ends in the middle: it is incomplete or was shortened.',
  not_a_book:
    'A file is not what its name says, a book or the records of a book. Its contents were not checked.',
  newer_format: 'A file has a newer format. Check it with a newer version of this program.',
  records_missing: 'A book was given without its records, so its day could not be checked.',
  book_missing:
    'Records or a kept line were given without the book of their day, so nothing proves that they are genuine.',
  files_do_not_match:
    'The files of a book and its records belong to different organizations or days, or a day has two files of records.',
  forked: 'Two different books exist for one day. An honest operator signs only one.',
  too_large: 'A file, or a line in it, is larger than the format allows. It was not checked.',

  signature_invalid: 'A book is not signed with the expected key. Somebody else made it, or it was changed.',
  key_differs: 'The records name a different key than the expected one or than the other books.',
  not_the_kept_book: 'A book does not match its kept line: the book was replaced afterwards.',
  book_chain_broken: 'A book does not follow from the book of the day before: one of the two was replaced.',
  day_missing:
    'The book of a day between the first and the last book was not given. That day was not checked.',
  sums_differ: 'A book states totals that its records do not add up to.',
  counts_differ: 'A book states numbers of records that differ from the records it has.',
  fingerprint_missing:
    'A book does not publish the fingerprint of a later day’s secret, so that secret could be chosen afterwards.',
  settings_differ:
    'The settings in a book do not follow from the earlier settings and the recorded changes: a change was not recorded, or was altered.',

  scheduled_change_differs:
    'A change that an operator scheduled was made too early, differently than scheduled, or not at all.',

  timestamp_invalid:
    'The timestamp of a book or checkpoint does not prove anything: it is of another text, or no authority for timestamps signed it.',
  timestamp_untrusted:
    'The timestamp of a book or checkpoint is by an authority other than the ones that you trust.',
  timestamp_early:
    'The timestamp of a book or checkpoint is from before it could be made: it was made too early, for example to choose among many.',
  timestamps_out_of_order:
    'The timestamp of a book is later than the one of a later book: the earlier book was replaced afterwards.',

  root_differs:
    'The records are not the ones that the book was signed for: at least one was changed, added or removed.',
  record_count_differs: 'The number of records differs from the number that the book was signed for.',
  records_out_of_order: 'Records are not in the order of their times, or one appears twice.',
  record_of_another_day: 'A record belongs to a different day than its book.',
  record_of_another_organization: 'A record belongs to a different organization than its book.',
  not_a_record: 'A line is not a valid record. The service did not write it in this form.',
  unused_data: 'A book or its records contain data that no record refers to.',

  record_altered: 'A record was changed after it was written: its hash does not match its content.',
  record_missing: 'Records of a user, or of operators’ changes, were removed.',
  record_forked: 'Two records claim the same place in a history: one was inserted or replaced.',
  balance_differs: 'A balance does not equal the balance before it plus the credit or minus the debit.',
  numbering_differs: 'Records of one kind are not numbered consecutively: one was removed or inserted.',
  opened_twice: 'An organization was opened a second time, so that its earlier history could be ignored.',
  opening_missing:
    'The first book of an organization lacks the record that opened the organization: an earlier part of the history may be missing.',

  secret_not_as_published:
    'The secret of a day does not match its published fingerprint: the secret was replaced, and draws could be chosen.',
  secret_missing: 'The secret that a draw depends on is not revealed, so the draw could not be repeated.',
  secret_of_another_day: 'A draw used the secret of a wrong day.',
  client_seed_differs:
    'A free spin was drawn with a second input (client seed) that does not follow from its order: the draw could be chosen.',
  last_hash_differs:
    'An order of free spins does not state the hash of the user’s previous record, so its draws could be chosen.',
  prize_not_drawn: 'The recorded prize is not the prize that the seeds of the draw give.',
  prize_not_as_in_table: 'A recorded prize differs from the prize in its prize table.',
  limits_differ:
    'The limits recorded for a draw do not fit its prize table: prizes were wrongly included or excluded.',
  game_status_differs: 'The recorded status of a game does not fit its prize.',

  table_altered: 'A prize table was changed: its prizes do not match its version.',
  table_missing: 'The prize table of a draw was not given, so the draw could not be repeated.',
  table_not_in_force: 'A draw used a prize table that was not in force.',
  cost_not_in_force: 'A play cost a different amount than the cost in force.',
  limit_not_in_force: 'A draw used a cash limit or a win limit that was not in force.',

  budget_chain_broken:
    'The wins counted in the day’s cash or in a stock do not form a chain: a win is missing, or two wins claim the same place.',
  budget_view_differs:
    'A draw assumed that more or less had been won from the day’s cash, a stock or a user’s wins than the earlier wins show. Prizes may have been wrongly included or excluded.',
  budget_view_from_the_future:
    'A draw counted wins from the day’s cash or a stock that happened only after the draw.',
  budget_view_stale: 'A draw ignored a win from the day’s cash or a stock that was more than a minute old.',
  budget_exceeded: 'More was won than the day’s cash, a stock or a user’s win limit allowed.',
  budget_of_another_day: 'A draw was counted against the budgets of a wrong day.',

  record_on_hold:
    'A play, an order, a free spin or a host’s change was accepted although the organization was suspended, the game was paused, or the user was frozen or erased.',
  record_not_by_rules: 'A record differs from the one that the rules of the service give.',

  cost_not_taken: 'The cost of a play was not debited as recorded.',
  prize_not_credited: 'A prize was not credited as recorded.',
  adjustment_unrecorded: 'A balance was adjusted, but no matching record names the operator who did it.',
  adjustment_missing: 'A record says that an operator adjusted a balance, but no such transaction exists.',
  credited_without_outcome: 'A cost or prize was booked without the outcome that it claims to belong to.',

  spin_without_order: 'A free spin was drawn that nobody had ordered.',
  spin_twice: 'A free spin of an order was drawn more than once, so its prize could be chosen.',
  spin_missing: 'A free spin of an order was skipped.',
  spin_early: 'A free spin was drawn before it was due, or before its public randomness existed.',
  effective_date_differs:
    'The effective date of an outcome or an adjustment is neither that of its order nor the day of the play.',
  spins_overdue:
    'Free spins did not run within a day of the midnight at which they were due, and no recorded hold explains the delay. Their draws could be known by then, and repeated until they pleased.',
  cancelled_spin_drawn: 'A free spin was drawn although an operator had cancelled it.',
  cancelled_spins_differ:
    'The free spins that an operator cancelled or restored do not match the spins that could be cancelled or restored.',
  cancelled_when_due:
    'Free spins were cancelled when they were due, although their results could already be known.',
  spin_of_another_user: 'A free spin was drawn for a different user than the user of its order.',
  more_spins_than_ordered: 'More free spins were drawn than were ordered.',
  due_day_differs:
    'Free spins were due on a day for which their draws could be foreseen when they were ordered.',
  debug_play_in_production:
    'A play was forced to a result on a stage that does not allow this: somebody chose what was won.',
  play_twice: 'A play was drawn more than once, so its prize could be chosen.',
  plays_over_limit: 'A user played more often in a day than the limit allowed.',

  checkpoint_invalid:
    'A checkpoint of free spins’ orders is not one: it or its list of orders is not signed by the operator, or it belongs to another day.',
  checkpoint_differs:
    'A checkpoint does not have the orders that were due: an order was added, changed, cancelled, moved or removed afterwards, or the checkpoint was replaced.',
  checkpoint_late:
    'A checkpoint of orders was made when the draws of its orders could already be known, so orders could be chosen.',
  order_not_closed:
    'A free spin was drawn whose order is in no checkpoint: its draw could already be known when it was ordered.',

  beacon_differs:
    'The source of public randomness is described differently than in the book or in other books.',
  beacon_signature_invalid:
    'Public randomness is missing or is not signed by its source: the values may be made up.',
  beacon_round_wrong: 'A free spin used a different round of public randomness than promised.',
  beacon_not_mixed_in:
    'A free spin was drawn without the public randomness that was promised for it: the operator could foresee the draw.',
  beacon_not_promised: 'A free spin or its order used public randomness that had not been promised.',
} as const satisfies Record<string, string>;
export type Code = keyof typeof meanings;

/** Explains each notice to readers. A notice is a limitation or a fact worth knowing, not a fault in the books. */
export const noticeMeanings = {
  other_days: 'Only the days of the given books are covered.',
  earlier_books:
    'The books before the first given book were not checked. Statements about earlier days are taken as they are.',
  key_unconfirmed: 'The key was taken from the files. Compare it with the key that the operator published.',
  signature_unchecked:
    'The signature of a book was not checked, because no key was given, neither in its records nor by you.',
  timestamp_missing:
    'No independent authority has confirmed when a book or a checkpoint of orders existed. It could have been made or replaced later, and so could the secret of the day after next, whose fingerprint is in the book.',
  timestamp_late:
    'An independent authority confirmed a book more than 12 hours after it could be closed. Until then, the day could have been rewritten, and the secret of the day after next replaced, whose fingerprint is in the book. If that day had begun, its queued spins could be chosen.',
  orders_closed_late:
    'Orders of free spins were closed later than at midnight, and drawn accordingly later. Ask for the reason, above all if it happens often: a draw that did not please could have been repeated.',
  spins_run_late:
    'Free spins ran more than two hours after their draws could be known. Ask for the reason: a time can be chosen at which the day’s cash or a stock suits the draw.',
  orders_unknown: 'The orders of a checkpoint are in an earlier book that was not given.',
  authority_unconfirmed:
    'The authority of timestamps was taken from the files. Compare its certificate with the one that it publishes.',
  no_kept_line: 'No kept line was given. The check cannot tell whether all books were replaced together.',
  fingerprint_unknown: 'The fingerprint of a day’s secret is in an earlier book that was not given.',
  fingerprint_with_secret:
    'The fingerprint of a day’s secret was signed only after the day had begun. This is normal for the first two days of an organization, which have no earlier book. Whoever made the secret could choose that day’s queued spins.',
  history_begins_earlier:
    'A history begins before the first given book, so the hash of its first known record was not checked.',
  order_not_given:
    'The order of a free spin is in an earlier book that was not given. Check its draw with that book: without it, the order can be made up.',
  adjustment_open:
    'A balance adjustment and the record of its operator are on different days, and the book of one day was not given.',
  orders_open: 'Free spins that were due had not run by the end of the last book.',
  beacon_out:
    'Free spins ran without public randomness, because its source was unavailable for at least an hour.',
  no_beacon:
    'Free spins were queued without a promise of public randomness, so the operator could foresee their draws.',
  beacon_not_quicknet:
    'The public randomness is not from drand’s quicknet network. Who runs its source was not checked.',
  settings_unknown:
    'A setting is from a time before the first book or after the last one, so it could not be checked.',
  counted_on_another_day:
    'A draw or an order counted on another day than its own. A draw by a slow clock does so in the first minute of a day; ask for the reason if it happens often: what the day before had left could be won with it. An order does so if its host chose another date.',
  budget_unknown: 'The state of the day’s cash or of a stock depends on a book that was not given.',
  scheduled_change_late:
    'A change that an operator scheduled was made or withdrawn more than an hour after its time. Ask for the reason.',
  settings_changed:
    'An operator changed settings. Ask for the reason, above all if a change was made between midnight and the free spins due that day.',
  operator_acted:
    'An operator did something other than change settings, such as adjust a balance. Ask for the reason for each action.',
  page_changed: 'The host or an operator changed the play page, such as its colors or its links to rules.',
  debug_plays: 'Plays were forced to a result. Only test environments should allow this.',
} as const satisfies Record<string, string>;
export type NoticeCode = keyof typeof noticeMeanings;

/** The place of a finding or notice. `line` counts from 1. Line 1 of a records file is `RecordsHead`. */
export type Where = {
  organization_id?: string;
  day?: string;
  file?: string;
  record?: string;
  line?: number;
};
/** A single finding or notice: its place, and a sentence about this case. */
export type Finding = Where & { sentence: string };

/** The number of findings with one code, and these findings in full, up to the number that `listedOf` gives. */
export type Tally = { count: number; first: Finding[] };
export type Tallies<C extends string> = Map<C, Tally>;

const maxListed = 20;
// Readers must ask for the reason of each of these actions, so none may be hidden behind others.
const listedInFull: readonly string[] = ['settings_changed', 'operator_acted'] satisfies NoticeCode[];
// Thousands of records can have one of these notices for the same reason, so each sentence about a day is listed once,
// and no reason is hidden behind others.
const listedOnce: readonly string[] = [
  'timestamp_missing',
  'timestamp_late',
  'authority_unconfirmed',
  'orders_closed_late',
  'spins_run_late',
  'beacon_out',
  'no_beacon',
  'scheduled_change_late',
  'counted_on_another_day',
] satisfies NoticeCode[];
/** Returns whether notices with a code are listed once for each sentence about a day. */
export const isListedOnce = (code: string): boolean => listedOnce.includes(code);
/** Returns how many findings or notices with a code are listed. Further ones are only counted. */
export const listedOf = (code: string): number =>
  listedInFull.includes(code) || isListedOnce(code) ? Number.POSITIVE_INFINITY : maxListed;

// The sentences in each list, because searching a list for each of a million records would take hours.
const sentencesIn = new WeakMap<Finding[], Set<string>>();

/** Returns whether a list lacks a finding's sentence about its day, and remembers the sentence. */
function isNew(first: Finding[], { organization_id, day, sentence }: Finding): boolean {
  const known = sentencesIn.get(first) ?? new Set();
  sentencesIn.set(first, known);
  const before = known.size;
  return known.add(`${organization_id} ${day} ${sentence}`).size > before;
}

/**
 * Lists a finding, unless enough with its code are listed (`listedOf`). If `isListedOnce`, also leaves out a sentence
 * about a day that the list already has.
 */
function list(first: Finding[], code: string, finding: Finding): void {
  if (first.length >= listedOf(code)) return;
  if (isListedOnce(code) && !isNew(first, finding)) return;
  first.push(finding);
}

/** Counts a finding, and lists it as far as `listedOf` allows. */
export function tally<C extends string>(tallies: Tallies<C>, code: C, finding: Finding): void {
  const known = tallies.get(code) ?? { count: 0, first: [] };
  known.count++;
  list(known.first, code, finding);
  tallies.set(code, known);
}

/** Adds the tallies in `parts`, which come from parallel checks of the same file. Sorts the added findings by line. */
export function addTallies<C extends string>(to: Tallies<C>, parts: Tallies<C>[]): void {
  for (const code of new Set(parts.flatMap((part) => [...part.keys()]))) {
    const found = parts.map((part) => part.get(code)).filter((one) => one !== undefined);
    const known = to.get(code) ?? { count: 0, first: [] };
    const first = found.flatMap(({ first }) => first).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
    known.count += found.reduce((sum, { count }) => sum + count, 0);
    for (const finding of first) list(known.first, code, finding);
    to.set(code, known);
  }
}

/** Reports findings and notices about the record or book being checked. */
export type Report = {
  finding: (code: Code, sentence: string) => void;
  notice: (code: NoticeCode, sentence: string) => void;
};
