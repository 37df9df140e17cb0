import type { WinSize } from '../won.ts';

const scales: Record<WinSize, number[]> = {
  small: [659, 784],
  nice: [523, 659, 784],
  big: [523, 659, 784, 1047],
  grand: [523, 659, 784, 1047, 784, 1047, 1319],
};

/** Milliseconds from a sound's start until the audio device is suspended. */
const suspendAfterMs = 2_000;

/** Undefined while the player has sound off. */
let audio: AudioContext | undefined;
let suspendTimer: ReturnType<typeof setTimeout>;

const tone = (hertz: number, delay: number, seconds: number, loudness: number) => {
  if (!audio) return;
  void audio.resume();
  clearTimeout(suspendTimer);
  suspendTimer = setTimeout(() => audio?.suspend(), suspendAfterMs);
  const from = audio.currentTime + delay;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(loudness, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + seconds);
  const source = audio.createOscillator();
  source.type = 'triangle';
  source.frequency.value = hertz;
  source.connect(volume).connect(audio.destination);
  source.start(from);
  source.stop(from + seconds);
};

/** Short synthesized sounds. Each call is silent while the player has sound off. */
export const sounds = {
  tick: () => tone(1500, 0, 0.04, 0.1),
  won: (size: WinSize) => {
    for (const [i, hertz] of scales[size].entries()) tone(hertz, i * 0.12, 0.5, 0.2);
  },
};

/** Shows the sound switch, which is off whenever a page is loaded. */
export const prepareSoundButton = (root: Element) => {
  const button = root.querySelector<HTMLElement>('#sound');
  if (!button || !globalThis.AudioContext) return;
  const show = () => button.setAttribute('aria-pressed', String(!!audio));
  button.hidden = false;
  show();
  button.addEventListener('click', () => {
    void audio?.close();
    audio = audio ? undefined : new AudioContext();
    sounds.tick();
    show();
  });
};
