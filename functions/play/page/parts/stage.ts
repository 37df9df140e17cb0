import type { Game } from '../../../../shared/vocabulary.ts';
import { type Html, html, trustedHtml } from '../html.ts';
import flight from '../scenes/flight.svg?text';
import truck from '../scenes/truck.svg?text';
import { wheelMarkup } from '../scenes/wheel.ts';
import type { Texts } from '../texts/en.ts';
import type { PageView } from '../view.ts';
import { coinMarkup, type Win, winSizeOf } from '../won.ts';

const boardLength = 9;

const board = (text: string) =>
  html`<p class="board" aria-hidden="true"><svg viewBox="0 0 24 24"><use href="#i-entry_flight"/></svg><span id="board">${[...text.padEnd(boardLength)].map((letter) => html`<i>${letter}</i>`)}</span></p>`;

const scenes: Record<Game, (view: PageView, texts: Texts, won?: Win) => Html> = {
  prizewheel: ({ lang, prizes = [], fairness }, texts) =>
    wheelMarkup(lang, texts, prizes, fairness?.prize_id),
  truck: () => trustedHtml(truck),
  flight: (_, { client }, won) =>
    html`${trustedHtml(flight)}${board(won ? client.board.arrived : client.board.ready)}`,
};

/** `won` is the prize of a URL that was already played. */
export const sceneMarkup = (view: PageView, texts: Texts, won?: Win): Html =>
  html`<div class="stage" id="stage">${scenes[view.game](view, texts, won)}<canvas class="confetti" id="confetti" aria-hidden="true"></canvas><div class="medal${won ? ` show still ${winSizeOf(won, view.cost ?? 0)}` : ''}" id="medal" aria-hidden="true">${won ? coinMarkup(view.lang, won) : ''}</div></div>`;
