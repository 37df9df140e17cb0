import type { PageData } from '../page-data.ts';
import { momentOf, resultMarkup, type Told, wedgeText, wonPrize } from '../won.ts';
import { playPath, tokenInUrl } from './address.ts';
import { celebrate, changeBalance } from './celebrate.ts';
import { confetti } from './confetti.ts';
import { showFairness } from './fairness.ts';
import type { Host } from './host.ts';
import { after, drawn, leapUntil, reducedMotion, type Scene } from './motion.ts';
import { askForOutcome, type Trouble } from './network.ts';
import { seedFor } from './seeds.ts';

const shortestSuspenseMs = 1_300;
const longestArrivalMs = 9_000;

const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;

const showResult = async (root: Element, data: PageData, told: Told) => {
  const { won, balance } = told;
  const gained = won.kind === 'tickets' ? won.amount : 0;
  const markup = resultMarkup(data.lang, data.texts, told).html;
  await drawn();
  root.setAttribute('data-state', 'played');
  for (const gone of root.querySelectorAll('#go, #left, .notice')) gone.remove();
  root.querySelector('#odds')?.removeAttribute('open');
  if (balance !== undefined) changeBalance(root, data, balance, gained);
  const status = root.querySelector<HTMLElement>('#status')!;
  status.innerHTML = markup;
  await drawn();
  // Moves the focus only if it was on the removed button.
  if (document.activeElement === document.body)
    status.querySelector<HTMLElement>('#result')!.focus({ preventScroll: true });
  // Scrolls to the way back below the result, unless the heading would leave the screen.
  const below = bottomOf(root.querySelector('#back')!) - bottomOf(status);
  status.style.scrollMarginBottom = `${Math.max(0, below) + 12}px`;
  status.scrollIntoView({ block: 'nearest', behavior: reducedMotion() ? 'auto' : 'smooth' });
};

type Page = { root: Element; data: PageData; scene: Scene; host: Host; reload: () => void };

/** Wires the play button: a press requests the outcome until it is known, then the scene shows it. */
export const preparePlay = ({ root, data, scene, host, reload }: Page) => {
  const { client } = data.texts;
  const button = root.querySelector<HTMLElement>('#go')!;
  const problem = root.querySelector('#problem')!;
  const idleLabel = button.innerHTML;
  let hasStarted = false;

  const rest = (label: string, message: string) => {
    button.removeAttribute('aria-disabled');
    button.innerHTML = label;
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
    if (answer.kind === 'rejected') return rest(idleLabel, client.tryAgain);
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
    const arrival = scene.arrive(prize).catch(() => undefined);
    // Shows the outcome even if the scene fails or stands still, as it does on a hidden page.
    await Promise.race([arrival, after(longestArrivalMs)]);
    const settled = leapUntil(arrival);
    // Draws one change per frame: all in one frame would take a phone too long.
    await drawn();
    celebrate(root, data, won);
    await drawn();
    showFairness(root, data, outcome, fairness);
    await drawn();
    const playedAt = outcome.timestamp;
    await showResult(root, data, { won, cost, playedAt, ...(balance === undefined ? {} : { balance }) });
    host.tell('result', { outcome });
    await settled;
    confetti(root, momentOf(won, cost));
  };
  button.addEventListener('click', play);
};
