import type { DrawingVerdict } from '../../shared/books/check/drawings.ts';
import { html, type Markup, tableOf } from './markup.ts';

export function drawingSection({ id, terms, state, list, drawn, ...verdict }: DrawingVerdict): Markup {
  if (!terms) return html`<h3>${id}</h3><p>The given books have none of its actions.</p>`;
  const { prize, type, closes, draws_at, round, is_test } = terms;
  const { firstDay, isComplete, timestampedAt } = verdict;
  const winners = drawn.map(({ place, user_id, forfeited }, i) => [
    i + 1,
    place,
    user_id,
    forfeited ?? 'won',
  ]);
  return html`<h3>${is_test ? 'Test drawing' : 'Drawing'} of ${prize.en}</h3>
<p>${id}, of all ${type} entries held at the end of ${closes}; ${state.replace('_', ' ')}. The winners follow from round
${round} of the public beacon drand, announced for ${draws_at}.</p>
${
  list &&
  html`<p>The list has ${list.entrants} users with ${list.total_entries} entries, and the root
<code>${list.root}</code>. ${timestampedAt ? `An authority saw it at ${timestampedAt}.` : 'No timestamp of it was given.'}</p>
<p>The books begin on ${firstDay}. ${
    isComplete
      ? 'They show that nobody with entries was left out.'
      : 'Whether somebody was left out needs the books since the drawing before it, or since the first day.'
  }</p>`
}
${winners.length > 0 ? tableOf(['Draw', 'Place', 'User', 'Result'], winners) : undefined}
<p>Not proven: whether a forfeit was just, and that nobody was credited entries who had not earned them.</p>`;
}
