/** Checks that a drawing's list follows from the records, and its winners from list and announced round. */

import { randomnessOf } from '../../drand/drand.ts';
import { drawUsers, type Entrant, summarizeEntrants } from '../../drawings/list.ts';
import {
  beaconOf,
  type DrawingTerms,
  drawableAt,
  drawnPrizeIdOf,
  faultInTerms,
  roundOf,
} from '../../drawings/terms.ts';
import { canonicalJson } from '../../ids.ts';
import { addDays, dayOf, isoOf, maxClockSkewMs } from '../../time.ts';
import { bookClosableAt } from '../book.ts';
import type { ActionLeaf, ClaimLeaf, PostingLeaf } from '../leaves.ts';
import type { DrawingFile } from './files.ts';
import type { ReportFinding } from './findings.ts';
import { readTimestamp } from './genuine.ts';
import type { BookDay, DrawingInBooks, DrawingStepLeaf, History, UserState } from './state.ts';

function stateOf({ drawings, firstDay }: History, id: string): DrawingInBooks {
  const flags = { isSettled: false, isWhole: false, isComplete: false, compared: 0 };
  const fresh = {
    id,
    ...flags,
    state: 'announced' as const,
    list: new Map(),
    firstDay,
    lastDay: '',
    steps: [],
    drawn: [],
    claims: [],
  };
  const drawing = drawings.get(id) ?? fresh;
  drawings.set(id, drawing);
  return drawing;
}

/** Checks a posting of a drawing, and notes users who have no entries left. `user` is the state before the posting. */
export function checkDrawingEntries(
  { history }: BookDay,
  user: UserState,
  leaf: PostingLeaf,
  at: number,
  report: ReportFinding,
): void {
  if (leaf.kind !== 'entries') return;
  const { user_id, amount, balance_after, drawing_id, entry_type } = leaf;
  const before = balance_after - amount;
  for (const { terms, due } of history.drawings.values()) {
    if (terms?.type !== entry_type || !due) continue;
    // If the user's earlier books were not given, this posting shows the balance of midnight.
    if (user.balances[entry_type] === undefined && before > 0) due.set(user_id, { entries: before });
    const entrant = due.get(user_id);
    if (entrant && balance_after === 0) entrant.isSpent = true;
  }
  if (drawing_id === undefined) return;
  const drawing = stateOf(history, drawing_id);
  const { list, due, terms, closed } = drawing;
  const used = list.get(user_id);
  if (terms && terms.type !== entry_type)
    report('entrant_differs', `The drawing is of ${terms.type} entries, not of ${entry_type} entries.`);
  if (amount > 0) {
    if (drawing.state !== 'called_off' || (used ?? amount) !== amount)
      report('entrant_differs', `The drawing gave back ${amount} entries that it had not used up.`);
    list.delete(user_id);
    return;
  }
  if (closed && at > closed.at + maxClockSkewMs)
    report('list_differs', `The drawing used up entries after its list was made, at ${isoOf(closed.at)}.`);
  // The balance of midnight is unknown if the announcement is in a book that was not given.
  const atMidnight = due || drawing.announcedAt ? (due?.get(user_id)?.entries ?? 0) : -amount;
  const expected = used !== undefined ? 0 : terms?.is_test ? before : Math.min(atMidnight, before);
  if (-amount !== expected)
    report('entrant_differs', `The drawing used up ${-amount} entries; ${expected} of the user counted.`);
  list.set(user_id, -amount);
}

export function checkDrawingAction(day: BookDay, leaf: ActionLeaf, at: number, report: ReportFinding): void {
  const { action, about } = leaf;
  const { history } = day;
  if (action === 'user_erased') {
    history.erased.add(about!.user_id!);
    for (const { due } of history.drawings.values()) due?.delete(about!.user_id!);
  }
  const terms = about?.drawing as DrawingTerms | undefined;
  if (!terms) return;
  const drawing = stateOf(history, terms.drawing_id);
  checkTerms(day, drawing, { action, terms, at }, report);
  if (action === 'drawing_announced') drawing.announcedAt = isoOf(at);
  if (action === 'drawing_called_off') {
    drawing.state = 'called_off';
    drawing.calledOff = leaf.why ?? '';
  }
  if (action === 'drawing_returned' && drawing.announcedAt) drawing.returned = { at, report };
  if (action === 'drawing_closed') {
    if (drawing.state !== 'announced')
      report('list_differs', 'The drawing was closed twice, or after it was called off.');
    drawing.state = 'closed';
    drawing.closed ??= { at, day: day.day, summary: about!.list!, report };
  }
  if (action === 'drawing_won' || action === 'drawing_forfeited') drawing.steps.push({ leaf, report });
}

