import type { DrawsVerdict, PrizeVerdict } from '../../shared/books/check/verdict.ts';
import { html, type Markup, tableOf } from './markup.ts';

export function drawsSection({ table, whole, prizes, draws }: DrawsVerdict): Markup {
  const rows = prizes.map((prize) => [
    prize.label,
    paysInWords(prize),
    percent(prize.share),
    ...countOf(prize.regular, draws.regular),
    ...countOf(prize.amoe, draws.amoe),
  ]);
  return html`<h3>${table}, ${whole ? 'all prizes' : `the ${prizes.length} prizes still available`}</h3>
${tableOf(['Prize', 'Pays', 'Published odds', 'Plays', 'Share', 'Free spins', 'Share'], rows)}`;
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
