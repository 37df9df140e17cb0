import type { Clock } from './clock.ts';

/** A bell that wakes everybody who waits for it. */
export type Bell = {
  ring(): void;
  /** Resolves when the bell rings, the milliseconds have passed or the signal aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** Makes a bell whose waits end by this clock. */
export function createBell(clock: Clock): Bell {
  let rung = new AbortController();
  return {
    ring() {
      const previous = rung;
      rung = new AbortController();
      previous.abort();
    },
    async wait(milliseconds, signal) {
      const current = rung.signal;
      await clock.wait(milliseconds, signal ? AbortSignal.any([current, signal]) : current);
    },
  };
}