/** Keeps a step of a drawing's prize for `finishDrawingCheck`. Steps of games' prizes are only the host's word. */
export function keepDrawingClaim(history: History, leaf: ClaimLeaf, report: ReportFinding): void {
  const id = leaf.prize_id.split(':')[0]!;
  if (id === leaf.prize_id) return;
  const drawing = history.drawings.get(id);
  if (drawing) drawing.claims.push({ leaf, report });
  else if (history.isWhole) report('winner_differs', `There was no drawing ${id}.`);
}

/** If `action` announces the drawing, checks the terms. A later action must repeat the announced terms. */
function checkTerms(
  { book, history }: BookDay,
  drawing: DrawingInBooks,
  { action, terms, at }: { action: ActionLeaf['action']; terms: DrawingTerms; at: number },
  report: ReportFinding,
): void {
  const known = drawing.terms;
  drawing.terms ??= terms;
  if (
    known ? canonicalJson(known) !== canonicalJson(terms) : history.isWhole && action !== 'drawing_announced'
  )
    report('announcement_differs', 'The drawing was not announced, or with other terms.');
  if (action !== 'drawing_announced') return;
  const fault = faultInTerms(terms, at);
  if (fault || drawing.announcedAt)
    report('announcement_differs', `${fault?.reason ?? 'The drawing was announced twice'}.`);
  if (book.header.stage === 'production' && (terms.beacon || terms.is_test))
    report(
      'announcement_differs',
      'A drawing of production uses another beacon than quicknet, or is a test.',
    );
  if (terms.round !== roundOf(terms))
    report(
      'announcement_differs',
      `The first round at ${terms.draws_at} is ${roundOf(terms)}, not ${terms.round}.`,
    );
}

/** Notes the balances at the end of a closing day, then checks lists and draws that are complete by then. */
export function settleDrawings(history: History, day: string, end: number): void {
  for (const drawing of history.drawings.values()) {
    const { terms, closed, state, returned, list } = drawing;
    drawing.lastDay = day || drawing.lastDay;
    if (terms?.closes === day && !terms.is_test && state === 'announced') {
      drawing.due = new Map();
      for (const [id, { balances }] of history.users) {
        const entries = balances[terms.type] ?? 0;
        if (entries > 0 && !history.erased.has(id)) drawing.due.set(id, { entries });
      }
    }
    // Waits, because a worker with a faster clock can have moved entries later.
    if (returned && returned.at + maxClockSkewMs < end) {
      for (const userId of list.keys())
        if (!history.erased.has(userId))
          returned.report('entrant_differs', `${userId} did not get the entries back.`);
      list.clear();
    }
    if (closed && !drawing.isSettled && closed.at + maxClockSkewMs < end) settleList(history, drawing);
    if (drawing.isSettled || !closed)
      for (const step of drawing.steps.splice(0)) checkStep(history, drawing, step);
  }
}

/** Checks the published list against the debits. */
function settleList(history: History, drawing: DrawingInBooks): void {
  const { terms, closed, due, list } = drawing as Required<DrawingInBooks>;
  const { summary, report, at } = closed;
  drawing.isSettled = true;
  // Debits begin with the announcement of a test, else on the day after the closing day.
  drawing.isWhole = terms.is_test
    ? Boolean(drawing.announcedAt)
    : history.firstDay <= addDays(terms.closes, 1);
  drawing.isComplete = Boolean(due) && (history.isWhole || history.closedTypes.has(terms.type));
  history.closedTypes.add(terms.type);
  if (!terms.is_test && at >= drawableAt(terms))
    report('list_late', `The list was made at ${isoOf(at)}; its round was public from ${terms.draws_at}.`);
  for (const [userId, { isSpent }] of due ?? [])
    if (!isSpent && !list.has(userId))
      report('entrant_differs', `${userId} has entries and is not on the list.`);
  due?.clear();
  const found = canonicalJson(summarizeEntrants(listOf(drawing)));
  if (drawing.isWhole && found !== canonicalJson(summary))
    report('list_differs', `The list is stated as ${canonicalJson(summary)}; its records give ${found}.`);
}

