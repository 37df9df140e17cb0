import type { PageData } from '../page-data.ts';
import { fill } from '../text.ts';
import { type Host, reasonOf } from './host.ts';

/** For so long a host that is told may take the page away, before the page goes where it leads by itself. */
const graceMs = 400;

/** Whether another page shows this one, which then has as much room as that gives it. */
export const isFramed = () => window !== top;

const say = (root: Element, text: string) => {
  root.querySelector('#problem')!.textContent = text;
};

/** Says what is missing for the page to be played in this frame: it is one that is refused, with the way back below. */
export const explainCutOff = (root: Element, { texts }: PageData) => {
  if (!root.querySelector('#go')) return;
  for (const gone of root.querySelectorAll('#go, #left')) gone.remove();
  root.setAttribute('data-state', 'refused');
  const status = root.querySelector('#status')!;
  status.className = 'result';
  status.textContent = texts.client.cutOff;
};

/** Makes the way back tell the host that the player is done, and lead to its address unless that takes the page away. */
export const prepareBack = (root: Element, { texts }: PageData, host: Host) => {
  const back = root.querySelector<HTMLElement>('#back');
  if (!back) return;
  if (host.isListening) back.hidden = false;
  const leave = () => {
    const address = back.getAttribute('href');
    if (address === null) return say(root, texts.client.close);
    try {
      top!.location.href = address;
    } catch {
      say(root, fill(texts.client.backAt, { url: address }));
    }
  };
  back.addEventListener('click', (event) => {
    event.preventDefault();
    host.tell('done', { reason: reasonOf(root) });
    if (host.isListening) setTimeout(leave, graceMs);
    else leave();
  });
};

/** Makes the rules open outside a frame, or says where they are if its sandbox does not let them. */
export const prepareRules = (root: Element, { texts }: PageData) => {
  const rules = root.querySelector<HTMLAnchorElement>('#rules');
  if (!isFramed()) return;
  rules?.addEventListener('click', (event) => {
    event.preventDefault();
    const opened = open(rules.href);
    if (!opened) return say(root, fill(texts.client.rulesAt, { url: rules.href }));
    try {
      opened.opener = null;
    } catch {
      // A frame without an origin may not, and has nothing that could be reached by it.
    }
  });
};
