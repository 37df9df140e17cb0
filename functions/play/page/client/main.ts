import type { ClientData } from '../page-data.ts';
import { formatNumber, formatTime } from '../text.ts';
import { startCountdown } from './countdown.ts';
import { showFairness } from './fairness.ts';
import {
  type HostChannel,
  hasOpaqueOrigin,
  hostChannelOf,
  sendHeightChanges,
  sendStateToHost,
} from './host.ts';
import type { Scene } from './motion.ts';
import { fetchPlayPage } from './network.ts';
import { preparePlayButton } from './play.ts';
import { prepareSoundButton } from './sound.ts';
import { explainSandbox, isFramed, makeRulesOpenInNewWindow, prepareBackButton } from './ways-out.ts';

type MakeScene = (root: Element, data: ClientData) => Scene;
let sceneOf: MakeScene;

const localizeTimes = (root: Element, { lang }: ClientData) => {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    time.textContent = formatTime(lang, time.dateTime);
  }
};

const openOddsOnWideScreens = (root: Element) => {
  if (matchMedia('(min-width: 860px)').matches) root.querySelector('#odds')?.setAttribute('open', '');
};

/** Fetches the page again and replaces the document's content and title. Meanwhile, the play button is disabled. */
const reload = async (root: Element, { texts }: ClientData) => {
  const { checking, noAnswer } = texts.client;
  const button = root.querySelector('#go')!;
  button.setAttribute('aria-disabled', 'true');
  button.textContent = checking;
  const page = await fetchPlayPage(location.pathname, () => {
    root.querySelector('#problem')!.textContent = noAnswer;
  });
  document.title = page.title;
  const fresh = page.querySelector('#play')!;
  root.replaceWith(fresh);
  start(fresh, performance.now());
  const heading =
    fresh.querySelector<HTMLElement>('#result, #status h2') ?? fresh.querySelector<HTMLElement>('h1')!;
  heading.setAttribute('tabindex', '-1');
  heading.focus();
};

const start = (root: Element, receivedAt: number) => {
  const data: ClientData = JSON.parse(root.querySelector('#data')!.textContent!);
  localizeTimes(root, data);
  // Formats a number and a time before the play, because creating the first formatters later would make the animation
  // stutter.
  formatNumber(data.lang, 0);
  formatTime(data.lang, data.now);
  const host = hostChannelOf(data);
  prepareBackButton(root, data, host);
  makeRulesOpenInNewWindow(root, data);
  sendStateToHost(host, data);
  sendHeightChanges(root, host);
  prepareState(root, data, host, receivedAt);
};

const prepareState = (root: Element, data: ClientData, host: HostChannel, receivedAt: number) => {
  const reloadPage = () => reload(root, data);
  const reloadUnlessBusy = () => {
    if (!root.querySelector('#go[aria-disabled]')) void reloadPage();
  };
  if (data.state === 'played' && data.outcome) {
    sceneOf(root, data);
    void showFairness(root, data, data.outcome, data.fairness);
  } else if (data.state === 'preview') {
    openOddsOnWideScreens(root);
    sceneOf(root, data);
    root.querySelector('#go')!.addEventListener('click', () => {
      root.querySelector('#problem')!.textContent = data.texts.client.previewPressed;
    });
  } else if (hasOpaqueOrigin()) {
    explainSandbox(root, data);
  } else if (data.state === 'ready') {
    openOddsOnWideScreens(root);
    prepareSoundButton(root);
    preparePlayButton({ root, data, scene: sceneOf(root, data), host, reload: reloadPage });
    startCountdown(root, data, receivedAt, reloadUnlessBusy);
  } else if (data.state === 'refused') {
    sceneOf(root, data);
    root.querySelector('#go')?.addEventListener('click', reloadUnlessBusy);
    startCountdown(root, data, receivedAt, reloadUnlessBusy);
  }
};

/** Starts the page of a game. Each game has a script of its own, so that its page does not load the others' scenes. */
export const runPlayPage = (makeScene: MakeScene) => {
  sceneOf = makeScene;
  // In a frame, limits the scene's size in pixels: if the host fits the frame to the page, a scene sized relative to
  // the frame would resize forever.
  if (isFramed()) document.documentElement.style.setProperty('--tall', '480px');
  const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
  start(document.querySelector('#play')!, navigation?.responseStart ?? 0);
};
