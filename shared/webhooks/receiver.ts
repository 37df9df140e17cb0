/** The state machine of a webhook's receiver (diagram: README.md). State `well` (no failures) is not stored. */
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { isoOf } from '../time.ts';

/**
 * The stored state of a receiver. Times are epoch milliseconds, except the ISO strings `failing_since` and
 * `disabled_at`.
 */
export type Receiver = {
  state: 'failing' | 'behind' | 'catching_up' | 'checking' | 'off';
  /** The time of the first failure since the last success. */
  failing_since?: string | undefined;
  backlog?: Backlog | undefined;
  disabled_at?: string;
  disabled_reason?: string;
  /** True from the switch-off until the organization's other webhooks have been notified. */
  notice_due?: true | undefined;
};

/** A range of records whose events backlog steps deliver in order, from the table instead of the queue. */
export type Backlog = {
  /** The start of the range (epoch milliseconds), inclusive. */
  since: number;
  /** The end of the range (epoch milliseconds), exclusive. While undefined, the range also includes all new records. */
  until?: number | undefined;
  /** Position at which the next step begins to read: the beginning of a ULID, or a ULID followed by `0`. */
  cursor: string;
  /** The number of the backlog's next step. */
  step: number;
  /** The next step's due time in epoch milliseconds. */
  due: number;
  /**
   * Number of failed steps since the last success; 1 in a new backlog, whose first step is a probe. Unless 0, a
   * wave has at most this number of records.
   */
  failed_steps: number;
};

/** Milliseconds for which a receiver must have been failing before a backlog starts. */
export const fallBehindAfterMs = 2_000;
/** Milliseconds without a success after which the webhook is switched off. */
export const maxFailureMs = 5 * 24 * 60 * 60 * 1000;
/**
 * A backlog starts up to 60 s before `failing_since`, which is the time of a second failed attempt, up to 40 s after
 * the event's commit.
 */
const firstFailureMs = 60_000;
/**
 * Maximum age in milliseconds of the records in a backlog that a failed attempt starts. A failed attempt for an older
 * record starts no backlog.
 */
const recentMs = 15 * 60_000;
/** A step counts as lost when it is 20 minutes overdue, because its SQS message is delayed by at most 15 minutes. */
const lostAfterMs = 20 * 60_000;
const minWaitMs = 5_000;
export const maxWaitMs = 15 * 60_000;

/**
 * An event that can change a receiver's state. Times are epoch milliseconds; `created` is the time of the
 * webhook's registration.
 */
export type ReceiverEvent = { now: number } & (
  | { type: 'succeeded' | 'failed' | 'stepLost' | 'gaveUp' | 'noticeSent' }
  | { type: 'stillFailing' | 'switchedOn'; created: number }
  | { type: 'stepFailed'; cursor: string; due: number }
  | { type: 'stepDone'; cursor: string; due: number; until: number | undefined; arrived: boolean }
  | { type: 'backlogDone'; cursor: string; arrived: boolean }
  | { type: 'backlogChecked'; to: string }
);
type EventOf<T extends ReceiverEvent['type']> = Extract<ReceiverEvent, { type: T }> & { type: T };
type State = Receiver['state'] | 'well';
type Transitions = {
  [T in ReceiverEvent['type']]?: (receiver: Receiver, event: EventOf<T>) => Receiver | undefined;
};

