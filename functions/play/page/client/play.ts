import type { ClientData } from '../page-data.ts';
import { formatNumber } from '../text.ts';
import { resultMarkup, type ShownResult, wedgeText, winOf, winSizeOf } from '../won.ts';
import { playUrlPath, tokenInUrl } from './address.ts';
import { celebrateWin, showBalanceChange } from './celebrate.ts';
import { throwConfetti } from './confetti.ts';
import { showFairness } from './fairness.ts';
import type { HostChannel } from './host.ts';
import { nextPaint, reducedMotion, type Scene, skipAnimationsUntil, wait } from './motion.ts';
import { requestOutcome, type WaitReason } from './network.ts';
import { storedOrNewSeed } from './seeds.ts';

/** Minimum time, in milliseconds, that the animation runs before it may end at the prize. */
const minSuspenseMs = 1_300;
/** Maximum time, in milliseconds, that the page waits for the animation to reach the prize. */
const maxArrivalMs = 9_000;

const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;

const showResult = async (root: Element, data: ClientData, result: ShownResult) => {
  const { won, balance } = result;
  const gained = won.kind === 'tickets' ? won.amount : 0;
  const markup = resultMarkup(data.lang, data.texts, result).html;
  await nextPaint();
  root.setAttribute('data-state', 'played');
  for (const obsolete of root.querySelectorAll('#go, #left, .notice')) obsolete.remove();
  root.querySelector('#odds')?.removeAttribute('open');
  if (balance !== undefined) showBalanceChange(root, data, balance, gained);
  const entries = root.querySelector<HTMLElement>(`#${won.kind}`);
  if (entries) entries.textContent = formatNumber(data.lang, Number(entries.dataset.n) + won.amount);
  const status = root.querySelector<HTMLElement>('#status')!;
  status.innerHTML = markup;
  await nextPaint();
  // Removing the focused play button has moved the focus to the body. Moves the focus from there to the result.
  if (document.activeElement === document.body)
    status.querySelector<HTMLElement>('#result')!.focus({ preventScroll: true });
  // Scrolls until the result and the back button are visible, unless the result's heading would leave the screen.
  const below = bottomOf(root.querySelector('#back')!) - bottomOf(status);
  status.style.scrollMarginBottom = `${Math.max(0, below) + 12}px`;
  status.scrollIntoView({ block: 'nearest', behavior: reducedMotion() ? 'auto' : 'smooth' });
};

type Page = { root: Element; data: ClientData; scene: Scene; host: HostChannel; reload: () => void };

export const preparePlayButton = ({ root, data, scene, host, reload }: Page) => {
  const { client } = data.texts;
  const button = root.querySelector<HTMLElement>('#go')!;
  const problem = root.querySelector('#problem')!;
  const idleLabel = button.innerHTML;
  let hasStarted = false;

  const makeIdle = (label: string, message: string) => {
    button.removeAttribute('aria-disabled');
    button.innerHTML = label;
    problem.textContent = message;
    scene.reset();
  };

  const play = async () => {
    if (button.hasAttribute('aria-disabled')) return;
    if (!hasStarted) host.send('started', {});
    hasStarted = true;
    button.setAttribute('aria-disabled', 'true');
    button.textContent = client.playing[data.game];
    problem.textContent = '';
    scene.start();
    const showTrouble = (trouble: WaitReason) => {
      problem.textContent = client[trouble];
    };
    const url = `${playUrlPath()}/spin`;
    const suspense = reducedMotion() ? undefined : wait(minSuspenseMs);
    const seed = storedOrNewSeed(tokenInUrl(), data.commitment ?? '');
    const answer = await requestOutcome(url, seed, showTrouble);
    if (answer.kind === 'stalled') {
      addEventListener('online', play, { once: true });
      return makeIdle(client.askAgain, client.stalled);
    }
    if (answer.kind === 'rejected') return makeIdle(idleLabel, client.tryAgain);
    if (answer.kind === 'refused') return reload();
    const { outcome, fairness } = answer;
    const { cost = 0 } = data;
    const gained = outcome.prize.tickets ?? 0;
    const balance = answer.balance ?? (data.balance === undefined ? undefined : data.balance - cost + gained);
    if (balance !== undefined) showBalanceChange(root, data, balance - gained, -cost);
    await suspense;
    problem.textContent = '';
    const won = winOf(data.lang, data.texts, outcome, data.prizes ?? [], fairness);
    const prize = { id: fairness.prize_id, kind: won.kind, text: wedgeText(data.lang, data.texts, won) };
    const arrival = scene.arrive(prize).catch(() => undefined);
    // Shows the outcome after a time limit, because the animation may fail, or pause in a hidden page.
    await Promise.race([arrival, wait(maxArrivalMs)]);
    const settled = skipAnimationsUntil(arrival);
    // Waits for a frame after each change, because all changes in one frame would make the animation stutter.
    await nextPaint();
    celebrateWin(root, data, won);
    await nextPaint();
    void showFairness(root, data, outcome, fairness);
    await nextPaint();
    const playedAt = outcome.timestamp;
    await showResult(root, data, { won, cost, playedAt, ...(balance === undefined ? {} : { balance }) });
    host.send('result', { outcome });
    await settled;
    throwConfetti(root, winSizeOf(won, cost));
  };
  button.addEventListener('click', play);
};
