/** What a webhook notes of its receiver. Pure. */
import { ulidFloor } from '../ids.ts';

/** How a webhook's receiver is, as far as it is not well; `health.ts` and `behind.ts` write it. */
export type ReceiverState = {
  /** When it failed first, without a success since. */
  failing_since?: string;
  /** When it was switched off, and why. */
  disabled_at?: string;
  disabled_reason?: string;
  /** Whether the organization's other webhooks are still to be told that it was. */
  notice_due?: boolean;
  behind?: Behind;
};

/** How far a webhook is behind: what it is not told event by event (`behind.ts`). Times in epoch milliseconds. */
export type Behind = {
  /** From when on no delivery is made for an event. */
  since: number;
  /** From when on one is made again, once all before is about to be told. */
  until?: number | undefined;
  /** The position of the first record that is not told yet: a ULID, or what one begins with. */
  at: string;
  /** The number of the next step, and when it is due. */
  step: number;
  due: number;
  /** How many steps one after the other were in vain. */
  vain: number;
};

// What failed at first had failed by so long before it was noted.
const firstFailureMs = 60_000;

/** How a webhook is behind at first, from a time on. A receiver that is known to fail is asked with one event. */
export const newlyBehind = (since: number, now: number): Behind => ({
  since,
  at: ulidFloor(since),
  step: 1,
  due: now,
  vain: 1,
});

/** How a webhook is behind whose receiver is to be asked at once; for none of its events a delivery is made. */
export const askedAnew = (behind: Behind, now: number): Behind => ({
  ...behind,
  until: undefined,
  step: behind.step + 1,
  due: now,
  vain: 1,
});

/** A webhook as if its receiver were well, but behind with what it was not told while that failed or it was off. */
export function asWell<W extends ReceiverState>(
  webhook: W,
  now: number,
): Omit<W, keyof ReceiverState> & ReceiverState {
  const {
    failing_since,
    disabled_at,
    disabled_reason: _why,
    notice_due: _due,
    behind = disabled_at && newlyBehind(Date.parse(failing_since!) - firstFailureMs, now),
    ...rest
  } = webhook;
  if (!behind) return rest;
  return { ...rest, behind: askedAnew(behind, now) };
}
