import type { PageData } from '../page-data.ts';
import { dayAndTime, fill } from '../text.ts';
import type { Fairness, Outcome } from '../view.ts';
import { eligibleOf, fairnessMarkup } from '../won.ts';
import { digestOf, verifyDraw, verifyPlace } from './verify.ts';

/** Shows the opened seal, and what checking the draw on this device says; silent if it can't check. */
export const showFairness = async (root: Element, data: PageData, outcome: Outcome, fairness: Fairness) => {
  const place = root.querySelector('#fair');
  const { lang, texts, prizes, commitment: sealed = fairness.commitment } = data;
  if (!place) return;
  // People compare it with what they kept: it must be of the very text that is checked.
  const canCheck = globalThis.crypto?.subtle !== undefined;
  const digest = data.place && canCheck ? await digestOf(data.place.text) : undefined;
  place.innerHTML = fairnessMarkup(texts, {
    lang,
    commitment: sealed,
    prizes,
    fairness,
    place: data.place,
    digest,
  }).html;
  const sameTable =
    (data.prize_table_version ?? fairness.prize_table_version) === fairness.prize_table_version;
  const verdict = place.querySelector<HTMLElement>('#verdict');
  if (!verdict || !prizes || !canCheck) return;
  verdict.hidden = false;
  const { fair } = texts.client;
  try {
    // A play is drawn from the table that its page showed, and from no other.
    const drawn = sameTable ? await verifyDraw(fairness, prizes, sealed) : 'draw';
    const isMissing = data.place && !(await verifyPlace(data.place, outcome, fairness));
    const result = drawn === 'good' && isMissing ? 'missing' : drawn;
    const more = [
      fairness.debug && fair.test,
      result === 'good' && data.place && fair.inBook,
      shrunk(data, outcome, fairness),
    ];
    verdict.textContent = [fair[result], ...more].filter(Boolean).join(' ');
    verdict.classList.toggle('bad', result !== 'good');
    verdict.dataset.verdict = result;
  } catch {
    verdict.hidden = true;
  }
};

/** What to say if prizes that the page had shown as to be won were no longer in the draw. */
const shrunk = (
  { lang, now, state, prizes = [], texts }: PageData,
  { timestamp }: Outcome,
  fairness: Fairness,
) => {
  const inDraw = new Set(eligibleOf(prizes, fairness));
  const gone = state === 'ready' ? prizes.filter((prize) => prize.available && !inDraw.has(prize)) : [];
  if (gone.length === 0) return '';
  return fill(texts.client.fair.shrunk, {
    prizes: gone.map(({ label }) => label[lang]).join(', '),
    from: dayAndTime(lang, now),
    to: dayAndTime(lang, timestamp),
  });
};
