import embed from './guides/embed.md?text';
import events from './guides/events.md?text';
import fairness from './guides/fairness.md?text';
import live from './guides/live.md?text';
import reconcile from './guides/reconcile.md?text';
import repeat from './guides/repeat.md?text';
import spins from './guides/spins.md?text';
import start from './guides/start.md?text';
import sweepstakes from './guides/sweepstakes.md?text';
import webhooks from './guides/webhooks.md?text';

/** `page` is the name of the guide in its URL. */
export type Guide = { page: string; title: string; markdown: string };

export const guides: Guide[] = [
  { page: 'start', title: 'Integrate in ten minutes', markdown: start },
  { page: 'repeat', title: 'Repeat safely', markdown: repeat },
  { page: 'embed', title: 'Embed the page', markdown: embed },
  { page: 'webhooks', title: 'Receive webhooks', markdown: webhooks },
  { page: 'events', title: 'Miss no event', markdown: events },
  { page: 'spins', title: 'Free spins', markdown: spins },
  { page: 'reconcile', title: 'Reconcile every night', markdown: reconcile },
  { page: 'fairness', title: 'Fairness in plain words', markdown: fairness },
  { page: 'live', title: 'Go live', markdown: live },
  { page: 'sweepstakes', title: 'Run a sweepstakes', markdown: sweepstakes },
];
