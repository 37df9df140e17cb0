import type { ClientData } from '../page-data.ts';
import { fillIn, formatTime } from '../text.ts';
import type { Fairness, Outcome } from '../view.ts';
import { fairnessMarkup, prizesOfDraw, verdictMarkup } from '../won.ts';
import { tokenInUrl } from './address.ts';
import { sha256Hex } from './digests.ts';
import { verifyBookProof } from './place.ts';
import { readStoredSeeds } from './seeds.ts';
import { type DrawVerdict, verifyDraw } from './verify.ts';

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
  data: ClientData,
  outcome: Outcome,
  sent: Fairness | null | undefined,
) => {
  const section = root.querySelector('#fair');
  const fairness = sent ?? ({} as Fairness);
  const { lang, texts, prizes, place, commitment = fairness.commitment } = data;
  if (!section) return;
  const canCheck = globalThis.crypto?.subtle !== undefined;
  // Players can compare the digest of the day's book with a digest that they saved earlier.
  const digest = place && canCheck ? await sha256Hex(place.text) : undefined;
  const drawData = { lang, id: outcome.id, commitment, prizes, fairness, place, digest };
  section.innerHTML = (ifReadable(() => fairnessMarkup(texts, drawData)) ?? verdictMarkup(texts)).html;
  const verdict = section.querySelector<HTMLElement>('#verdict');
  if (!verdict || !canCheck) return;
  verdict.hidden = false;
  const { fair } = texts.client;
  const result = await verdictOf(data, outcome, fairness).catch((): DrawVerdict => 'draw');
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
const verdictOf = async (data: ClientData, outcome: Outcome, fairness: Fairness): Promise<DrawVerdict> => {
  const { place } = data;
  const token = tokenInUrl();
  const stored = readStoredSeeds(token);
  // If the commitment changed, the server may have chosen its seed with knowledge of the browser's seed.
  if (stored.some(({ commitment }) => commitment !== fairness.commitment)) return 'otherCommitment';
  const drawn = await verifyDraw(data, outcome, fairness);
  if (drawn !== 'good') return drawn;
  if (place && !(await verifyBookProof(place, outcome, fairness, { ...data, token }))) return 'missing';
  const isKnown = stored.length === 0 || stored.some(({ seed }) => seed === fairness.client_seed);
  return isKnown ? 'good' : 'elsewhere';
};

const usedUpNotice = (
  { lang, now, state, prizes = [], texts }: ClientData,
  { timestamp }: Outcome,
  fairness: Fairness,
) => {
  const inDraw = new Set<unknown>(prizesOfDraw(prizes, fairness));
  const usedUp = state === 'ready' ? prizes.filter((prize) => prize.available && !inDraw.has(prize)) : [];
  if (usedUp.length === 0) return '';
  return fillIn(texts.client.fair.shrunk, {
    prizes: usedUp.map(({ label }) => label[lang]).join(', '),
    from: formatTime(lang, now),
    to: formatTime(lang, timestamp),
  });
};
