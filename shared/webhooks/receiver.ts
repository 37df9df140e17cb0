/**
 * The state machine of a webhook's receiver: its health, its backlog and whether it is switched off. Pure;
 * the diagram is in README.md. `store-receiver.ts` stores the state in the webhook's item. A well receiver
 * has no stored state.
 */
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { isoOf } from '../time.ts';

/** Times are epoch milliseconds, but for `failing_since` and `disabled_at`. */
export type Receiver = {
  state: 'failing' | 'behind' | 'catching_up' | 'checking' | 'off';
  /** When it failed first, without a success since. */
  failing_since?: string | undefined;
  backlog?: Backlog | undefined;
  disabled_at?: string;
  disabled_reason?: string;
  /** Whether the organization's other webhooks are still to be notified that it was switched off. */
  notice_due?: true | undefined;
};

/** The records whose events are delivered from the table in their order, not one by one from the queue. */
export type Backlog = {
  /** The time of the first record in the backlog, and of the first one after it. */
  since: number;
  until?: number | undefined;
  /** The position of the first record that is not delivered yet: a ULID, or its beginning. */
  cursor: string;
  /** The number of the next step, and when it is due. */
  step: number;
  due: number;
  /** Failed steps since the last success. */
  failed_steps: number;
};

/** How long a receiver fails before its webhook falls behind. */
export const fallBehindAfterMs = 2_000;
/** How long a receiver may fail without a success. */
export const longestFailureMs = 5 * 24 * 60 * 60 * 1000;
/** The backlog begins so long before the failure was noted: a second attempt fails up to 40 s after its record. */
const firstFailureMs = 60_000;
/** A delivery of an older record shows nothing of a receiver's present health, and no new backlog begins before it. */
const nearMs = 15 * 60_000;
/** A step is lost if it is overdue for longer than a message waits when nothing is wrong. */
const lostAfterMs = 20 * 60_000;
const shortestWaitMs = 5_000;
const longestWaitMs = 15 * 60_000;

/** What moves a receiver from one state to the next. `created` is when the webhook was registered. */
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
type Moves = {
  [T in ReceiverEvent['type']]?: (receiver: Receiver, event: EventOf<T>) => Receiver | undefined;
};

