import type { ClientData } from '../page-data.ts';
import { fillIn, plural } from '../text.ts';

/** Numbers of remaining minutes at which screen readers announce the remaining time. */
const announcements = [5, 1];

const clock = (seconds: number) => {
  const rest = String(seconds % 60).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${rest}`;
};

export const startCountdown = (root: Element, data: ClientData, receivedAt: number, onEnd: () => void) => {
  const left = root.querySelector('#left');
  const warn = root.querySelector('#warn');
  if (!left || !data.expires_at) return;
  const span = Date.parse(data.expires_at) - Date.parse(data.now);
  const wallStart = Date.now() - (performance.now() - receivedAt);
  let announced = Number.POSITIVE_INFINITY;
  const tick = () => {
    if (!root.isConnected || root.getAttribute('data-state') === 'played') return clearInterval(timer);
    // Takes the clock that advanced more: `performance.now()` may stop during sleep, and `Date.now()` can be set back.
    const elapsed = Math.max(performance.now() - receivedAt, Date.now() - wallStart);
    const seconds = Math.max(0, Math.ceil((span - elapsed) / 1000));
    left.textContent = fillIn(data.texts.client.left, { time: clock(seconds) });
    left.classList.toggle('soon', seconds <= 300);
    const due = announcements.filter((minutes) => seconds <= minutes * 60).pop();
    if (warn && due !== undefined && due < announced && seconds > 0) {
      announced = due;
      warn.textContent = plural(data.lang, data.texts.client.minutesLeft, Math.ceil(seconds / 60));
    }
    if (seconds > 0) return;
    clearInterval(timer);
    left.textContent = data.texts.client.timeUp;
    onEnd();
  };
  const timer = setInterval(tick, 500);
  tick();
};
