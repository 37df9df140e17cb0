import type { ClientData } from '../page-data.ts';
import { fillIn } from '../text.ts';
import { doneReasonOf, type HostChannel } from './host.ts';

/** Milliseconds from sending `done` to opening the return address, in which the host can close the page. */
const graceMs = 400;

export const isFramed = () => window !== top;

const showProblem = (root: Element, text: string) => {
  root.querySelector('#problem')!.textContent = text;
};

/** Tells the host's engineers which permission the frame lacks. Players could do nothing about it. */
const warnLacking = (permission: string) =>
  console.warn(`Incentives: the sandbox of this frame lacks "${permission}".`);

/** Replaces the play button by an explanation: a sandbox without `allow-same-origin` blocks the play's request. */
export const explainSandbox = (root: Element, { texts }: ClientData) => {
  if (!root.querySelector('#go')) return;
  for (const obsolete of root.querySelectorAll('#go, #left')) obsolete.remove();
  warnLacking('allow-same-origin');
  root.setAttribute('data-state', 'refused');
  const status = root.querySelector('#status')!;
  status.className = 'result';
  status.textContent = texts.client.cutOff;
};

/** Handles the link back to the host: sends `done`, then opens the return address unless the host closes the page. */
export const prepareBackButton = (root: Element, { texts }: ClientData, host: HostChannel) => {
  const back = root.querySelector<HTMLElement>('#back');
  if (!back) return;
  if (host.isListening) back.hidden = false;
  const leave = () => {
    const address = back.getAttribute('href');
    if (address === null) return showProblem(root, texts.client.close);
    try {
      top!.location.href = address;
    } catch {
      warnLacking('allow-top-navigation-by-user-activation');
      showProblem(root, fillIn(texts.client.backAt, { url: address }));
    }
  };
  back.addEventListener('click', (event) => {
    event.preventDefault();
    host.send('done', { reason: doneReasonOf(root) });
    if (host.isListening) setTimeout(leave, graceMs);
    else leave();
  });
};

export const makeRulesOpenInNewWindow = (root: Element, { texts }: ClientData) => {
  const rules = root.querySelector<HTMLAnchorElement>('#rules');
  if (!isFramed()) return;
  rules?.addEventListener('click', (event) => {
    event.preventDefault();
    const opened = open(rules.href);
    if (!opened) {
      warnLacking('allow-popups');
      return showProblem(root, fillIn(texts.client.rulesAt, { url: rules.href }));
    }
    try {
      opened.opener = null;
    } catch {
      // In a sandboxed frame, setting `opener` throws. This is safe: the browser isolates the new window anyway.
    }
  });
};
