import { type Html, html } from '../html.ts';
import { fillIn, formatDollars, formatPercent, formatRounded } from '../text.ts';
import type { Texts } from '../texts/en.ts';
import type { ListedPrize, PageView } from '../view.ts';

/** Chances below this are also shown as "1 in n". For higher ones, texts like "1 in 1.7" would confuse players. */
const rare = 0.4;

const chance = (lang: PageView['lang'], texts: Texts, prize: ListedPrize, total: number) => {
  if (!prize.available) return html`<td class="out">${texts.odds.outFor[prize.out_for ?? 'today']}</td>`;
  const share = prize.weight / total;
  const oneIn = share < rare && fillIn(texts.odds.oneIn, { n: formatRounded(lang, 1 / share) });
  return html`<td><b>${formatPercent(lang, share)}</b>${oneIn && html` <span>${oneIn}</span>`}</td>`;
};

export const oddsMarkup = ({ lang, game, prizes = [] }: PageView, texts: Texts): Html => {
  const total = prizes.reduce((sum, { available, weight }) => sum + (available ? weight : 0), 0);
  const likelyFirst = [...prizes].sort(
    (a, b) => Number(b.available) - Number(a.available) || b.weight - a.weight,
  );
  const note = texts.odds.note[game];
  const rows = likelyFirst.map(
    (prize) =>
      html`<tr${prize.available ? '' : html` class="gone"`}><th scope="row"><div class="prize"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#i-${prize.kind}"/></svg><span>${prize.label[lang]}${prize.value_usd ? html` <small>${fillIn(texts.client.worth, { usd: formatDollars(lang, prize.value_usd) })}</small>` : ''}</span></div></th>${chance(lang, texts, prize, total)}</tr>`,
  );
  return html`<details class="card odds" id="odds"><summary>${texts.odds.title}</summary><table><caption class="visually-hidden">${texts.odds.caption}</caption><thead class="visually-hidden"><tr><th scope="col">${texts.odds.prize}</th><th scope="col">${texts.odds.chance}</th></tr></thead><tbody>${rows}</tbody></table>${note !== '' && html`<p class="fine">${note}</p>`}</details>`;
};
