import type { PageData } from '../page-data.ts';
import { fill } from '../text.ts';
import { type Host, reasonOf } from './host.ts';

/**
 * A host that receives `done` has this many milliseconds to close the page. After that, the page opens the
 * return address itself.
 */
const graceMs = 400;

/** Returns whether the play page is shown in a frame of another page. */
export const isFramed = () => window !== top;

const showProblem = (root: Element, text: string) => {
  root.querySelector('#problem')!.textContent = text;
};

/**
 * Replaces the play button by an explanation: the frame's sandbox lacks `allow-same-origin`, without which
 * the page cannot request an outcome.
 */
export const explainCutOff = (root: Element, { texts }: PageData) => {
  if (!root.querySelector('#go')) return;
  for (const obsolete of root.querySelectorAll('#go, #left')) obsolete.remove();
  root.setAttribute('data-state', 'refused');
  const status = root.querySelector('#status')!;
  status.className = 'result';
  status.textContent = texts.client.cutOff;
};

/**
 * Handles the link back to the host. Sends `done` to the host, then opens the return address if the host has
 * not closed the page.
 */
export const prepareBack = (root: Element, { texts }: PageData, host: Host) => {
  const back = root.querySelector<HTMLElement>('#back');
  if (!back) return;
  if (host.isListening) back.hidden = false;
  const leave = () => {
    const address = back.getAttribute('href');
    if (address === null) return showProblem(root, texts.client.close);
    try {
      top!.location.href = address;
    } catch {
      showProblem(root, fill(texts.client.backAt, { url: address }));
    }
  };
  back.addEventListener('click', (event) => {
    event.preventDefault();
    host.tell('done', { reason: reasonOf(root) });
    if (host.isListening) setTimeout(leave, graceMs);
    else leave();
  });
};

/**
 * Opens the rules in a new window if the page is framed. If the sandbox forbids new windows, shows the rules'
 * address as text.
 */
export const prepareRules = (root: Element, { texts }: PageData) => {
  const rules = root.querySelector<HTMLAnchorElement>('#rules');
  if (!isFramed()) return;
  rules?.addEventListener('click', (event) => {
    event.preventDefault();
    const opened = open(rules.href);
    if (!opened) return showProblem(root, fill(texts.client.rulesAt, { url: rules.href }));
    try {
      opened.opener = null;
    } catch {
      // Ignores the error: a sandboxed frame cannot clear the `opener` of the new window. The browser
      // isolates the frame and the new window from each other anyway.
    }
  });
};
