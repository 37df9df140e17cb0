import { createHash } from 'node:crypto';
import { frameOriginsIn } from '../../../shared/organizations/page-settings.ts';
import type { Game } from '../../../shared/vocabulary.ts';
import flight from './client/games/flight.ts?text';
import prizewheel from './client/games/prizewheel.ts?text';
import truck from './client/games/truck.ts?text';
import { type Html, html, jsonScript, trustedHtml } from './html.ts';
import css from './page.css?text';
import type { ClientData } from './page-data.ts';
import { brandCss, brandMarkup } from './parts/brand.ts';
import { deadEndMarkup, isDeadEnd } from './parts/dead-end.ts';
import { panelMarkup } from './parts/panel.ts';
import { sceneMarkup } from './parts/stage.ts';
import icons from './scenes/icons.svg?text';
import { formatNumber } from './text.ts';
import type { Texts } from './texts/en.ts';
import { textsByLang } from './texts/languages.ts';
import type { PageView } from './view.ts';
import { winOf } from './won.ts';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows all frames by default: everybody who knows the play URL could open it without a frame anyway. */
const anyFramer = 'https: http://localhost:* http://127.0.0.1:* capacitor: ionic:';

const scripts: Record<Game, string> = { prizewheel, truck, flight };
const hashes = {
  script: { prizewheel: sha256(prizewheel), truck: sha256(truck), flight: sha256(flight) },
  css: sha256(css),
};

const policyOf = ({ game, page }: PageView, brand: string) => {
  const origins = page ? frameOriginsIn(page) : [];
  const logo = page?.brand_logo.startsWith('https:') ? ` ${new URL(page.brand_logo).origin}` : '';
  return [
    "default-src 'none'",
    `script-src ${hashes.script[game]}`,
    `style-src ${hashes.css}${brand && ` ${sha256(brand)}`}`,
    'font-src data:',
    `img-src data:${logo}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length > 0 ? origins.join(' ') : anyFramer}`,
  ].join('; ');
};

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Ccircle cx='16' cy='16' r='15' fill='%23d8343f'/%3E%3Cpath fill='%23ffb31a' d='m16 5 3.2 6.6 7.3 1-5.3 5.1 1.3 7.2-6.5-3.4-6.5 3.4 1.3-7.2L5.5 12.6l7.3-1Z'/%3E%3C/svg%3E";

/** Returns the document's title: the game's name, or the reason why the URL can never be played again. */
const titleOf = ({ game, state }: PageView, texts: Texts) =>
  isDeadEnd(state) ? texts[state].title : texts.games[game].title;

const head = (view: PageView, texts: Texts, brand: string) => {
  const { lang, page } = view;
  return html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><title>${titleOf(view, texts)}${page?.brand_name && ` · ${page.brand_name}`}</title>
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<meta name="color-scheme" content="light dark"><meta name="format-detection" content="telephone=no">
<link rel="icon" href="${trustedHtml(icon)}"><style>${trustedHtml(css)}</style>${brand !== '' && html`<style>${trustedHtml(brand)}</style>`}</head>`;
};

const dataOf = (
  { free_entry, rules_url, rules_lang, promotion, claim, drawings, drawn_prizes, page, ...view }: PageView,
  { client, kinds, short, tickets }: Texts,
): ClientData => ({
  ...view,
  framers: page ? frameOriginsIn(page) : [],
  texts: { client, kinds, short, tickets },
});

const speaker = trustedHtml(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path fill="currentColor" d="M4 9v6h4l5 4V5L8 9Z"/><path class="waves" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" d="M16 9a4 4 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11"/><path class="mute" stroke="currentColor" stroke-width="2" stroke-linecap="round" d="m16 9.5 5 5m0-5-5 5"/></svg>',
);

const header = ({ lang, game, state, balance, page }: PageView, texts: Texts) =>
  html`<header class="top">${brandMarkup(page)}<h1>${texts.games[game].title}</h1>${state === 'ready' && html`<button class="sound" id="sound" type="button" aria-pressed="false" aria-label="${texts.sound}" hidden>${speaker}</button>`}${
    balance !== undefined &&
    html`<p class="balance"><svg viewBox="0 0 24 24" aria-hidden="true"><use href="#i-tickets"/></svg><span class="visually-hidden">${texts.balance.label}: </span><b id="balance">${formatNumber(lang, balance)}</b></p>`
  }</header>`;

const content = (view: PageView, texts: Texts): Html => {
  const { state } = view;
  if (isDeadEnd(state)) return deadEndMarkup(view, state, texts);
  const won = view.outcome && winOf(view.lang, texts, view.outcome, view.prizes ?? [], view.fairness);
  return html`${header(view, texts)}<div class="cabinet">${sceneMarkup(view, texts, won)}${panelMarkup(view, texts, won)}</div>`;
};

/** Returns the SVG icons of the page's prizes, and `tickets` and `entry_flight`, which other parts of the page use. */
const iconsOf = ({ prizes = [] }: PageView) => {
  const kinds = new Set<string>(['tickets', 'entry_flight', ...prizes.map(({ kind }) => kind)]);
  const ifShown = (symbol: string, kind: string) => (kinds.has(kind) ? symbol : '');
  return trustedHtml(icons.replace(/<symbol id="i-(\w+)".*?<\/symbol>/g, ifShown));
};

export const renderPlayPage = (view: PageView): { html: string; headers: Record<string, string> } => {
  const texts = textsByLang[view.lang];
  const brand = view.page ? brandCss(view.page) : '';
  const page = html`${head(view, texts, brand)}<body>${iconsOf(view)}<main id="play" data-game="${view.game}" data-state="${view.state}">${content(view, texts)}${jsonScript('data', dataOf(view, texts))}</main><script>${trustedHtml(scripts[view.game])}</script></body></html>`;
  return { html: page.html, headers: { ...headers, 'content-security-policy': policyOf(view, brand) } };
};
