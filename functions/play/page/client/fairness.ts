import type { PageData } from '../page-data.ts';
import type { Fairness } from '../view.ts';
import { fairnessMarkup } from '../won.ts';
import { verifyDraw } from './verify.ts';

/** Shows the opened seal, and what checking the draw on this device says; silent if it can't check. */
export const showFairness = async (root: Element, data: PageData, fairness: Fairness) => {
  const place = root.querySelector('#fair');
  const sealed = data.commitment ?? fairness.commitment;
  if (!place) return;
  place.innerHTML = fairnessMarkup(data.texts, sealed, fairness).html;
  const sameTable =
    (data.prize_table_version ?? fairness.prize_table_version) === fairness.prize_table_version;
  const verdict = place.querySelector<HTMLElement>('#verdict');
  if (!verdict || !data.prizes || !sameTable || !globalThis.crypto?.subtle) return;
  verdict.hidden = false;
  try {
    const result = await verifyDraw(fairness, data.prizes, sealed);
    verdict.textContent = data.texts.client.fair[result];
    verdict.classList.toggle('bad', result !== 'good');
    verdict.dataset.verdict = result;
  } catch {
    verdict.hidden = true;
  }
};
