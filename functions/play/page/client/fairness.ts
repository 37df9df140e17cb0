import type { PageData } from '../page-data.ts';
import { dayAndTime, fill } from '../text.ts';
import type { Fairness, Outcome } from '../view.ts';
import { eligibleOf, fairnessMarkup, verdictMarkup } from '../won.ts';
import { tokenInUrl } from './address.ts';
import { digestOf } from './digests.ts';
import { verifyPlace } from './place.ts';
import { storedSeeds } from './seeds.ts';
import { type Verdict, verifyDraw } from './verify.ts';

/**
 * Calls `make` and returns its result. Returns undefined if `make` throws, which happens for malformed data
 * from the server.
 */
const ifReadable = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

/**
 * Shows the revealed server seed, and whether this browser's check of the draw succeeded. Shows no verdict if
 * the browser lacks Web Crypto. Missing or malformed data counts as a failed check, so that a server cannot
 * evade the check.
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
  // Digest of the book's signed text, which `verdictOf` also checks. Players can compare this digest with a
  // digest of the book that they saved earlier.
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

/**
 * Checks that the outcome follows from the seeds, and that the draw used the seed stored in this browser. If
 * the day of the play is closed, also checks that the day's book contains the outcome.
 */
const verdictOf = async (data: PageData, outcome: Outcome, fairness: Fairness): Promise<Verdict> => {
  const { place } = data;
  const stored = storedSeeds(tokenInUrl());
  // The browser stored the commitment to the server seed before it sent its own seed. If the commitment
  // changed afterwards, the server may have chosen the server seed after it received the browser's seed.
  if (stored.some(({ commitment }) => commitment !== fairness.commitment)) return 'seal';
  const drawn = await verifyDraw(data, outcome, fairness);
  if (drawn !== 'good') return drawn;
  if (place && !(await verifyPlace(place, outcome, fairness, tokenInUrl()))) return 'missing';
  const isKnown = stored.length === 0 || stored.some(({ seed }) => seed === fairness.client_seed);
  return isKnown ? 'good' : 'elsewhere';
};

/**
 * Returns a notice with the names of the prizes that left the draw between the rendering of the page and the
 * play. Returns an empty text if no prize left the draw.
 */
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