const listOf = ({ list }: DrawingInBooks): Entrant[] =>
  [...list]
    .map(([user_id, entries]) => ({ user_id, entries }))
    .sort((a, b) => (a.user_id < b.user_id ? -1 : 1));

/** Checks a win or a forfeit against the list and the round. */
function checkStep(history: History, drawing: DrawingInBooks, { leaf, report }: DrawingStepLeaf): void {
  const { terms, drawn, isWhole, closed } = drawing as Required<DrawingInBooks>;
  const { user_id = '', place = 0, number = 0, signature, reason } = leaf.about!;
  const winner = drawn[number - 1];
  if (leaf.action === 'drawing_forfeited' && winner) {
    if (winner.user_id !== user_id || winner.place !== place || winner.forfeited !== undefined)
      report('winner_differs', `${user_id} did not hold place ${place}.`);
    winner.forfeited = reason ?? '';
    return;
  }
  const randomness = signature && randomnessIn(drawing, signature, report);
  if (randomness && isWhole) drawing.draws ??= drawUsers(listOf(drawing), drawing.id, randomness);
  if (!closed) return;
  const held = new Set(drawn.filter(({ forfeited }) => forfeited === undefined).map((one) => one.place));
  const open = Array.from({ length: terms.winners }, (_, index) => index + 1).find((one) => !held.has(one));
  if (number !== drawn.length + 1 || place !== open)
    report(
      'winner_differs',
      `Draw ${number} is for place ${place}; place ${open} was open for the next draw.`,
    );
  if (signature === undefined && isWhole && !history.erased.has(user_id))
    report('winner_differs', `${user_id} forfeited without having won, and was not erased.`);
  drawn.push({ place, user_id, ...(reason !== undefined && { forfeited: reason }) });
  // A forfeit before the first win waits for the win's signature, from which the draws follow.
  for (const one of drawing.draws ? drawn.slice(drawing.compared) : []) {
    const expected = drawing.draws!.next().value?.user_id;
    drawing.compared++;
    if (expected !== one.user_id)
      report('winner_differs', `Draw ${drawing.compared} gives ${expected ?? 'nobody'}, not ${one.user_id}.`);
  }
}

/** Reports a signature that is not the announced round's, and returns undefined then. */
function randomnessIn(drawing: DrawingInBooks, signature: string, report: ReportFinding) {
  const terms = drawing.terms!;
  const randomness = randomnessOf(beaconOf(terms), terms.round, signature);
  if (randomness !== undefined) return Buffer.from(randomness, 'hex');
  report('announcement_differs', `The signature is not the one of the announced round, ${terms.round}.`);
  return undefined;
}

/** Checks the steps of prizes, and compares the list with the kept lines. The books of `keptDays` match a kept line. */
export function finishDrawingCheck(
  { id, terms, closed, announcedAt, drawn, claims }: DrawingInBooks,
  keptDays: readonly string[],
  kept: readonly string[],
  report: ReportFinding,
): void {
  for (const { leaf, report } of closed || announcedAt ? claims : []) {
    const { prize_id, user_id } = leaf;
    const won = drawn.find(({ place }, index) => drawnPrizeIdOf(id, place, index + 1) === prize_id);
    if (won?.user_id !== user_id) report('winner_differs', `${user_id} did not win ${prize_id}.`);
  }
  if (!terms || !closed) return;
  const { summary, day } = closed;
  const roots = kept.map((line) => line.split(' ')).filter(([, of]) => of === id);
  for (const [, , root] of roots)
    if (root !== summary.root)
      report('list_differs', `The kept root of ${id} is ${root}; the books have ${summary.root}.`);
  const isConfirmed = keptDays.some((kept) => kept >= day && bookClosableAt(kept) <= drawableAt(terms));
  if (!terms.is_test && roots.length === 0 && !isConfirmed)
    report('list_unconfirmed', `Nothing was kept of the list of ${id} from before ${terms.draws_at}.`);
}

