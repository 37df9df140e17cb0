import type { PageData } from '../page-data.ts';
import { dayAndTime, fill } from '../text.ts';
import type { Fairness, Outcome } from '../view.ts';
import { eligibleOf, fairnessMarkup, verdictMarkup } from '../won.ts';
import { tokenInUrl } from './address.ts';
import { digestOf } from './digests.ts';
import { verifyBookProof } from './place.ts';
import { storedSeeds } from './seeds.ts';
import { type Verdict, verifyDraw } from './verify.ts';

/** Returns the result of `make`, or undefined if `make` throws because the server's data is malformed. */
const ifReadable = <T>(make: () => T): T | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

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
  // Players can compare the digest of the day's book with a digest that they saved earlier.
  const digest = place && canCheck ? await digestOf(place.text) : undefined;
  const drawData = { lang, id: outcome.id, commitment, prizes, fairness, place, digest };
  section.innerHTML = (ifReadable(() => fairnessMarkup(texts, drawData)) ?? verdictMarkup(texts)).html;
  const verdict = section.querySelector<HTMLElement>('#verdict');
  if (!verdict || !canCheck) return;
  verdict.hidden = false;
  const { fair } = texts.client;
  const result = await verdictOf(data, outcome, fairness).catch((): Verdict => 'draw');
  const more = [
    fairness.debug && fair.test,
    result === 'good' && place && fair.inBook,
    (result === 'good' || result === 'elsewhere') && ifReadable(() => usedUpNotice(data, outcome, fairness)),
  ];
  verdict.textContent = [fair[result], ...more].filter(Boolean).join(' ');
  verdict.classList.toggle('bad', result !== 'good');
  verdict.dataset.verdict = result;
};

/** Checks the draw, the seed that this browser stored and, if the day is closed, the book of the day. */
const verdictOf = async (data: PageData, outcome: Outcome, fairness: Fairness): Promise<Verdict> => {
  const { place } = data;
  const token = tokenInUrl();
  const stored = storedSeeds(token);
  // If the commitment changed, the server may have chosen its seed with knowledge of the browser's seed.
  if (stored.some(({ commitment }) => commitment !== fairness.commitment)) return 'otherCommitment';
  const drawn = await verifyDraw(data, outcome, fairness);
  if (drawn !== 'good') return drawn;
  if (place && !(await verifyBookProof(place, outcome, fairness, { ...data, token }))) return 'missing';
  const isKnown = stored.length === 0 || stored.some(({ seed }) => seed === fairness.client_seed);
  return isKnown ? 'good' : 'elsewhere';
};

const usedUpNotice = (
  { lang, now, state, prizes = [], texts }: PageData,
  { timestamp }: Outcome,
  fairness: Fairness,
) => {
  const inDraw = new Set<unknown>(eligibleOf(prizes, fairness));
  const usedUp = state === 'ready' ? prizes.filter((prize) => prize.available && !inDraw.has(prize)) : [];
  if (usedUp.length === 0) return '';
  return fill(texts.client.fair.shrunk, {
    prizes: usedUp.map(({ label }) => label[lang]).join(', '),
    from: dayAndTime(lang, now),
    to: dayAndTime(lang, timestamp),
  });
};
