import type { PageData } from '../page-data.ts';
import { number } from '../text.ts';
import { medal, type WinSize, type Won, winSizeOf } from '../won.ts';
import { reducedMotion } from './motion.ts';
import { sounds } from './sound.ts';

/** Vibration patterns by the size of the win: milliseconds on, off, on, … */
const vibrations: Record<WinSize, number[]> = {
  small: [15],
  nice: [20, 60, 20],
  big: [30, 60, 30, 60, 60],
  grand: [40, 60, 40, 60, 40, 60, 200],
};

export const celebrate = (root: Element, data: PageData, won: Won) => {
  const size = winSizeOf(won, data.cost ?? 0);
  const coin = root.querySelector('#medal')!;
  coin.innerHTML = medal(data.lang, won).html;
  coin.classList.add('show', size);
  if (size !== 'small') root.querySelector('#stage')!.classList.add('won');
  sounds.won(size);
  if (!reducedMotion()) navigator.vibrate?.(vibrations[size]);
};

export const changeBalance = (root: Element, { lang }: PageData, balance: number, change: number) => {
  const shown = root.querySelector('#balance');
  if (!shown) return;
  shown.textContent = number(lang, balance);
  if (change === 0 || reducedMotion()) return;
  const moving = document.createElement('i');
  moving.className = change < 0 ? 'spent' : 'gained';
  moving.textContent = `${change < 0 ? '−' : '+'}${number(lang, Math.abs(change))}`;
  moving.setAttribute('aria-hidden', 'true');
  moving.addEventListener('animationend', () => moving.remove());
  shown.after(moving);
};