/** Checks the public file of a drawing against the books, and the timestamp in it. */
export function checkDrawingFile(
  drawing: DrawingInBooks | undefined,
  file: DrawingFile,
  trusted: readonly string[] | undefined,
  report: ReportFinding,
): void {
  const { list, timestamp } = file;
  const terms = file.terms as DrawingTerms;
  if (!drawing?.closed) {
    report('file_missing', `The books of the closing of ${terms.drawing_id} were not given.`);
    return;
  }
  if (canonicalJson(drawing.terms) !== canonicalJson(terms))
    report('announcement_differs', 'The file has other terms than the books.');
  const [stated, found] = [list, drawing.closed.summary].map(canonicalJson);
  if (stated !== found) report('list_differs', `The file has the list ${stated}; the books have ${found}.`);
  checkDrawnInFile(drawing, file, report);
  if (!timestamp) return;
  const named = { name: `the list of ${terms.drawing_id}`, digest: Buffer.from(list.root, 'hex') };
  const read = readTimestamp(timestamp, named, trusted, report);
  if (!read) return;
  drawing.timestampedAt = read.verdict.at;
  if (!terms.is_test && read.at >= drawableAt(terms))
    report('list_late', `The list was timestamped at ${read.verdict.at}, after its round was public.`);
}

/** The file can be older than the books, which then have later draws and forfeits, or newer. */
function checkDrawnInFile(drawing: DrawingInBooks, file: DrawingFile, report: ReportFinding): void {
  const { id, isWhole, lastDay } = drawing;
  const { drawn, signature } = file;
  if (drawn.length === 0 && signature === undefined) return;
  const randomness = randomnessIn(drawing, signature ?? '', report);
  const draws = randomness && isWhole ? drawUsers(listOf(drawing), id, randomness) : undefined;
  // The books have a step up to a minute later than the file if clocks differ.
  const areIn = (at: string) => dayOf(Date.parse(at) + maxClockSkewMs) <= lastDay;
  for (const [index, { place, user_id, won_at, forfeited, forfeited_at }] of drawn.entries()) {
    const known = drawing.drawn[index];
    const expected = draws?.next().value?.user_id;
    const isDrawn = known
      ? known.user_id === user_id && known.place === place
      : !areIn(won_at) && (!draws || expected === user_id);
    const isHeld = forfeited === undefined && !drawn.slice(index + 1).some((one) => one.place === place);
    const isLater = known?.forfeited === undefined && forfeited_at !== undefined && !areIn(forfeited_at);
    if (!isDrawn || !(isHeld || isLater || known?.forfeited === forfeited))
      report(
        'winner_differs',
        `In the file, draw ${index + 1} gives place ${place} to ${user_id}${forfeited === undefined ? '' : `, who forfeited (${forfeited})`}; the books and the round do not.`,
      );
  }
}

export type DrawingVerdict = ReturnType<typeof drawingVerdictOf>;

export const drawingVerdictOf = (drawing: DrawingInBooks) => {
  const { id, terms, announcedAt, calledOff, closed, claims } = drawing;
  const { firstDay, lastDay, isComplete, timestampedAt } = drawing;
  const drawn = drawing.drawn.map((one, index) => {
    const prizeId = drawnPrizeIdOf(id, one.place, index + 1);
    const claim = claims.findLast(({ leaf }) => leaf.prize_id === prizeId)?.leaf;
    return { ...one, claim: claim && { state: claim.state, delivered_on: claim.delivered_on } };
  });
  const list = closed && { ...closed.summary, closed_at: isoOf(closed.at) };
  const books = { firstDay, lastDay, isComplete };
  return { id, terms, announcedAt, calledOff, list, drawn, timestampedAt, books };
};
