/**
 * Critical moments: times at which rare states are likely, such as midnight. Worlds schedule some actions and storms of
 * faults there.
 */

import type { Random } from '../support/random.ts';
import { midnightAfter } from './actors/action-times.ts';
import type { Commit, StoredItem } from './journal.ts';
import { type ItemType, typeOf } from './rules/item-types.ts';
import type { Timeline } from './timeline.ts';

const secondMs = 1000;

/** A kind of critical moment begins with a certain change of an item. */
type Kind = { of: ItemType; is: (change: Commit['changes'][number], writer: string) => boolean };

const healthOf = (webhook: StoredItem): string => webhook.receiver?.state ?? 'well';
const isMove = (from: string, to: string): Kind => ({
  of: 'webhook',
  is: ({ before, after }) => !!before && !!after && healthOf(before) === from && healthOf(after) === to,
});

/** The kinds of critical moments besides midnight. */
const kinds: Record<string, Kind> = {
  'a receiver fails': isMove('well', 'failing'),
  'a receiver recovers': isMove('paused', 'resumed'),
  'a receiver is paused': isMove('failing', 'paused'),
  'missed events are replayed': isMove('resumed', 'well'),
  'settings change': { of: 'action', is: ({ after }) => after?.action === 'changed' },
  'a hold begins or ends': { of: 'user', is: ({ before, after }) => before?.frozen !== after?.frozen },
  'spins are queued': { of: 'due', is: ({ before }) => !before },
  'a queued spin runs': {
    of: 'record',
    is: ({ after }, writer) => writer === 'workers/run-spins' && !!after,
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
  const begins = drawn.map((kind) => kinds[kind]!);
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
    onCommit({ changes, writer }) {
      const isBegun = ({ of, is }: Kind) =>
        changes.some((change) => typeOf(change.key) === of && is(change, writer));
      if (begins.some(isBegun)) begin();
    },
  };
}

/** Returns the delay of an action after the start of a critical moment: mostly a few seconds, in milliseconds. */
const delayAfterMoment = (random: Random): number =>
  random.pick([6 * secondMs * random.next(), random.around(200), random.around(10 * secondMs)]);
