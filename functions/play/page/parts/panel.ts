import { createHash } from 'node:crypto';
import { type Html, html } from '../html.ts';
import { fillIn, formatDay, formatNumber, plural } from '../text.ts';
import type { Texts } from '../texts/en.ts';
import { textsByLang } from '../texts/languages.ts';
import type { PageView, ShownDrawing, ShownRestriction } from '../view.ts';
import { fairnessMarkup, resultMarkup, textWithTime, type Win } from '../won.ts';
import { backButton } from './brand.ts';
import { oddsMarkup } from './odds.ts';

const serviceZone = 'America/New_York';

const costText = ({ lang, cost = 0 }: PageView, texts: Texts) =>
  cost === 0 ? texts.cost.free : fillIn(texts.cost.paid, { tickets: plural(lang, texts.tickets, cost) });

const minutesLeft = ({ now, expires_at }: PageView) =>
  expires_at === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(expires_at) - Date.parse(now)) / 60_000));

const refusal = (view: PageView, texts: Texts) => {
  const { lang, cost = 0, balance = 0, restriction } = view;
  if (!restriction) return '';
  const { code, until, limit } = restriction;
  const limited = texts.refused.daily_spin_limit_reached.limited;
  const text =
    code === 'daily_spin_limit_reached' && limit !== undefined
      ? plural(lang, limited, limit)
      : fillIn(texts.refused[code].text, {
          cost: plural(lang, texts.tickets, cost),
          balance: plural(lang, texts.tickets, balance),
        });
  return html`<div class="result refusal"><h2>${texts.refused[code].title}</h2><p>${text}</p>
${until !== undefined && html`<p class="when">${textWithTime(lang, texts.refused.until, until, serviceZone)}</p>`}</div>`;
};

const action = (view: PageView, texts: Texts) => {
  if (view.state === 'ready' || view.state === 'preview') {
    return html`<button class="go" id="go" type="button">${texts.action[view.game]}<small>${costText(view, texts)}</small></button>`;
  }
  if (view.state !== 'refused' || !view.restriction) return '';
  const { button } = texts.refused[view.restriction.code];
  return button ? html`<button class="go" id="go" type="button">${button}</button>` : '';
};

/** Returns whether a restriction usually outlasts the play URL, so that a countdown to the URL's end is useless. */
const isLasting = ({ code }: ShownRestriction) =>
  code === 'daily_spin_limit_reached' || code === 'user_frozen';

