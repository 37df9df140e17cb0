import type { Moment } from '../won.ts';

const scales: Record<Moment, number[]> = {
  small: [659, 784],
  nice: [523, 659, 784],
  big: [523, 659, 784, 1047],
  grand: [523, 659, 784, 1047, 784, 1047, 1319],
};

/** Longer than any sound: so long after the last one the device's audio may rest. */
const restAfterMs = 2_000;

/** Is there while the switch is on. */
let audio: AudioContext | undefined;
let resting: ReturnType<typeof setTimeout>;

const tone = (hertz: number, after: number, seconds: number, loudness: number) => {
  if (!audio) return;
  void audio.resume();
  clearTimeout(resting);
  resting = setTimeout(() => audio?.suspend(), restAfterMs);
  const from = audio.currentTime + after;
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

/** Short sounds that the browser makes itself; none while the switch is off. */
export const sounds = {
  tick: () => tone(1500, 0, 0.04, 0.1),
  won: (moment: Moment) => {
    for (const [i, hertz] of scales[moment].entries()) tone(hertz, i * 0.12, 0.5, 0.2);
  },
};

/** Wires the page's switch for sound, which is off until it is pressed, on each page anew. */
export const wireSound = (root: Element) => {
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
