/** The prize that the service drew, and what a picture of it shows. */
export type Drawn = { id: string; kind: string; text: string };

/** A game's scene: it starts on the play, goes on while the answer is awaited, and arrives at the prize. */
export type Scene = {
  start(): void;
  /** Resolves when the prize is in sight. */
  arrive(prize: Drawn): Promise<void>;
  /** Back to before the play, when there was none. */
  reset(): void;
};

export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Until the browser has drawn what was changed, so that no frame has to do all of it; not long if it draws nothing. */
export const drawn = () =>
  Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), after(100)]);

/** Longer than the way of anything that moves. */
const leapSeconds = 9;
let isLeaping = false;

/** Lets all that moves leap to its end, until something is done. */
export const leapUntil = async (done: Promise<unknown>) => {
  isLeaping = true;
  await done;
  isLeaping = false;
};

/** Calls `draw` on every frame with the seconds since the last one, until it returns false. */
export const loop = (draw: (seconds: number) => boolean | undefined) =>
  new Promise<void>((done) => {
    let last: number | undefined;
    const frame = (now: number) => {
      // A page that comes back from the background goes on where it was.
      const seconds = last === undefined ? 0 : isLeaping ? leapSeconds : Math.min(0.05, (now - last) / 1000);
      last = now;
      if (draw(seconds) === false) done();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

/** Runs `draw` from 0 to 1 over so many seconds, each time with the seconds since the last. */
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