const well = () => undefined;
const failing = (_: Receiver, { now }: { now: number }): Receiver => ({
  state: 'failing',
  failing_since: isoOf(now),
});
const stepFailed: Moves['stepFailed'] = ({ backlog, failing_since }, { cursor, due, now }) => ({
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
const stepDone: Moves['stepDone'] = ({ state, failing_since, backlog }, { cursor, due, until, arrived }) => ({
  ...(arrived ? { state: 'catching_up' } : { state, failing_since }),
  backlog: { ...backlog!, cursor, due, until, step: backlog!.step + 1, failed_steps: 0 },
});
const backlogDone: Moves['backlogDone'] = ({ failing_since, backlog }, { cursor, arrived }) =>
  failing_since !== undefined && !arrived
    ? { state: 'failing', failing_since }
    : { state: 'checking', backlog: { ...backlog!, cursor } };
/** Delivers the next step at once, and with few events until one arrives. */
const askAnew = ({ backlog }: Receiver, { now }: { now: number }): Receiver => ({
  state: 'behind',
  backlog: { ...backlog!, until: undefined, step: backlog!.step + 1, due: now, failed_steps: 1 },
});
const stepLost: Moves['stepLost'] = (receiver, { now }) => ({
  ...receiver,
  backlog: { ...receiver.backlog!, due: now },
});
const off: Moves['gaveUp'] = ({ failing_since, backlog }, { now }) => ({
  state: 'off',
  failing_since,
  backlog,
  disabled_at: isoOf(now),
  disabled_reason: `no delivery has succeeded since ${failing_since}`,
  // Stored with the switching off, so that a crash before the notice loses nothing.
  notice_due: true,
});
const newBacklog = (since: number, now: number): Backlog => ({
  since,
  cursor: ulidFloor(since),
  step: 1,
  due: now,
  failed_steps: 1,
});

/** What each event does in each state; undefined is a well receiver. Any other event changes nothing. */
const transitions: Record<State, Moves> = {
  well: { failed: failing },
  failing: {
    succeeded: well,
    stillFailing: ({ failing_since }, { now, created }) => ({
      state: 'behind',
      failing_since,
      backlog: newBacklog(Math.max(Date.parse(failing_since!) - firstFailureMs, now - nearMs, created), now),
    }),
    gaveUp: off,
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
    gaveUp: off,
    switchedOn: askAnew,
  },
  catching_up: {
    failed: (receiver, { now }) =>
      receiver.backlog!.until === undefined
        ? receiver
        : { ...askAnew(receiver, { now }), failing_since: isoOf(now) },
    stepFailed,
    stepDone,
    backlogDone,
    stepLost,
    switchedOn: askAnew,
  },
  checking: {
    failed: failing,
    backlogChecked: (receiver, { to }) => (receiver.backlog!.cursor === to ? undefined : receiver),
    switchedOn: well,
  },
  off: {
    noticeSent: ({ notice_due: _, ...receiver }) => receiver,
    switchedOn: (receiver, { now, created }) =>
      receiver.backlog
        ? askAnew(receiver, { now })
        : {
            state: 'behind',
            backlog: newBacklog(Math.max(Date.parse(receiver.failing_since!) - firstFailureMs, created), now),
          },
  },
};

/** Returns the receiver after an event; the same one if the event changes nothing, undefined if it is well. */
export function afterEvent(receiver: Receiver | undefined, event: ReceiverEvent): Receiver | undefined {
  const move = transitions[receiver?.state ?? 'well'][event.type] as
    | ((receiver: Receiver | undefined, event: ReceiverEvent) => Receiver | undefined)
    | undefined;
  return move ? move(receiver, event) : receiver;
}

type Of = { receiver?: Receiver | undefined };

/** Whether a receiver is switched off. */
export const isOff = ({ receiver }: Of): boolean => receiver?.state === 'off';

/** The backlog whose steps are under way. */
export const openBacklog = ({ receiver }: Of): Backlog | undefined =>
  receiver?.state === 'behind' || receiver?.state === 'catching_up' ? receiver.backlog : undefined;

/** Whether the events of a record are delivered by backlog steps. */
export const isLeftToBacklog = (webhook: Of, recordTime: number): boolean =>
  isWithin(openBacklog(webhook), recordTime);

/** Whether the backlog has delivered the events of a record, so that an attempt of before is not repeated. */
export const isDeliveredByBacklog = ({ receiver }: Of, recordTime: number): boolean =>
  receiver?.state === 'checking' && isWithin(receiver.backlog, recordTime);

const isWithin = (backlog: Backlog | undefined, at: number): boolean =>
  backlog !== undefined && at >= backlog.since && at < (backlog.until ?? Number.POSITIVE_INFINITY);

/**
 * The first events after a backlog wait for its end, ever shorter, so that they arrive in the order of their
 * records.
 */
const longestHoldMs = 5_000;
const holdsForMs = 20_000;

/**
 * The time before which an event after the end of a backlog is not delivered, if the backlog ends soon or
 * just ended.
 */
export function heldUntil({ receiver }: Of, recordTime: number): number | undefined {
  const { until = Number.POSITIVE_INFINITY, cursor } = receiver?.backlog ?? { cursor: '' };
  const after = recordTime - until;
  if (after < 0 || after >= holdsForMs) return undefined;
  // A slow receiver gets new events beside its backlog.
  if (until - deliveredUntil({ cursor }) > 60_000) return undefined;
  return until + longestHoldMs + after * (1 - longestHoldMs / holdsForMs);
}

/** The time up to which a backlog is delivered. */
export const deliveredUntil = ({ cursor }: Pick<Backlog, 'cursor'>): number =>
  timeOfUlid(cursor.slice(0, 10).padEnd(26, '0'));

/** Whether the message of the next step seems to be lost. */
export function isStepLost(webhook: Of, now: number): boolean {
  const backlog = openBacklog(webhook);
  return backlog !== undefined && now > backlog.due + lostAfterMs;
}

/** Whether an attempt for a record of this time shows how the receiver is now. */
export const isNear = (recordTime: number | undefined, now: number): boolean =>
  recordTime !== undefined && recordTime >= now - nearMs;

/** Milliseconds that a receiver has failed at a time. */
export const failedForMs = ({ receiver }: Of, now: number): number =>
  receiver?.failing_since === undefined ? 0 : now - Date.parse(receiver.failing_since);

/**
 * Milliseconds until a failing receiver is asked again: a tenth of the time that it has failed, so 30 s after
 * five minutes.
 */
export const waitAfterFailure = (webhook: Of, now: number): number =>
  Math.min(longestWaitMs, Math.max(shortestWaitMs, failedForMs(webhook, now) / 10));
