import type { ClientData } from '../page-data.ts';
import { formatNumber } from '../text.ts';
import type { Lang } from '../view.ts';
import { amountText, coinMarkup, type Win, type WinSize, winSizeOf } from '../won.ts';
import { animate, easeInOut, reducedMotion } from './motion.ts';
import { sounds } from './sound.ts';

/** Vibration patterns by the size of the win: milliseconds on, off, on, … */
const vibrations: Record<WinSize, number[]> = {
  small: [15],
  nice: [20, 60, 20],
  big: [30, 60, 30, 60, 60],
  grand: [40, 60, 40, 60, 40, 60, 200],
};

export const celebrateWin = (root: Element, data: ClientData, won: Win) => {
  const size = winSizeOf(won, data.cost ?? 0);
  const coin = root.querySelector('#medal')!;
  coin.innerHTML = coinMarkup(data.lang, won).html;
  coin.classList.add('show', size);
  if (size !== 'small') root.querySelector('#stage')!.classList.add('won');
  sounds.won(size);
  if (reducedMotion()) return;
  navigator.vibrate?.(vibrations[size]);
  void countUp(coin, data.lang, won, countSeconds[size]);
};

/** Seconds in which the amount on the coin counts up, by the size of the win. */
const countSeconds: Record<WinSize, number> = { small: 0, nice: 0.5, big: 1, grand: 2 };

const countUp = (coin: Element, lang: Lang, { kind, amount }: Win, seconds: number) => {
  const shown = coin.querySelector('b');
  if (!shown || seconds === 0) return;
  return animate(seconds, (progress) => {
    const part = progress === 1 ? amount : Math.floor(amount * easeInOut(progress));
    shown.textContent = amountText(lang, { kind, amount: part });
  });
};

export const showBalanceChange = (root: Element, { lang }: ClientData, balance: number, change: number) => {
  const shown = root.querySelector('#balance');
  if (!shown) return;
  shown.textContent = formatNumber(lang, balance);
  if (change === 0 || reducedMotion()) return;
  const moving = document.createElement('i');
  moving.className = change < 0 ? 'spent' : 'gained';
  moving.textContent = `${change < 0 ? '−' : '+'}${formatNumber(lang, Math.abs(change))}`;
  moving.setAttribute('aria-hidden', 'true');
  moving.addEventListener('animationend', () => moving.remove());
  shown.after(moving);
};
