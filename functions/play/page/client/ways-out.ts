import type { PageData } from '../page-data.ts';
import { fill } from '../text.ts';
import { type Host, reasonOf } from './host.ts';

/** Milliseconds in which a listening host can remove the page, before the page follows the return address. */
const graceMs = 400;

/** Whether another page frames this one. */
export const isFramed = () => window !== top;

const showProblem = (root: Element, text: string) => {
  root.querySelector('#problem')!.textContent = text;
};

/**
 * Shows, above the way back, that the frame's sandbox prevents the play, and the permission that it lacks.
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
 * Wires the way back. Sends `done` to the host, then follows the return address unless the host removed the
 * page.
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

/** Opens the rules outside the frame, or shows their address if the sandbox forbids it. */
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
      // A sandboxed frame cannot clear `opener`. The opened page cannot reach such a frame anyway.
    }
  });
};
