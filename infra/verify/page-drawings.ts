import type { DrawingVerdict } from '../../shared/books/check/drawings.ts';
import { html, type Markup, tableOf } from './markup.ts';

export function drawingSection(drawing: DrawingVerdict): Markup {
  const { id, terms, announcedAt, calledOff, list, drawn, timestampedAt, books } = drawing;
  if (!terms) return html`<h3>${id}</h3><p>${drawingInWords(drawing)}</p>`;
  const { prize, type, closes, draws_at, round, is_test, winners, value_usd, claim_days, beacon } = terms;
  const rows = drawn.map((one, i) => [i + 1, one.place, one.user_id, prizeInWords(one)]);
  return html`<h3>${is_test ? 'Test drawing' : 'Drawing'} of ${prize.en}</h3>
<p><b>${drawingInWords(drawing)}</b></p>
<p>${id}: ${winners === 1 ? 'one prize' : `${winners} prizes, each`} worth ${value_usd.toLocaleString('en')} USD, to be
claimed within ${claim_days} days. ${announcedAt ? `It was announced at ${announcedAt}.` : 'The given books do not have its announcement.'}
It is of all ${type} entries that users had ${is_test ? 'when the test used them up' : `at the midnight in New York that ends ${closes}, without those taken from them before the list was made`}.
${calledOff === undefined ? `By its announcement, the winners follow from round ${round} of ${beacon ? 'a beacon for tests' : 'the public beacon drand'}, of ${draws_at}.` : ''}</p>
${
  list &&
  html`<p>The list, made at ${list.closed_at}, has ${list.entrants} users with ${list.total_entries} entries, and the root
<code>${list.root}</code>. ${timestampedAt ? `An authority saw it at ${timestampedAt}.` : 'No timestamp of it was given.'}</p>
<p>The books are of ${books.firstDay} to ${books.lastDay}. ${completeness(drawing)}</p>`
}
${rows.length > 0 ? tableOf(['Draw', 'Place', 'User', 'Prize'], rows) : undefined}`;
}

/** Returns the drawing's result in a sentence. */
export function drawingInWords({ terms, calledOff, list, drawn, books }: DrawingVerdict): string {
  const until = `in the given books, which end on ${books.lastDay}`;
  if (!terms) return `No action on it is ${until}.`;
  if (calledOff !== undefined) return `It was called off, so nobody wins: ${calledOff}`;
  if (!list) return `Its list is not ${until}.`;
  if (list.entrants === 0) return 'Nobody had entries, so nobody wins.';
  if (drawn.length === 0) return `Its draw is not ${until}.`;
  const held = drawn.filter(({ forfeited }) => forfeited === undefined);
  if (!held[0]) return 'Whoever was drawn has forfeited.';
  const of = terms.winners === 1 ? '' : ` (${held.length} of ${terms.winners} prizes won)`;
  return `Won by ${held[0].user_id}${of}.`;
}

function prizeInWords({ forfeited, claim }: DrawingVerdict['drawn'][number]): string {
  if (forfeited !== undefined) return `forfeited: ${forfeited}`;
  if (claim?.delivered_on) return `recorded as delivered on ${claim.delivered_on}`;
  return claim ? `recorded as ${claim.state}` : 'no delivery recorded';
}

function completeness({ terms, books }: DrawingVerdict): string {
  if (terms?.is_test) return 'Whether a test left somebody out is not checked.';
  return books.isComplete
    ? 'They show whether somebody with entries was left out: a finding names each such user.'
    : 'Whether somebody was left out needs the books since the drawing before it, or since the first day.';
}
