/** `text` is the text on the prize's wedge of the wheel. */
export type DrawnPrize = { id: string; kind: string; text: string };

/** `start` is called when the player presses play, `arrive` with the outcome. */
export type Scene = {
  start(): void;
  arrive(prize: DrawnPrize): Promise<void>;
  /** Resets the animation to its first frame, after a play without an outcome. */
  reset(): void;
};

export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Resolves after the browser has rendered the page, or after 100 ms, for example in a hidden tab. */
export const nextPaint = () =>
  Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), wait(100)]);

/** A time step, in seconds, that takes every animation to its end in one frame. */
const skipSeconds = 9;
let isSkipping = false;

/** While `promise` is pending, makes all animations jump to their end. */
export const skipAnimationsUntil = async (promise: Promise<unknown>) => {
  isSkipping = true;
  try {
    await promise;
  } finally {
    isSkipping = false;
  }
};

/** Calls `draw` on every frame with the seconds since the previous frame, until `draw` returns false. */
export const eachFrame = (draw: (seconds: number) => boolean | undefined) =>
  new Promise<void>((done) => {
    let last: number | undefined;
    const frame = (now: number) => {
      // Limits the step to 50 ms, so that an animation does not jump after the tab was hidden.
      const seconds = last === undefined ? 0 : isSkipping ? skipSeconds : Math.min(0.05, (now - last) / 1000);
      last = now;
      if (draw(seconds) === false) done();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

/** Calls `draw` on every frame for `duration` seconds. `progress` runs from 0 to 1. */
export const animate = (duration: number, draw: (progress: number, seconds: number) => void) => {
  let elapsed = 0;
  return eachFrame((seconds) => {
    elapsed += seconds;
    draw(Math.min(1, elapsed / duration), seconds);
    return elapsed < duration;
  });
};

export const easeInOut = (t: number) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);

export const interpolate = (from: number, to: number, share: number) => from + (to - from) * share;

export const moveTo = (element: Element | null, x: number, y: number, transforms = '') =>
  element?.setAttribute('transform', `translate(${x.toFixed(2)} ${y.toFixed(2)})${transforms}`);
