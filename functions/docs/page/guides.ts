import embed from './guides/embed.md?text';
import events from './guides/events.md?text';
import fairness from './guides/fairness.md?text';
import live from './guides/live.md?text';
import repeat from './guides/repeat.md?text';
import start from './guides/start.md?text';
import sweepstakes from './guides/sweepstakes.md?text';
import webhooks from './guides/webhooks.md?text';

/** `page` is the name of the guide in its URL. */
export type Guide = { page: string; title: string; html: string };

export const guides: Guide[] = [
  { page: 'start', title: 'Integrate in ten minutes', html: start },
  { page: 'repeat', title: 'Repeat safely', html: repeat },
  { page: 'embed', title: 'Embed the page', html: embed },
  { page: 'webhooks', title: 'Receive webhooks', html: webhooks },
  { page: 'events', title: 'Miss no event', html: events },
  { page: 'fairness', title: 'Fairness in plain words', html: fairness },
  { page: 'live', title: 'Go live', html: live },
  { page: 'sweepstakes', title: 'Run a sweepstakes', html: sweepstakes },
];
