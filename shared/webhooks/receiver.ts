/**
 * The state machine of a webhook's receiver: its health, its backlog and whether it is switched off. Pure
 * functions; README.md has the diagram. `store-receiver.ts` stores the state in the webhook's item. A well
 * receiver has no stored state.
 */
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { isoOf } from '../time.ts';

/**
 * The stored state of a receiver. Times are epoch milliseconds, except the ISO strings `failing_since` and
 * `disabled_at`.
 */
export type Receiver = {
  state: 'failing' | 'behind' | 'catching_up' | 'checking' | 'off';
  /** The first failure since the last success. */
  failing_since?: string | undefined;
  backlog?: Backlog | undefined;
  disabled_at?: string;
  disabled_reason?: string;
  /** Whether the organization's other webhooks have not been notified yet that this one was switched off. */
  notice_due?: true | undefined;
};

/** A range of records whose events are delivered from the table in order, not one by one from the queue. */
export type Backlog = {
  /**
   * The start of the range, included, and its end, excluded. Without an end, the range includes all new
   * records.
   */
  since: number;
  until?: number | undefined;
  /** The position of the first record that is not delivered yet: a ULID or a prefix of one. */
  cursor: string;
  /** The number of the next step and its due time. */
  step: number;
  due: number;
  /** Failed steps since the last success. */
  failed_steps: number;
};

/** Time between the first failure and the start of a backlog. */
export const fallBehindAfterMs = 2_000;
/** Time without a success after which a receiver is switched off. */
export const longestFailureMs = 5 * 24 * 60 * 60 * 1000;
/**
 * A backlog starts 60 s before the first noted failure: a second attempt fails up to 40 s after the record's
 * commit.
 */
const firstFailureMs = 60_000;
/**
 * Attempts for records older than 15 minutes do not count for a receiver's health, and a backlog of a failing
 * receiver does not start earlier.
 */
const recentMs = 15 * 60_000;
/**
 * A step this long overdue is lost, since without faults a message waits for less. The organization's next
 * event queues the step again.
 */
const lostAfterMs = 20 * 60_000;
const shortestWaitMs = 5_000;
const longestWaitMs = 15 * 60_000;

/** An event that can change a receiver's state. `created` is the time of the webhook's registration. */
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
/** Makes the next step due at once. One failed step limits its batches until an event arrives. */
const probeAgain = ({ backlog }: Receiver, { now }: { now: number }): Receiver => ({
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
  // Stored together with the state `off`, so that the notice survives a crash before it is sent.
  notice_due: true,
});
const newBacklog = (since: number, now: number): Backlog => ({
  since,
  cursor: ulidFloor(since),
  step: 1,
  due: now,
  failed_steps: 1,
});

/**
 * The next state by state and event; undefined is a well receiver. An event that is not listed changes nothing.
 */
const transitions: Record<State, Moves> = {
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
    switchedOn: (receiver, { now, created }) =>
      receiver.backlog
        ? probeAgain(receiver, { now })
        : {
            state: 'behind',
            backlog: newBacklog(Math.max(Date.parse(receiver.failing_since!) - firstFailureMs, created), now),
          },
  },
};

/**
 * Returns the receiver after an event: the same object if the event changes nothing, undefined if the receiver
 * is well.
 */
export function afterEvent(receiver: Receiver | undefined, event: ReceiverEvent): Receiver | undefined {
  const move = transitions[receiver?.state ?? 'well'][event.type] as
    | ((receiver: Receiver | undefined, event: ReceiverEvent) => Receiver | undefined)
    | undefined;
  return move ? move(receiver, event) : receiver;
}

type WithReceiver = { receiver?: Receiver | undefined };

/** Returns whether a receiver is switched off. */
export const isOff = ({ receiver }: WithReceiver): boolean => receiver?.state === 'off';

/** Returns the backlog that steps are delivering, if there is one. */
export const openBacklog = ({ receiver }: WithReceiver): Backlog | undefined =>
  receiver?.state === 'behind' || receiver?.state === 'catching_up' ? receiver.backlog : undefined;

/** Returns whether backlog steps deliver the events of a record with this time. */
export const isLeftToBacklog = (webhook: WithReceiver, recordTime: number): boolean =>
  isWithin(openBacklog(webhook), recordTime);

/**
 * Returns whether the backlog has already delivered the events of a record, so that pending retries can end.
 */
export const isDeliveredByBacklog = ({ receiver }: WithReceiver, recordTime: number): boolean =>
  receiver?.state === 'checking' && isWithin(receiver.backlog, recordTime);

const isWithin = (backlog: Backlog | undefined, at: number): boolean =>
  backlog !== undefined && at >= backlog.since && at < (backlog.until ?? Number.POSITIVE_INFINITY);

/**
 * Events of the first 20 s after a backlog's end are held for up to 5 s, ever shorter, so that they do not
 * overtake the backlog's last events.
 */
const longestHoldMs = 5_000;
const holdsForMs = 20_000;

/**
 * Returns the time until which the event of a record is held because the record follows the end of a backlog.
 * Returns undefined if the event need not be held.
 */
export function heldUntil({ receiver }: WithReceiver, recordTime: number): number | undefined {
  const { until = Number.POSITIVE_INFINITY, cursor } = receiver?.backlog ?? { cursor: '' };
  const after = recordTime - until;
  if (after < 0 || after >= holdsForMs) return undefined;
  // A backlog that ends more than a minute after its cursor belongs to a slow receiver, which gets new events
  // at once.
  if (until - deliveredUntil({ cursor }) > 60_000) return undefined;
  return until + longestHoldMs + after * (1 - longestHoldMs / holdsForMs);
}

/** Returns the time up to which a backlog is delivered. */
export const deliveredUntil = ({ cursor }: Pick<Backlog, 'cursor'>): number =>
  timeOfUlid(cursor.slice(0, 10).padEnd(26, '0'));

/** Returns whether the next step is so overdue that its message must be lost. */
export function isStepLost(webhook: WithReceiver, now: number): boolean {
  const backlog = openBacklog(webhook);
  return backlog !== undefined && now > backlog.due + lostAfterMs;
}

/** Returns whether a record is recent enough for its attempts to show a receiver's present health. */
export const isRecent = (recordTime: number | undefined, now: number): boolean =>
  recordTime !== undefined && recordTime >= now - recentMs;

/** Returns for how many milliseconds a receiver has been failing; 0 if it is not failing. */
export const failedForMs = ({ receiver }: WithReceiver, now: number): number =>
  receiver?.failing_since === undefined ? 0 : now - Date.parse(receiver.failing_since);

/**
 * Returns the milliseconds until a failing receiver's next step: a tenth of the outage so far, from 5 s to 15
 * min.
 */
export const waitAfterFailure = (webhook: WithReceiver, now: number): number =>
  Math.min(longestWaitMs, Math.max(shortestWaitMs, failedForMs(webhook, now) / 10));