const safeUrl = (url: string | undefined) => (url && /^https?:\/\//i.test(url) ? url : undefined);

const meta = (view: PageView, texts: Texts) => {
  const rules = safeUrl(view.rules_url);
  // Sets the link's language if the linked rules are not in the page's language.
  const rulesLang = view.rules_lang ?? view.lang;
  const ofLang = rulesLang !== view.lang && html` lang="${rulesLang}" hreflang="${rulesLang}"`;
  const counting = view.state === 'ready' || (view.restriction && !isLasting(view.restriction));
  return html`<p class="meta">${
    counting &&
    html`<span id="left">${plural(view.lang, texts.client.minutesLeft, minutesLeft(view))}</span><span id="warn" class="visually-hidden" aria-live="polite"></span>`
  }${rules !== undefined && html`<a id="rules" href="${rules}"${ofLang} target="_blank" rel="noopener noreferrer">${textsByLang[rulesLang].rules}</a>`}</p>`;
};

const claim = ({ lang, claim }: PageView, texts: Texts) =>
  claim &&
  html`<p class="notice">${fillIn(texts.claim[claim.state], { day: claim.delivered_on ? formatDay(lang, claim.delivered_on) : '' })}</p>`;

const status = (view: PageView, texts: Texts, won?: Win) => {
  if (won && view.outcome) {
    const { lang, cost = 0, balance, outcome } = view;
    const result = { won, cost, playedAt: outcome.timestamp, timeZone: serviceZone };
    const balanceAfter = balance === undefined ? {} : { balance };
    return html`${claim(view, texts)}${resultMarkup(lang, texts, { ...result, ...balanceAfter })}`;
  }
  return refusal(view, texts);
};

const period = ({ lang, promotion }: PageView, texts: Texts) => {
  if (!promotion) return '';
  const { name, first_day, last_day } = promotion;
  const text = fillIn(texts.promotion, {
    name,
    from: formatDay(lang, first_day),
    to: formatDay(lang, last_day),
  });
  return html`<p class="meta"><span>${text}</span></p>`;
};

const notice = (view: PageView, texts: Texts) => {
  const { lang, prizes = [], promotion, tickets_only, wins_used_up } = view;
  const { outside, ticketsOnly, ticketsForNow, winsUsedUp } = texts.notice;
  if (promotion?.outside) return html`<p class="notice">${outside}</p>`;
  if (tickets_only) {
    const isForNow = prizes.some(({ out_for }) => out_for === 'later');
    return html`<p class="notice">${isForNow ? ticketsForNow : ticketsOnly}</p>`;
  }
  return wins_used_up !== undefined && html`<p class="notice">${plural(lang, winsUsedUp, wins_used_up)}</p>`;
};

const drawings = ({ lang, drawings = [], drawn_prizes = [] }: PageView, texts: Texts) => {
  const wins = drawn_prizes.map(({ prize, claim_by, state }) => {
    const text = fillIn(texts.drawn, { prize: String(prize[lang]) });
    return html`<p class="meta"><b>${textWithTime(lang, text, claim_by, serviceZone)}${state === 'held' && ` ${texts.claim.held}`}</b></p>`;
  });
  const saying = ({ prize, closes, draws_at, root = '' }: ShownDrawing) => {
    const text = root ? texts.drawing.closed : texts.drawing.announced;
    const filled = fillIn(text, { prize: prize[lang], day: formatDay(lang, closes), root });
    return textWithTime(lang, filled, draws_at, serviceZone);
  };
  const held = drawings.map(
    ({ type, entries, open }) =>
      html`<p class="meta"><span>${texts.drawing.entries[type]} <b id="entry_${type}" data-n="${entries}">${formatNumber(lang, entries)}</b>.</span></p>${open.map((one) => html`<p class="meta"><span>${saying(one)}</span></p>`)}`,
  );
  return [...wins, ...held];
};

const freeEntry = ({ free_entry }: PageView, { freeEntry }: Texts) => {
  if (!free_entry) return '';
  const url = safeUrl(free_entry.url);
  return html`<p class="meta"><span>${freeEntry.noPurchase} ${free_entry.text || freeEntry.inRules}</span>${url !== undefined && html` <a href="${url}" target="_blank" rel="noopener noreferrer">${freeEntry.link}</a>`}</p>`;
};

const digestOf = ({ place }: PageView) => place && createHash('sha256').update(place.text).digest('hex');

export const panelMarkup = (view: PageView, texts: Texts, won?: Win): Html => {
  const commitment = view.fairness?.commitment ?? view.commitment;
  return html`<div class="panel">
<p class="tagline">${texts.games[view.game].tagline}</p>
<div id="status" role="status">${status(view, texts, won)}</div>
${view.state === 'ready' && notice(view, texts)}${view.state === 'preview' && html`<p class="notice">${texts.notice.preview}</p>`}
${backButton(view.page, texts)}
${action(view, texts)}
${period(view, texts)}
${drawings(view, texts)}
${freeEntry(view, texts)}
<p class="problem" id="problem" aria-live="polite"></p>
${view.state === 'ready' && html`<noscript><p class="notice">${texts.notice.noScript}</p></noscript>`}
${meta(view, texts)}
${view.prizes !== undefined && view.prizes.length > 0 && oddsMarkup(view, texts)}
${commitment !== undefined && html`<details class="card fair"><summary>${texts.client.fair.title}</summary><div id="fair">${fairnessMarkup(texts, { ...view, id: view.outcome?.id, commitment, digest: digestOf(view) })}</div></details>`}
</div>`;
};
