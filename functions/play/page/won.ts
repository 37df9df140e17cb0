import { bookLinesOf } from '../../../shared/books/book-lines.ts';
import { leftAt } from '../../../shared/games/fairness.ts';
import { eligiblePrizes } from '../../../shared/games/limits.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { rulesOf } from '../../../shared/games/rules.ts';
import type { PrizeKind } from '../../../shared/vocabulary.ts';
import { type Html, html } from './html.ts';
import { dayAndTime, dollars, fill, number, plural } from './text.ts';
import type { Texts } from './texts/en.ts';
import type { Fairness, Lang, ListedPrize, Outcome, Place } from './view.ts';

/** A prize as it is told: what it is, what it is worth in USD if that is said, and what happens next. */
export type Won = { kind: PrizeKind; amount: number; label: string; worth?: number; next: string };

/** The texts that both sides need to tell an outcome. */
export type WonTexts = Pick<Texts, 'client' | 'kinds' | 'short' | 'tickets'>;

const plainLabel = (lang: Lang, texts: WonTexts, kind: PrizeKind, amount: number) => {
  if (kind === 'tickets') return plural(lang, texts.tickets, amount);
  return fill(texts.kinds[kind], { cash: dollars(lang, amount) });
};

/** What an outcome awarded, in the words of the prize table if it is still the one on the page. */
export const wonPrize = (
  lang: Lang,
  texts: WonTexts,
  outcome: Outcome,
  listed: readonly ListedPrize[],
  fairness?: Fairness,
): Won => {
  const entries = Object.entries(outcome.prize) as [PrizeKind, number][];
  const [kind, amount] = entries.find(([, value]) => value > 0) ?? entries[0]!;
  const same = listed.filter((prize) => prize.kind === kind && prize.amount === amount);
  const prize = same.find(({ id }) => id === fairness?.prize_id) ?? same[0];
  return {
    kind,
    amount,
    label: prize?.label[lang] ?? plainLabel(lang, texts, kind, amount),
    next: prize?.details?.[lang] ?? texts.client.next,
    ...(prize?.value_usd ? { worth: prize.value_usd } : {}),
  };
};

/** How much of a prize, in a few characters; nothing for a prize that is one of its kind. */
export const amountText = (lang: Lang, { kind, amount }: Pick<Won, 'kind' | 'amount'>) => {
  if (kind === 'cash_usd') return dollars(lang, amount);
  return kind === 'tickets' ? number(lang, amount) : '';
};

/** How much is made of a prize: nothing of tickets that only pay the play back, and the most of a sum to tell friends of. */
export type Moment = 'small' | 'nice' | 'big' | 'grand';

/** The moment that fits a prize, of a play that has cost so many tickets. */
export const momentOf = ({ kind, amount }: Pick<Won, 'kind' | 'amount'>, cost: number): Moment => {
  if (kind === 'tickets') return amount > cost ? 'nice' : 'small';
  if (kind === 'cash_usd') return amount >= grandUsd ? 'grand' : 'big';
  return kind.startsWith('entry_') ? 'nice' : 'big';
};
const grandUsd = 20;

/** The words for a prize on a wedge of the wheel, where a few letters have room: its own if they are few. */
export const wedgeText = (lang: Lang, texts: WonTexts, prize: Pick<Won, 'kind' | 'amount' | 'label'>) => {
  if (prize.kind === 'cash_usd') return dollars(lang, prize.amount);
  if (prize.kind === 'tickets') return plural(lang, texts.tickets, prize.amount);
  return prize.label.length <= mostLetters ? prize.label : texts.short[prize.kind];
};
const mostLetters = 12;

/** The coin that rises from the scene: the prize's picture, and how much of it. */
export const medal = (lang: Lang, won: Won): Html => {
  const text = amountText(lang, won);
  const size = text.length > 6 ? html` class="long"` : '';
  return html`<svg viewBox="0 0 24 24"><use href="#i-${won.kind}"/></svg>${text === '' ? '' : html`<b${size}>${text}</b>`}`;
};

/** A text that names a time, which the page's script then tells in the reader's own zone. */
export const withTime = (lang: Lang, text: string, iso: string, timeZone?: string): Html => {
  const [before = '', after = ''] = text.split('{time}');
  return html`${before}<time datetime="${iso}" data-local>${dayAndTime(lang, iso, timeZone)}</time>${after}`;
};

/** What a result says: the prize, when it was won, what the play cost, and the balance after it where that is known. */
export type Told = { won: Won; playedAt: string; cost: number; balance?: number; timeZone?: string };

