import type { PrizeKind } from '../../../shared/vocabulary.ts';
import { type Html, html } from './html.ts';
import { dayAndTime, dollars, fill, number, plural } from './text.ts';
import type { Texts } from './texts/en.ts';
import type { Fairness, Lang, ListedPrize, Outcome } from './view.ts';

export type Won = { kind: PrizeKind; amount: number; label: string };

/** The texts that both sides need to tell an outcome. */
export type WonTexts = Pick<Texts, 'client' | 'kinds' | 'tickets'>;

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
  };
};

/** How much of a prize, in a few characters; nothing for a prize that is one of its kind. */
export const amountText = (lang: Lang, { kind, amount }: Pick<Won, 'kind' | 'amount'>) => {
  if (kind === 'cash_usd') return dollars(lang, amount);
  return kind === 'tickets' ? number(lang, amount) : '';
};

/** The coin that rises from the scene: the prize's picture, and how much of it. */
export const medal = (lang: Lang, won: Won): Html => {
  const text = amountText(lang, won);
  const size = text.length > 6 ? html` class="long"` : '';
  return html`<svg viewBox="0 0 24 24"><use href="#i-${won.kind}"/></svg>${text === '' ? '' : html`<b${size}>${text}</b>`}`;
};

/** Which text says what becomes of a prize. */
const nextOf: Record<PrizeKind, keyof Texts['client']['next']> = {
  tickets: 'tickets',
  cash_usd: 'cash_usd',
  entry_truck: 'entry_truck',
  entry_flight: 'entry_flight',
  prize_money_transfer: 'other',
  prize_cash_back: 'other',
  prize_streaming: 'other',
  prize_imt: 'other',
  prize_gift_card: 'other',
  prize_phone_accessory: 'other',
  prize_merchandise: 'other',
};

/** A text that names a time, which the page's script then tells in the reader's own zone. */
export const withTime = (lang: Lang, text: string, iso: string, timeZone?: string): Html => {
  const [before = '', after = ''] = text.split('{time}');
  return html`${before}<time datetime="${iso}" data-local>${dayAndTime(lang, iso, timeZone)}</time>${after}`;
};

/** The result, ready for the page's status element; `balance` is the one after the play. */
export const resultMarkup = (
  lang: Lang,
  texts: WonTexts,
  won: Won,
  outcome: Outcome,
  balance?: number,
  timeZone?: string,
): Html => {
  const { client } = texts;
  return html`<div class="result">
<h2 id="result" tabindex="-1"><small>${client.won} </small>${won.label}</h2>
<p>${client.next[nextOf[won.kind]]}</p>
${balance === undefined ? '' : html`<p class="now"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#i-tickets"/></svg>${plural(lang, client.balance, balance)}</p>`}
<p class="fine">${withTime(lang, client.playedAt, outcome.timestamp, timeZone)}<br><span class="id">${fill(client.reference, { id: outcome.id })}</span><br>${client.again}</p>
</div>`;
};

/** What can be checked about the draw, and after the play the secrets to check it with. */
export const fairnessMarkup = (
  { client }: Pick<Texts, 'client'>,
  commitment: string,
  fairness?: Fairness,
): Html => {
  const { fair } = client;
  const row = (name: string, value: string) => html`<dt>${name}</dt><dd>${value}</dd>`;
  return html`${fairness ? html`<p id="verdict" class="verdict" hidden>${fair.checking}</p>` : html`<p>${fair.before}</p>`}
<dl>${row(fair.commitment, fairness?.commitment ?? commitment)}${
    fairness
      ? html`${row(fair.serverSeed, fairness.server_seed)}${row(fair.clientSeed, fairness.client_seed)}${row(fair.table, fairness.prize_table_version)}`
      : ''
  }</dl>`;
};
