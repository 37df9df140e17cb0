/** Compares draws with the published odds, in words for readers who are not statisticians. */

import type { DrawsVerdict, PrizeVerdict } from '../../shared/books/check/verdict.ts';
import type { ChiSquare } from '../../shared/chi-square.ts';
import type { PlayType } from '../../shared/vocabulary.ts';
import { html, type Markup, tableOf } from './markup.ts';

export function drawsPart({ table, whole, prizes, draws, fit, equality }: DrawsVerdict): Markup {
  const rows = prizes.map((prize) => [
    prize.label,
    paysInWords(prize),
    percent(prize.share),
    ...countOf(prize.regular, draws.regular),
    ...countOf(prize.amoe, draws.amoe),
  ]);
  return html`<h3>${table}, ${whole ? 'all prizes' : `the ${prizes.length} prizes still available`}</h3>
${tableOf(['Prize', 'Pays', 'Published odds', 'Plays', 'Share', 'Free spins', 'Share'], rows)}
<p>Plays: ${fitWords(draws.regular, fit.regular)}</p>
<p>Free spins: ${fitWords(draws.amoe, fit.amoe)}</p>
<p>Plays compared with free spins: ${equalityWords(draws, equality)}</p>`;
}

function paysInWords({ pays }: PrizeVerdict): string {
  if (!pays) return '–';
  const { kind, amount, value_usd: value, stock, stock_per_day: daily } = pays;
  return [
    `${amount} ${kind}`,
    value === undefined ? '' : `worth ${value} USD`,
    stock === undefined ? '' : `${stock} in stock`,
    daily === undefined ? '' : `${daily} a day`,
  ]
    .filter(Boolean)
    .join(', ');
}

const percent = (share: number) => `${(100 * share).toFixed(3)}%`;
const countOf = (count: number, total: number) => [count, total === 0 ? '–' : percent(count / total)];

// Thresholds for a test's p-value. Below `unusual`, the draws need an investigation; below `impossible`, they
// cannot plausibly be random.
const [unusual, impossible] = [0.01, 1e-6];

function fitWords(draws: number, fit: ChiSquare | undefined): string {
  if (draws === 0) return 'there were none.';
  if (!fit)
    return `${draws === 1 ? '1 draw is' : `${draws} draws are`} too few for a comparison with the published odds.`;
  if (fit.probability < impossible)
    return `the draws are inconsistent with the published odds. ${probabilityText(fit)}`;
  return fit.probability < unusual
    ? `the draws deviate from the published odds more than is usual. ${probabilityText(fit)}`
    : `the draws are consistent with the published odds. ${probabilityText(fit)}`;
}

function equalityWords(draws: { [type in PlayType]: number }, equality: ChiSquare | undefined): string {
  if (draws.regular === 0 || draws.amoe === 0) return 'only one of the two was drawn.';
  if (!equality) return 'there are too few draws for a comparison.';
  if (equality.probability < impossible)
    return `they did not have the same odds. ${probabilityText(equality)}`;
  return equality.probability < unusual
    ? `they differ more than is usual. ${probabilityText(equality)}`
    : `no difference in their odds is apparent. ${probabilityText(equality)}`;
}

/** Returns a sentence that says how often chance alone causes a difference at least this large. */
function probabilityText({ probability, statistic, freedom }: ChiSquare): string {
  const test = `(chi-square ${statistic.toFixed(1)}, ${freedom} degrees of freedom)`;
  const cases =
    probability >= 0.01
      ? `in ${Math.round(100 * probability)} of 100 cases`
      : `in 1 of ${probability < 1e-12 ? 'a trillion' : Math.round(1 / probability).toLocaleString('en')} cases`;
  return `By chance alone, a difference this large or larger occurs ${cases} ${test}.`;
}
