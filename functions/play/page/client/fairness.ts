import type { PageData } from '../page-data.ts';
import { dayAndTime, fill } from '../text.ts';
import type { Fairness, Outcome } from '../view.ts';
import { eligibleOf, fairnessMarkup, verdictMarkup } from '../won.ts';
import { tokenInUrl } from './address.ts';
import { digestOf } from './digests.ts';
import { verifyPlace } from './place.ts';
import { keptOf } from './seeds.ts';
import { type Verdict, verifyDraw } from './verify.ts';

/** What follows from what was sent, unless that cannot be read. */
const ifReadable = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/**
 * Shows the opened seal, and what checking the draw on this device says; silent if it can't check. Who sends what cannot
 * be read, or nothing to check, shall not silence the check by it.
 */
export const showFairness = async (
  root: Element,
  data: PageData,
  outcome: Outcome,
  sent: Fairness | null | undefined,
) => {
  const section = root.querySelector('#fair');
  const fairness = sent ?? ({} as Fairness);
  const { lang, texts, prizes, place, commitment = fairness.commitment } = data;
  if (!section) return;
  const canCheck = globalThis.crypto?.subtle !== undefined;
  // People compare it with what they kept: it must be of the very text that is checked.
  const digest = place && canCheck ? await digestOf(place.text) : undefined;
  const drawn = { lang, id: outcome.id, commitment, prizes, fairness, place, digest };
  section.innerHTML = (ifReadable(() => fairnessMarkup(texts, drawn)) ?? verdictMarkup(texts)).html;
  const verdict = section.querySelector<HTMLElement>('#verdict');
  if (!verdict || !canCheck) return;
  verdict.hidden = false;
  const { fair } = texts.client;
  const result = await verdictOf(data, outcome, fairness).catch((): Verdict => 'draw');
  const more = [
    fairness.debug && fair.test,
    result === 'good' && place && fair.inBook,
    (result === 'good' || result === 'elsewhere') && ifReadable(() => shrunk(data, outcome, fairness)),
  ];
  verdict.textContent = [fair[result], ...more].filter(Boolean).join(' ');
  verdict.classList.toggle('bad', result !== 'good');
  verdict.dataset.verdict = result;
};

/** What the checks of a draw come to, that of its place in a book if it has one, and what this browser knows of it. */
const verdictOf = async (data: PageData, outcome: Outcome, fairness: Fairness): Promise<Verdict> => {
  const { place } = data;
  const kept = keptOf(tokenInUrl());
  // A seal that was put in place of the first one may have been looked for once the browser's seed was known.
  if (kept.some(({ commitment }) => commitment !== fairness.commitment)) return 'seal';
  const drawn = await verifyDraw(data, outcome, fairness);
  if (drawn !== 'good') return drawn;
  if (place && !(await verifyPlace(place, outcome, fairness, tokenInUrl()))) return 'missing';
  const isKnown = kept.length === 0 || kept.some(({ seed }) => seed === fairness.client_seed);
  return isKnown ? 'good' : 'elsewhere';
};

/** What to say if prizes that the page had shown as to be won were no longer in the draw. */
const shrunk = (
  { lang, now, state, prizes = [], texts }: PageData,
  { timestamp }: Outcome,
  fairness: Fairness,
) => {
  const inDraw = new Set<unknown>(eligibleOf(prizes, fairness));
  const gone = state === 'ready' ? prizes.filter((prize) => prize.available && !inDraw.has(prize)) : [];
  if (gone.length === 0) return '';
  return fill(texts.client.fair.shrunk, {
    prizes: gone.map(({ label }) => label[lang]).join(', '),
    from: dayAndTime(lang, now),
    to: dayAndTime(lang, timestamp),
  });
};