/** The result, ready for the page's status element. */
export const resultMarkup = (lang: Lang, texts: WonTexts, told: Told): Html => {
  const { won, playedAt, cost, balance, timeZone } = told;
  const { client, tickets } = texts;
  const moment = momentOf(won, cost);
  const paid = cost === 0 ? '' : fill(client.paid, { tickets: plural(lang, tickets, cost) });
  const now = balance === undefined ? '' : plural(lang, client.balance, balance);
  return html`<div class="result ${moment}">
<h2 id="result" tabindex="-1"><small>${client.won[moment === 'small' ? 'small' : 'other']} </small>${won.label}</h2>
${won.worth === undefined ? '' : html`<p class="worth">${fill(client.worth, { usd: dollars(lang, won.worth) })}</p>`}
<p>${won.next}</p>
${paid || now ? html`<p class="now"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#i-tickets"/></svg><span>${[paid, now].filter(Boolean).join(' ')}</span></p>` : ''}
<p class="fine">${withTime(lang, client.playedAt, playedAt, timeZone)}</p>
<p class="fine">${client.again}</p>
</div>`;
};

/** What of a page says how its prize was drawn. */
export type Drawn = {
  lang: Lang;
  commitment: string;
  prizes?: readonly ListedPrize[] | undefined;
  fairness?: Fairness | undefined;
  place?: Place | undefined;
  /** Of the outcome, by which support finds it. */
  id?: string | undefined;
  /** Of the text of the book: computed by the server in what it renders, and again by the browser in what that shows. */
  digest?: string | undefined;
};

/** Where the browser will say what its checks come to. */
export const verdictMarkup = ({ client }: Pick<Texts, 'client'>): Html =>
  html`<p id="verdict" class="verdict" hidden>${client.fair.checking}</p>`;

/** What can be checked about the draw, after the play the secrets to check it with, and later its place in the book. */
export const fairnessMarkup = ({ client }: Pick<Texts, 'client'>, drawn: Drawn): Html => {
  const { fair } = client;
  const { fairness } = drawn;
  if (!fairness) return html`<p>${fair.before}</p><dl>${codeRow(fair.commitment, drawn.commitment)}</dl>`;
  return html`${verdictMarkup({ client })}
<dl>${drawn.id === undefined ? '' : codeRow(fair.reference, drawn.id)}${codeRow(fair.commitment, fairness.commitment)}${codeRow(fair.serverSeed, fairness.server_seed)}${codeRow(fair.clientSeed, fairness.client_seed)}${codeRow(fair.table, fairness.prize_table_version)}${limitRows(fair, drawn, fairness)}${placeRows(fair, drawn)}</dl>`;
};

const row = (name: string, value: string | Html) => html`<dt>${name}</dt><dd>${value}</dd>`;
// In a browser it may be anything that was sent: no markup follows from what is no text.
const codeRow = (name: string, value: unknown) =>
  row(name, html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`);
type FairTexts = Texts['client']['fair'];

/** Which prizes were in the draw, and what was left of the day's cash. */
const limitRows = (fair: FairTexts, { lang, prizes = [] }: Drawn, fairness: Fairness) => {
  const { cash_left_usd: left, cash_limit_usd, cash_sequence: grants = 0 } = fairness;
  const { cash_paced_usd: limit = cash_limit_usd, stock_number, stock_number_of_day = 0 } = fairness;
  const inDraw = eligibleOf(prizes, fairness).filter(({ weight }) => weight > 0);
  const [n, all] = [inDraw.length, prizes.length].map((count) => number(lang, count));
  const cash =
    left !== null && limit !== undefined
      ? row(
          fair.cash,
          fill(fair.cashLeft, {
            left: dollars(lang, left),
            limit: dollars(lang, limit),
            wins: plural(lang, fair.cashWins, grants),
          }),
        )
      : '';
  const [inAll, today] = [stock_number ?? 0, stock_number_of_day].map((count) => number(lang, count));
  const stock =
    stock_number === undefined ? '' : row(fair.stock, fill(fair.stockNumber, { n: inAll!, today: today! }));
  return html`${prizes.length > 0 ? row(fair.set, fill(fair.setOf, { n: n!, all: all! })) : ''}${cash}${stock}`;
};

/** Where the book of its day has it, as the text of that says, and what people keep of that. */
const placeRows = (fair: FairTexts, { lang, place, digest }: Drawn) => {
  const book = place && bookLinesOf(place.text);
  if (!book) return '';
  const [n, size] = [place.index + 1, book.size].map((count) => number(lang, count));
  const where = fill(fair.bookPlace, { day: book.day, n: n!, size: size! });
  return html`${row(fair.book, where)}${digest === undefined ? '' : codeRow(fair.bookDigest, digest)}`;
};

/** The prizes that were in a draw, in the order of the table, with the weights that they had in it. */
export const eligibleOf = (prizes: readonly ListedPrize[], fairness: Fairness): Prize[] =>
  eligiblePrizes(rulesOf(fairness.debug).inPlay(prizes), {
    ...leftAt(fairness),
    ticketsOnly: fairness.tickets_only,
  });
