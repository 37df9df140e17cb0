/** What was drawn, against the odds that were shown, for a reader who is no statistician. */
import type { ChiSquare } from '../../shared/books/check/chi-square.ts';
import type { PlayType } from '../../shared/vocabulary.ts';
import { html, type Markup, tableOf } from './markup.ts';
import type { DrawsVerdict } from './verdict.ts';

/** The part of the page on the draws from a set of prizes. */
export function drawsPart({ table, whole, prizes, draws, fit, equality }: DrawsVerdict): Markup {
  const rows = prizes.map((prize) => [
    prize.label,
    percent(prize.share),
    ...countOf(prize.regular, draws.regular),
    ...countOf(prize.amoe, draws.amoe),
  ]);
  return html`<h3>${table}, ${whole ? 'all of its prizes' : `the ${prizes.length} prizes that were left`}</h3>
${tableOf(['Prize', 'Odds shown', 'Plays', 'of all', 'Free spins', 'of all'], rows)}
<p>Plays: ${fitWords(draws.regular, fit.regular)}</p>
<p>Free spins: ${fitWords(draws.amoe, fit.amoe)}</p>
<p>Both side by side: ${equalityWords(draws, equality)}</p>`;
}

const percent = (share: number) => `${(100 * share).toFixed(3)} %`;
const countOf = (count: number, of: number) => [count, of === 0 ? '–' : percent(count / of)];

// Below the first a reader should look, below the second chance is no explanation.
const [unusual, impossible] = [0.01, 1e-6];

function fitWords(draws: number, fit: ChiSquare | undefined): string {
  if (draws === 0) return 'there were none.';
  if (!fit) return `${draws} draws are too few to compare them with the odds shown.`;
  if (fit.probability < impossible) return `they do not come up by the odds shown. ${howOften(fit)}`;
  return fit.probability < unusual
    ? `they are further from the odds shown than usual. ${howOften(fit)}`
    : `they fit the odds shown. ${howOften(fit)}`;
}

function equalityWords(draws: { [type in PlayType]: number }, equality: ChiSquare | undefined): string {
  if (draws.regular === 0 || draws.amoe === 0) return 'there is only one of them.';
  if (!equality) return 'there are too few draws to compare them.';
  if (equality.probability < impossible) return `they do not have the same chances. ${howOften(equality)}`;
  return equality.probability < unusual
    ? `they differ more than usual. ${howOften(equality)}`
    : `no difference in their chances can be seen. ${howOften(equality)}`;
}

/** How often chance alone differs so much. */
function howOften({ probability, statistic, freedom }: ChiSquare): string {
  const test = `(chi-square ${statistic.toFixed(1)}, ${freedom} degrees of freedom)`;
  const cases =
    probability >= 0.01
      ? `in ${Math.round(100 * probability)} of 100 cases`
      : `in one of ${probability < 1e-12 ? 'a million million' : Math.round(1 / probability).toLocaleString('en')} cases`;
  return `Chance alone makes such a difference, or a larger one, ${cases} ${test}.`;
}
