import type { PageData } from '../page-data.ts';
import { momentOf, resultMarkup, type Told, wedgeText, wonPrize } from '../won.ts';
import { playPath, tokenInUrl } from './address.ts';
import { celebrate, changeBalance } from './celebrate.ts';
import { confetti } from './confetti.ts';
import { showFairness } from './fairness.ts';
import type { Host } from './host.ts';
import { after, drawn, reducedMotion, type Scene } from './motion.ts';
import { askForOutcome, type Trouble } from './network.ts';
import { seedFor } from './seeds.ts';

const shortestSuspenseMs = 1_300;
const longestArrivalMs = 9_000;

const showResult = async (root: Element, data: PageData, told: Told) => {
  const { won, balance } = told;
  const gained = won.kind === 'tickets' ? won.amount : 0;
  const markup = resultMarkup(data.lang, data.texts, told).html;
  await drawn();
  root.setAttribute('data-state', 'played');
  root.querySelector('#left')?.remove();
  root.querySelector('.notice')?.remove();
  root.querySelector('#odds')?.removeAttribute('open');
  if (balance !== undefined) changeBalance(root, data, balance, gained);
  const button = root.querySelector<HTMLElement>('#go');
  const wasFocused = document.activeElement === button || document.activeElement === document.body;
  button?.remove();
  root.querySelector('#status')!.innerHTML = markup;
  await drawn();
  if (wasFocused) root.querySelector<HTMLElement>('#result')?.focus({ preventScroll: true });
  root.querySelector('#result')?.scrollIntoView?.({
    block: 'nearest',
    behavior: reducedMotion() ? 'auto' : 'smooth',
  });
};

type Page = { root: Element; data: PageData; scene: Scene; host: Host; reload: () => void };

/** Wires the play button: one press asks for the outcome until it is known, then the scene shows it. */
export const preparePlay = ({ root, data, scene, host, reload }: Page) => {
  const { client } = data.texts;
  const button = root.querySelector<HTMLElement>('#go')!;
  const problem = root.querySelector('#problem')!;
  const idleLabel = button.innerHTML;
  let hasStarted = false;

  const rest = (label: string | undefined, message: string) => {
    button.removeAttribute('aria-disabled');
    if (label === undefined) button.innerHTML = idleLabel;
    else button.textContent = label;
    problem.textContent = message;
    scene.reset();
  };

  const play = async () => {
    if (button.hasAttribute('aria-disabled')) return;
    if (!hasStarted) host.tell('started', {});
    hasStarted = true;
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
    const { outcome, fairness } = answer;
    const { cost = 0 } = data;
    const gained = outcome.prize.tickets ?? 0;
    const balance = answer.balance ?? (data.balance === undefined ? undefined : data.balance - cost + gained);
    if (balance !== undefined) changeBalance(root, data, balance - gained, -cost);
    await suspense;
    problem.textContent = '';
    const won = wonPrize(data.lang, data.texts, outcome, data.prizes ?? [], fairness);
    const prize = { id: fairness.prize_id, kind: won.kind, text: wedgeText(data.lang, data.texts, won) };
    // A scene that fails or stands still may not hold back the outcome.
    await Promise.race([scene.arrive(prize).catch(() => undefined), after(longestArrivalMs)]);
    // One thing after the other: all at once would be a frame that takes a phone too long.
    await drawn();
    celebrate(root, data, won);
    await drawn();
    showFairness(root, data, outcome, fairness);
    await drawn();
    const playedAt = outcome.timestamp;
    await showResult(root, data, { won, cost, playedAt, ...(balance === undefined ? {} : { balance }) });
    host.tell('result', { outcome });
    confetti(root, momentOf(won, cost));
  };
  button.addEventListener('click', play);
};