const well = () => undefined;
const failing = (_: Receiver, { now }: { now: number }): Receiver => ({
  state: 'failing',
  failing_since: isoOf(now),
});
const stepFailed: Transitions['stepFailed'] = ({ backlog, failing_since }, { cursor, due, now }) => ({
  state: 'behind',
  failing_since: failing_since ?? isoOf(now),
  backlog: {
    ...backlog!,
    until: undefined,
    cursor,
    due,
    step: backlog!.step + 1,
    failed_steps: backlog!.failed_steps + 1,
  },
});
const stepDone: Transitions['stepDone'] = (
  { state, failing_since, backlog },
  { cursor, due, until, arrived },
) => ({
  ...(arrived ? { state: 'catching_up' } : { state, failing_since }),
  backlog: { ...backlog!, cursor, due, until, step: backlog!.step + 1, failed_steps: 0 },
});
const backlogDone: Transitions['backlogDone'] = ({ failing_since, backlog }, { cursor, arrived }) =>
  failing_since !== undefined && !arrived
    ? { state: 'failing', failing_since }
    : { state: 'checking', backlog: { ...backlog!, cursor } };
/** Makes the next step due now, as a probe: it sends the events of one record. */
const probeAgain = ({ backlog }: Receiver, { now }: { now: number }): Receiver => ({
  state: 'behind',
  backlog: { ...backlog!, until: undefined, step: backlog!.step + 1, due: now, failed_steps: 1 },
});
const stepLost: Transitions['stepLost'] = (receiver, { now }) => ({
  ...receiver,
  backlog: { ...receiver.backlog!, due: now },
});
const switchedOff: Transitions['gaveUp'] = ({ failing_since, backlog }, { now }) => ({
  state: 'off',
  failing_since,
  backlog,
  disabled_at: isoOf(now),
  disabled_reason: `no delivery has succeeded since ${failing_since}`,
  // Stored together with the state `off`, so that a crash cannot lose the notice to the other webhooks.
  notice_due: true,
});
const newBacklog = (since: number, now: number): Backlog => ({
  since,
  cursor: ulidFloor(since),
  step: 1,
  due: now,
  failed_steps: 1,
});

/** The next state of a receiver, by state and event. Events that are not listed change nothing. */
const transitions: Record<State, Transitions> = {
  well: { failed: failing },
  failing: {
    succeeded: well,
    stillFailing: ({ failing_since }, { now, created }) => ({
      state: 'behind',
      failing_since,
      backlog: newBacklog(
        Math.max(Date.parse(failing_since!) - firstFailureMs, now - recentMs, created),
        now,
      ),
    }),
    gaveUp: switchedOff,
    switchedOn: well,
  },
  behind: {
    succeeded: ({ backlog }, { now }) => ({
      state: 'catching_up',
      backlog: { ...backlog!, step: backlog!.step + 1, due: now, failed_steps: 0 },
    }),
    stepFailed,
    stepDone,
    backlogDone,
    stepLost,
    gaveUp: switchedOff,
    switchedOn: probeAgain,
  },
  catching_up: {
    failed: (receiver, { now }) =>
      receiver.backlog!.until === undefined
        ? receiver
        : { ...probeAgain(receiver, { now }), failing_since: isoOf(now) },
    stepFailed,
    stepDone,
    backlogDone,
    stepLost,
    switchedOn: probeAgain,
  },
  checking: {
    failed: failing,
    backlogChecked: (receiver, { to }) => (receiver.backlog!.cursor === to ? undefined : receiver),
    switchedOn: well,
  },
  off: {
    noticeSent: ({ notice_due: _, ...receiver }) => receiver,
    switchedOn: (receiver, { now, created }) => {
      // Begins at the first failure if the backlog's cursor is later: no event has arrived since then, and the
      // switch-off ended the separate retries of events before the cursor.
      const since = Math.max(Date.parse(receiver.failing_since!) - firstFailureMs, created);
      const sinceFailure = newBacklog(since, now);
      const { backlog = sinceFailure } = receiver;
      const isEarlier = backlog.cursor < sinceFailure.cursor;
      return probeAgain(
        { ...receiver, backlog: isEarlier ? backlog : { ...sinceFailure, step: backlog.step } },
        { now },
      );
    },
  },
};

