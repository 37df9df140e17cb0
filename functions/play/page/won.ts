import { parseBookLines } from '../../../shared/books/book-lines.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { prizesInDraw } from '../../../shared/games/rules.ts';
import type { PrizeKind } from '../../../shared/vocabulary.ts';
import { type Html, html } from './html.ts';
import { fillIn, formatDollars, formatNumber, formatTime, plural } from './text.ts';
import type { Texts } from './texts/en.ts';
import type { BookProof, Fairness, Lang, ListedPrize, Outcome } from './view.ts';

/** `worth` is in USD; `next` is the text that tells the player how to get the prize, `claimBy` an ISO instant. */
export type Win = {
  kind: PrizeKind;
  amount: number;
  label: string;
  worth?: number;
  next: string;
  claimBy?: string | undefined;
};

export type WinTexts = Pick<Texts, 'client' | 'kinds' | 'short' | 'tickets'>;

const plainLabel = (lang: Lang, texts: WinTexts, kind: PrizeKind, amount: number) => {
  if (kind === 'tickets') return plural(lang, texts.tickets, amount);
  return fillIn(texts.kinds[kind], { cash: formatDollars(lang, amount) });
};

export const winOf = (
  lang: Lang,
  texts: WinTexts,
  outcome: Outcome,
  listed: readonly ListedPrize[],
  fairness?: Fairness,
): Win => {
  const entries = Object.entries(outcome.prize) as [PrizeKind, number][];
  const [kind, amount] = entries.find(([, value]) => value > 0) ?? entries[0]!;
  const same = listed.filter((prize) => prize.kind === kind && prize.amount === amount);
  const prize = same.find(({ id }) => id === fairness?.prize_id) ?? same[0];
  return {
    kind,
    amount,
    label: prize?.label[lang] ?? plainLabel(lang, texts, kind, amount),
    next: prize?.details?.[lang] ?? texts.client.next,
    claimBy: outcome.claim_by,
    ...(prize?.value_usd ? { worth: prize.value_usd } : {}),
  };
};

export const amountText = (lang: Lang, { kind, amount }: Pick<Win, 'kind' | 'amount'>) => {
  if (kind === 'cash_usd') return formatDollars(lang, amount);
  return kind === 'tickets' ? formatNumber(lang, amount) : '';
};

/** How strongly a win is celebrated: from `small` (tickets up to the play's cost) to `grand`. */
export type WinSize = 'small' | 'nice' | 'big' | 'grand';

/** `cost` is the cost of the play in tickets. */
export const winSizeOf = (
  { kind, amount, worth = bigUsd }: Pick<Win, 'kind' | 'amount' | 'worth'>,
  cost: number,
): WinSize => {
  if (kind === 'tickets') return amount > cost ? (amount >= 10 * cost && cost > 0 ? 'big' : 'nice') : 'small';
  if (kind.startsWith('entry_')) return 'nice';
  const usd = kind === 'cash_usd' ? amount : worth;
  return usd >= grandUsd ? 'grand' : usd >= bigUsd ? 'big' : 'nice';
};
const bigUsd = 5;
const grandUsd = 50;

export const wedgeText = (lang: Lang, texts: WinTexts, prize: Pick<Win, 'kind' | 'amount' | 'label'>) => {
  if (prize.kind === 'cash_usd') return formatDollars(lang, prize.amount);
  if (prize.kind === 'tickets') return plural(lang, texts.tickets, prize.amount);
  return prize.label.length <= maxLabelLetters ? prize.label : texts.short[prize.kind];
};
const maxLabelLetters = 12;

export const coinMarkup = (lang: Lang, won: Win): Html => {
  const text = amountText(lang, won);
  const size = text.length > 6 ? html` class="long"` : '';
  return html`<svg viewBox="0 0 24 24"><use href="#i-${won.kind}"/></svg>${text === '' ? '' : html`<b${size}>${text}</b>`}`;
};

/** Renders a text with a time at `{time}`, which the page's script converts to the reader's time zone. */
export const textWithTime = (lang: Lang, text: string, iso: string, timeZone?: string): Html => {
  const [before = '', after = ''] = text.split('{time}');
  return html`${before}<time datetime="${iso}" data-local>${formatTime(lang, iso, timeZone)}</time>${after}`;
};

/** `cost`, and `balance` (after the play, if known), are in tickets. */
export type ShownResult = { won: Win; playedAt: string; cost: number; balance?: number; timeZone?: string };

