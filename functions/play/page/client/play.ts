import type { PageData } from '../page-data.ts';
import { number } from '../text.ts';
import type { Fairness, Outcome } from '../view.ts';
import { amountText, medal, resultMarkup, type Won, wonPrize } from '../won.ts';
import { playPath, tokenInUrl } from './address.ts';
import { confetti } from './confetti.ts';
import { showFairness } from './fairness.ts';
import { reducedMotion, type Scene } from './motion.ts';
import { askForOutcome, type Trouble } from './network.ts';
import { seedFor } from './seeds.ts';

const shortestSuspenseMs = 1_300;
const longestArrivalMs = 9_000;

const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const showResult = (root: Element, data: PageData, won: Won, outcome: Outcome, fairness: Fairness) => {
  const { lang, cost = 0, balance } = data;
  const gained = won.kind === 'tickets' ? won.amount : 0;
  const newBalance = balance === undefined ? undefined : balance - cost + gained;
  root.setAttribute('data-state', 'played');
  root.querySelector('#left')?.remove();
  root.querySelector('.notice')?.remove();
  const pill = root.querySelector('#balance');
  if (pill && newBalance !== undefined) pill.textContent = number(lang, newBalance);
  const button = root.querySelector<HTMLElement>('#go');
  const wasFocused = document.activeElement === button || document.activeElement === document.body;
  button?.remove();
  root.querySelector('#status')!.innerHTML = resultMarkup(lang, data.texts, won, outcome, newBalance).html;
  if (wasFocused) root.querySelector<HTMLElement>('#result')?.focus({ preventScroll: true });
  root.querySelector('#result')?.scrollIntoView?.({
    block: 'nearest',
    behavior: reducedMotion() ? 'auto' : 'smooth',
  });
  showFairness(root, data, outcome, fairness);
};

const celebrate = (root: Element, data: PageData, won: Won) => {
  const place = root.querySelector('#medal')!;
  place.innerHTML = medal(data.lang, won).html;
  place.classList.add('show');
  confetti(root.querySelector('#stage')!, won.kind !== 'tickets' || won.amount >= 10);
};

type Page = { root: Element; data: PageData; scene: Scene; reload: () => void };

/** Wires the play button: one press asks for the outcome until it is known, then the scene shows it. */
export const preparePlay = ({ root, data, scene, reload }: Page) => {
  const { client } = data.texts;
  const button = root.querySelector<HTMLElement>('#go')!;
  const problem = root.querySelector('#problem')!;
  const idleLabel = button.innerHTML;
  let busy = false;

  const rest = (label: string | undefined, message: string) => {
    busy = false;
    button.removeAttribute('aria-disabled');
    if (label === undefined) button.innerHTML = idleLabel;
    else button.textContent = label;
    problem.textContent = message;
    scene.reset();
  };

  const play = async () => {
    if (busy) return;
    busy = true;
    button.setAttribute('aria-disabled', 'true');
    button.textContent = client.playing[data.game];
    problem.textContent = '';
    scene.start();
    const tell = (trouble: Trouble) => {
      problem.textContent = client[trouble];
    };
    const url = `${playPath()}/spin`;
    const suspense = reducedMotion() ? undefined : after(shortestSuspenseMs);
    const seed = seedFor(tokenInUrl(), data.commitment ?? '');
    const answer = await askForOutcome(url, seed, tell);
    if (answer.kind === 'stalled') {
      addEventListener('online', play, { once: true });
      return rest(client.askAgain, client.stalled);
    }
    if (answer.kind === 'rejected') return rest(undefined, client.tryAgain);
    if (answer.kind === 'refused') return reload();
    await suspense;
    problem.textContent = '';
    const { outcome, fairness } = answer;
    const won = wonPrize(data.lang, data.texts, outcome, data.prizes ?? [], fairness);
    const drawn = { id: fairness.prize_id, kind: won.kind, text: amountText(data.lang, won) };
    // A scene that fails or stands still may not hold back the outcome.
    await Promise.race([scene.arrive(drawn).catch(() => undefined), after(longestArrivalMs)]);
    celebrate(root, data, won);
    showResult(root, data, won, outcome, fairness);
  };
  button.addEventListener('click', play);
  return { isBusy: () => busy };
};
