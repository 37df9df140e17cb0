import { signpostSvg } from '../../../../shared/api/failure-page.ts';
import { type Html, html, trustedHtml } from '../html.ts';
import type { Texts } from '../texts/en.ts';
import type { PageView } from '../view.ts';
import { backButton, brandMarkup } from './brand.ts';

const hourglass = trustedHtml(
  '<svg class="art" viewBox="0 0 120 120" aria-hidden="true"><path d="M28 12h64v10H28Zm0 86h64v10H28Z" fill="#ffb31a"/><path d="M36 22h48v12c0 16-14 20-14 26s14 10 14 26v12H36V86c0-16 14-20 14-26S36 50 36 34Z" fill="#fff6e2" opacity=".95"/><path d="M44 90c2-14 12-18 16-24 4 6 14 10 16 24v8H44Z" fill="#d8343f"/><path d="M59 58h2v12h-2Z" fill="#d8343f"/></svg>',
);

type DeadEnd = 'voided' | 'expired' | 'unknown';

export const isDeadEnd = (state: PageView['state']): state is DeadEnd =>
  state === 'voided' || state === 'expired' || state === 'unknown';

export const deadEndMarkup = ({ page }: PageView, state: DeadEnd, texts: Texts): Html =>
  html`<div class="dead-end">${brandMarkup(page)}${state === 'expired' ? hourglass : trustedHtml(signpostSvg)}<h1>${texts[state].title}</h1><p>${texts[state].text}</p>${backButton(page, texts)}<p class="problem" id="problem" aria-live="polite"></p></div>`;