export const resultMarkup = (lang: Lang, texts: WinTexts, result: ShownResult): Html => {
  const { won, playedAt, cost, balance, timeZone } = result;
  const { client, tickets } = texts;
  const size = winSizeOf(won, cost);
  const paid = cost === 0 ? '' : fillIn(client.paid, { tickets: plural(lang, tickets, cost) });
  const now = balance === undefined ? '' : plural(lang, client.balance, balance);
  return html`<div class="result ${size}">
<h2 id="result" tabindex="-1"><small>${client.won[size === 'small' ? 'small' : 'other']} </small>${won.label}</h2>
${won.worth === undefined ? '' : html`<p class="worth">${fillIn(client.worth, { usd: formatDollars(lang, won.worth) })}</p>`}
<p>${won.next}${won.claimBy ? html` ${textWithTime(lang, client.claimBy, won.claimBy, timeZone)}` : ''}</p>
<details class="fine"><summary><span>${textWithTime(lang, client.playedAt, playedAt, timeZone)}</span></summary>
${paid || now ? html`<p class="now"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#i-tickets"/></svg><span>${[paid, now].filter(Boolean).join(' ')}</span></p>` : ''}
<p>${client.again}</p></details>
</div>`;
};

type DrawData = {
  lang: Lang;
  commitment: string;
  prizes?: readonly ListedPrize[] | undefined;
  fairness?: Fairness | undefined;
  place?: BookProof | undefined;
  id?: string | undefined;
  /** SHA-256 (hex) of the book that contains the outcome. */
  digest?: string | undefined;
};

/** Renders a hidden element, in which the browser later shows whether its check of the draw succeeded. */
export const verdictMarkup = ({ client }: Pick<Texts, 'client'>): Html =>
  html`<p id="verdict" class="verdict" hidden>${client.fair.checking}</p>`;

export const fairnessMarkup = ({ client }: Pick<Texts, 'client'>, data: DrawData): Html => {
  const { fair } = client;
  const { fairness } = data;
  if (!fairness) return html`<p>${fair.before}</p><dl>${codeRow(fair.commitment, data.commitment)}</dl>`;
  return html`${verdictMarkup({ client })}
<dl>${data.id === undefined ? '' : codeRow(fair.reference, data.id)}${codeRow(fair.commitment, fairness.commitment)}${codeRow(fair.serverSeed, fairness.server_seed)}${codeRow(fair.clientSeed, fairness.client_seed)}${codeRow(fair.table, fairness.prize_table_version)}${limitRows(fair, data, fairness)}${placeRows(fair, data)}</dl>`;
};

const row = (name: string, value: string | Html) => html`<dt>${name}</dt><dd>${value}</dd>`;
// Accepts any JSON value, because the browser renders the server's data before checking its types.
const codeRow = (name: string, value: unknown) =>
  row(name, html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`);
type FairTexts = Texts['client']['fair'];

const limitRows = (fair: FairTexts, { lang, prizes = [] }: DrawData, fairness: Fairness) => {
  const { cash, stock: { number: inAll, number_of_day: today = 0 } = {} } = fairness.budgets ?? {};
  const inDraw = prizesOfDraw(prizes, fairness).filter(({ weight }) => weight > 0);
  const [n, all] = [inDraw.length, prizes.length].map((count) => formatNumber(lang, count));
  const cashTexts = cash && {
    left: formatDollars(lang, Math.max(0, cash.limit - cash.granted)),
    limit: formatDollars(lang, cash.limit),
    wins: plural(lang, fair.cashWins, cash.grants),
  };
  const numbers = { n: formatNumber(lang, inAll ?? 0), today: formatNumber(lang, today) };
  return html`${prizes.length > 0 ? row(fair.set, fillIn(fair.setOf, { n: n!, all: all! })) : ''}${
    cashTexts ? row(fair.cash, fillIn(fair.cashLeft, cashTexts)) : ''
  }${inAll === undefined ? '' : row(fair.stock, fillIn(fair.stockNumber, numbers))}`;
};

/** Renders the outcome's position in the book of its day, and the SHA-256 of the book. */
const placeRows = (fair: FairTexts, { lang, place, digest }: DrawData) => {
  const book = place && parseBookLines(place.text);
  if (!book) return '';
  const [n, size] = [place.index + 1, book.size].map((count) => formatNumber(lang, count));
  const position = fillIn(fair.bookPlace, { day: book.day, n: n!, size: size! });
  return html`${row(fair.book, position)}${digest === undefined ? '' : codeRow(fair.bookDigest, digest)}`;
};

export const prizesOfDraw = (prizes: readonly ListedPrize[], fairness: Fairness): Prize[] =>
  prizesInDraw(prizes, fairness.budgets, fairness.debug);