/** Applies an event. Returns the same object if nothing changes, and undefined if the new state is `well`. */
export function afterEvent(receiver: Receiver | undefined, event: ReceiverEvent): Receiver | undefined {
  const move = transitions[receiver?.state ?? 'well'][event.type] as
    | ((receiver: Receiver | undefined, event: ReceiverEvent) => Receiver | undefined)
    | undefined;
  return move ? move(receiver, event) : receiver;
}

type WithReceiver = { receiver?: Receiver | undefined };

/** Returns whether the webhook is switched off. */
export const isOff = ({ receiver }: WithReceiver): boolean => receiver?.state === 'off';

/** Returns the backlog that is still being delivered, or undefined if there is none. */
export const openBacklog = ({ receiver }: WithReceiver): Backlog | undefined =>
  receiver?.state === 'behind' || receiver?.state === 'catching_up' ? receiver.backlog : undefined;

/**
 * Returns whether the webhook's open backlog includes a record of this time, so the queue need not deliver
 * its events.
 */
export const isLeftToBacklog = (webhook: WithReceiver, recordTime: number): boolean =>
  isWithin(openBacklog(webhook), recordTime);

/** Returns whether the webhook's completed backlog has delivered a record of this time, so pending retries can end. */
export const isDeliveredByBacklog = ({ receiver }: WithReceiver, recordTime: number): boolean =>
  receiver?.state === 'checking' && isWithin(receiver.backlog, recordTime);

const isWithin = (backlog: Backlog | undefined, time: number): boolean =>
  backlog !== undefined && time >= backlog.since && time < (backlog.until ?? Number.POSITIVE_INFINITY);

/** Events of the 20 s after a backlog's end are delayed by up to 5 s, to arrive after the backlog's last events. */
const maxDelayMs = 5_000;
const delayWindowMs = 20_000;

/**
 * Returns when (epoch milliseconds) to send the events of a record committed within 20 s after a backlog's end. Returns
 * undefined for records that need no delay.
 */
export function delayedUntil({ receiver }: WithReceiver, recordTime: number): number | undefined {
  const { until = Number.POSITIVE_INFINITY, cursor } = receiver?.backlog ?? { cursor: '' };
  const sinceEndMs = recordTime - until;
  if (sinceEndMs < 0 || sinceEndMs >= delayWindowMs) return undefined;
  // If the cursor is over a minute before the backlog's end, a short delay cannot preserve the order.
  if (until - deliveredUntil({ cursor }) > 60_000) return undefined;
  return until + maxDelayMs + sinceEndMs * (1 - maxDelayMs / delayWindowMs);
}

/**
 * Returns the time of the backlog's cursor (epoch milliseconds). The events of all earlier records are delivered or
 * queued for separate retries.
 */
export const deliveredUntil = ({ cursor }: Pick<Backlog, 'cursor'>): number =>
  timeOfUlid(cursor.slice(0, 10).padEnd(26, '0'));

/** Returns whether the backlog's next step is so overdue that the SQS message that starts it counts as lost. */
export function isStepLost(webhook: WithReceiver, now: number): boolean {
  const backlog = openBacklog(webhook);
  return backlog !== undefined && now > backlog.due + lostAfterMs;
}

/** Returns whether a record is at most 15 minutes old, so that a new backlog would include it. */
export const isRecent = (recordTime: number | undefined, now: number): boolean =>
  recordTime !== undefined && recordTime >= now - recentMs;

/** Returns for how many milliseconds a receiver has been failing; 0 if it is not failing. */
export const failedForMs = ({ receiver }: WithReceiver, now: number): number =>
  receiver?.failing_since === undefined ? 0 : now - Date.parse(receiver.failing_since);

/**
 * Returns the milliseconds until a failing receiver's next backlog step: a tenth of the failure's duration, between 5 s
 * and 15 minutes.
 */
export const waitAfterFailure = (webhook: WithReceiver, now: number): number =>
  Math.min(maxWaitMs, Math.max(minWaitMs, failedForMs(webhook, now) / 10));
