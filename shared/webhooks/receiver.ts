/** The health of a webhook's receiver: pure functions on the field `receiver`, which is absent while calls succeed. */
import { timeOfUlid } from '../ids.ts';
import { isoOf } from '../time.ts';
import type { Delivery } from './delivery-queue.ts';

export type MissedEvent = Required<Pick<Delivery, 'event_id' | 'event_type' | 'record'>>;

/** Times are epoch milliseconds, except the ISO strings `failing_since` and `disabled_at`. */
export type Receiver = {
  /**
   * `failing`: no success since `failing_since`. `paused`: no events are queued; probes are. `resumed`: missed events
   * are being replayed. `off`: nothing is sent but invocations.
   */
  state: 'failing' | 'paused' | 'resumed' | 'off';
  failing_since?: string | undefined;
  /** The cursor: events of records from this time on are missed if the receiver is paused, and replayed later. */
  missed_from: number;
  /** Later events are queued as usual while missed ones are replayed. */
  missed_to?: number | undefined;
  /** The time of the oldest record whose event failed since `failing_since`. */
  failed_from?: number | undefined;
  interruptions?: number | undefined;
  probe?: MissedEvent | undefined;
  /** The position of the last probe; the next one searches after it. Absent: from `missed_from`. */
  probed_until?: string | undefined;
  /** The earliest time of the next probe, as the receiver's `Retry-After` asked. */
  quiet_until?: number | undefined;
  disabled_at?: string;
  disabled_reason?: string;
};

/** Milliseconds from a failed second attempt, 5 s after the first, until a receiver is paused. */
export const pausedAfterMs = 5_000;
/** Milliseconds without a success after which a webhook is switched off. */
export const switchedOffAfterMs = 5 * 24 * 60 * 60 * 1000;
/** A replay begins this many milliseconds before the first failure. */
export const replayMarginMs = 60_000;
/** For so long after a receiver resumed, another function may read it as paused, and not queue an event. */
const maxSkewMs = 10_000;

/** The attempt that tells whether a receiver works: the first often fails, later ones fail because of the event. */
export const tellingAttempt = 2;

/** `created`: registration time of the webhook. */
export type FailedAttempt = { event: MissedEvent; waitSeconds: number; created: number };

// After more interruptions, the cursor no longer moves back to a failed event: it would be replayed forever.
const maxInterruptions = 3;

export function afterFailure(receiver: Receiver | undefined, failure: FailedAttempt, now: number): Receiver {
  const { event, waitSeconds, created } = failure;
  if (receiver?.state === 'off') return receiver;
  const quiet = waitSeconds > 0 ? { quiet_until: now + waitSeconds * 1000 } : {};
  const missedFrom = Math.max(created, now - replayMarginMs);
  const before: Receiver = receiver ?? { state: 'failing', missed_from: missedFrom };
  if (before.failing_since === undefined) {
    const missed_from = Math.min(before.missed_from, missedFrom);
    const failing = { failing_since: isoOf(now), failed_from: timeOfUlid(event.record.ulid), ...quiet };
    return { ...before, missed_from, probe: before.probe ?? event, ...failing };
  }
  const failed_from = Math.min(before.failed_from ?? Infinity, timeOfUlid(event.record.ulid));
  // Only sweeps switch a paused receiver off, because they tell operators.
  if (before.state === 'paused') return waitSeconds > 0 ? { ...before, failed_from, ...quiet } : before;
  const isOlder = failed_from !== before.failed_from;
  return pausedIfDue(isOlder || waitSeconds > 0 ? { ...before, failed_from, ...quiet } : before, now);
}

/** Pauses a receiver without a success for ten seconds. Switches a paused one off after five days. */
export function pausedIfDue(receiver: Receiver, now: number): Receiver {
  const { state, failing_since } = receiver;
  const failedForMs = failing_since === undefined ? 0 : now - Date.parse(failing_since);
  if (state === 'off') return receiver;
  if (state === 'paused')
    return failedForMs < switchedOffAfterMs
      ? receiver
      : {
          ...receiver,
          state: 'off',
          disabled_at: isoOf(now),
          disabled_reason: `no delivery has succeeded since ${failing_since}`,
        };
  if (failedForMs < pausedAfterMs) return receiver;
  const { missed_from, failed_from = missed_from, interruptions = 0, missed_to: _, ...rest } = receiver;
  return {
    ...rest,
    state: 'paused',
    missed_from: interruptions < maxInterruptions ? Math.min(missed_from, failed_from) : missed_from,
    interruptions: interruptions + 1,
  };
}

export function afterSuccess(receiver: Receiver | undefined, now: number): Receiver | undefined {
  if (receiver?.state === 'failing') return undefined;
  if (receiver?.state === 'paused') {
    const { missed_from, interruptions } = receiver;
    return { state: 'resumed', missed_from, missed_to: now + maxSkewMs, interruptions };
  }
  if (receiver?.state !== 'resumed' || receiver.failing_since === undefined) return receiver;
  const { failing_since: _, failed_from: __, quiet_until: ___, probe: ____, ...resumed } = receiver;
  return resumed;
}

export function afterSwitchOn(receiver: Receiver | undefined): Receiver | undefined {
  if (receiver?.state !== 'off' && receiver?.state !== 'paused') return receiver;
  const { missed_from, probe, interruptions } = receiver;
  return { state: 'paused', missed_from, probe, interruptions };
}

type WithReceiver = { receiver?: Receiver | undefined };

export const isSwitchedOff = ({ receiver }: WithReceiver): boolean => receiver?.state === 'off';
export const isPaused = ({ receiver }: WithReceiver): boolean =>
  receiver?.state === 'paused' || receiver?.state === 'off';
export const isEventMissed = ({ receiver }: WithReceiver, recordTime: number): boolean =>
  isPaused({ receiver }) && recordTime >= receiver!.missed_from;
