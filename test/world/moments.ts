/**
 * Critical moments: times at which rare states are likely, such as midnight. Worlds schedule some actions and storms of
 * faults there.
 */
import { midnightAfter } from './actors/action-times.ts';
import type { Commit } from './journal.ts';
import type { Random } from './random.ts';
import { type ItemState, isState, itemStates } from './states.ts';
import type { Timeline } from './timeline.ts';

const secondMs = 1000;

/** The kinds of critical moments besides midnight. Each begins with a certain change of an item. */
const kinds: Record<string, ItemState> = {
  'a receiver fails': itemStates['a receiver moves from well to failing']!,
  'a receiver recovers': itemStates['a receiver moves from paused to resumed']!,
  'a receiver is paused': itemStates['a receiver moves from failing to paused']!,
  'missed events are replayed': itemStates['a receiver moves from resumed to well']!,
  'settings change': { of: 'operation', is: ({ after }) => after?.action === 'changed' },
  'a hold begins or ends': { of: 'user', is: ({ before, after }) => before?.frozen !== after?.frozen },
  'spins are queued': { of: 'due', is: ({ before }) => !before },
  'a queued spin runs': {
    of: 'record',
    is: ({ commit, after }) => commit.writer === 'workers/run-spins' && !!after,
  },
  'a webhook is called': { of: 'call', is: ({ before }) => !before },
  'rows are indexed': { of: 'block', is: () => true },
  'a play URL is created': { of: 'session', is: ({ before }) => !before },
};

export type Moments = {
  /** Resolves shortly after the next critical moment, or at `until` (epoch milliseconds) if that is earlier. */
  next(until: number): Promise<void>;
  onCommit(commit: Commit): void;
};

/** Draws the kinds of critical moments of a world. Calls `onMoment` at the start of each critical moment. */
export function createMoments(timeline: Timeline, random: Random, onMoment: () => void): Moments {
  const drawn = Array.from({ length: random.pick([0, 1, 1, 2]) }, () => random.pick(Object.keys(kinds)));
  const states = drawn.map((kind) => kinds[kind]!);
  let waiting: (() => void)[] = [];
  const begin = () => {
    onMoment();
    for (const wake of waiting.splice(0)) timeline.after(delayAfterMoment(random), wake);
  };
  // Begins three seconds before midnight, because around midnight, instances with skewed clocks disagree about the day.
  const nextMidnight = () => {
    const midnight = midnightAfter(timeline.now() + 4 * secondMs);
    timeline.after(midnight - 3 * secondMs - timeline.now(), () => {
      begin();
      nextMidnight();
    });
  };
  nextMidnight();
  return {
    next(until) {
      return new Promise((resolve) => {
        waiting.push(resolve);
        timeline.after(until - timeline.now(), () => {
          waiting = waiting.filter((one) => one !== resolve);
          resolve();
        });
      });
    },
    onCommit(commit) {
      if (states.length > 0 && states.some((state) => isState(state, commit))) begin();
    },
  };
}

/** Returns the delay of an action after the start of a critical moment: mostly a few seconds, in milliseconds. */
const delayAfterMoment = (random: Random): number =>
  random.pick([6 * secondMs * random.next(), random.around(200), random.around(10 * secondMs)]);
