/** The prize that the service drew, with its words on the wheel. */
export type Drawn = { id: string; kind: string; text: string };

/** A game's animation. It starts with the play, runs while the page waits, and ends at the prize. */
export type Scene = {
  start(): void;
  /** Resolves when the prize is visible. */
  arrive(prize: Drawn): Promise<void>;
  /** Returns to the start, if there was no outcome. */
  reset(): void;
};

export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Resolves after the browser has drawn the latest changes, or after 100 ms if it does not draw. Spreads work
 * over frames.
 */
export const drawn = () =>
  Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), after(100)]);

/** Seconds by which a finished animation advances; longer than any animation. */
const leapSeconds = 9;
let isLeaping = false;

/** Finishes all animations immediately, until `done` resolves. */
export const leapUntil = async (done: Promise<unknown>) => {
  isLeaping = true;
  await done;
  isLeaping = false;
};

/** Calls `draw` on every frame with the seconds since the previous one, until it returns false. */
export const loop = (draw: (seconds: number) => boolean | undefined) =>
  new Promise<void>((done) => {
    let last: number | undefined;
    const frame = (now: number) => {
      // Limits the step, so that a page that returns from the background continues where it stopped.
      const seconds = last === undefined ? 0 : isLeaping ? leapSeconds : Math.min(0.05, (now - last) / 1000);
      last = now;
      if (draw(seconds) === false) done();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

/**
 * Calls `draw` with a progress from 0 to 1 over `duration` seconds, and the seconds since the previous call.
 */
export const tween = (duration: number, draw: (progress: number, seconds: number) => void) => {
  let elapsed = 0;
  return loop((seconds) => {
    elapsed += seconds;
    draw(Math.min(1, elapsed / duration), seconds);
    return elapsed < duration;
  });
};

export const easeInOut = (t: number) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);

export const mix = (from: number, to: number, share: number) => from + (to - from) * share;

export const move = (element: Element | null, x: number, y: number, more = '') =>
  element?.setAttribute('transform', `translate(${x.toFixed(2)} ${y.toFixed(2)})${more}`);
