/** Rules of the service's calls to webhooks: their addresses, signatures, retries and stored history. */
import ipaddr from 'ipaddr.js';
import type { ReceiverCall, StoredItem } from '../../journal.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import {
  certainState,
  possibleStates,
  type Registration,
  registrationsOf,
  type State,
} from './possible-webhooks.ts';
import { signatureOf } from './signature.ts';

const dayMs = 24 * 3_600_000;

const idOfCall = ({ headers }: ReceiverCall) => String(headers['webhook-id']);
const callName = (id: string, url: string) => `${id} ${url}`;
const describeCall = (call: ReceiverCall) =>
  `${idOfCall(call)} to ${call.url} at ${new Date(call.at).toISOString()}`;

/** Returns the error in a call's signatures, or undefined if the signatures are valid for this webhook. */
function faultOfSignatures(call: ReceiverCall, registration: Registration, world: World): string | undefined {
  const { at, headers } = call;
  const from = at - world.requestMs;
  const signatures = String(headers['webhook-signature']).split(' ');
  const dropped = dropsOf(registration, world);
  const isDropped = ({ until }: State) =>
    dropped.some((drop) => drop.isSure && until < drop.at && drop.doneBy < from);
  const allowed = possibleStates(registration, from - dayMs, at)
    .filter((state) => !isDropped(state))
    .map(({ secret }) => signatureOf(call, secret));
  if (!signatures.every((signature) => allowed.includes(signature)))
    return 'is signed with an invalid secret';
  const current = certainState(registration, from, at);
  if (current && !signatures.includes(signatureOf(call, current.secret)))
    return 'is not signed with the current secret';
  const before = current && certainState(registration, current.from - 1, current.from - 1);
  const isKept = current && !dropped.some((drop) => drop.at < at && drop.doneBy > current.from);
  const isRecent = isKept && at < current.from + dayMs - world.requestMs;
  if (before && isRecent && !signatures.includes(signatureOf(call, before.secret)))
    return 'is not signed with the replaced secret';
  return undefined;
}

// Maximum duration of an operator's command in milliseconds, including its retries.
const commandMs = 10 * 60_000;

/** Returns the commands that drop a webhook's replaced secrets. Unless `isSure`, the drop may not have happened. */
const dropsOf = ({ webhookId }: Registration, { journal }: World) =>
  journal.operatorCommands
    .filter(({ args }) => args[1] === 'drop-secret' && args.includes(webhookId))
    .map(({ at, exitCode }) => ({ at, doneBy: at + commandMs, isSure: exitCode === 0 }));

/** Returns a function that finds a call's possible recipients: webhooks that may have had the URL at that time. */
function addresseesIn(world: World): (call: ReceiverCall) => Registration[] {
  const registrations = registrationsOf(world);
  const byUrl = new Map<string, Registration[]>();
  for (const registration of registrations.values())
    for (const url of new Set(registration.states.map((state) => state.url)))
      byUrl.set(url, [...(byUrl.get(url) ?? []), registration]);
  // If the call history has entries for an event and URL, only these entries' webhooks are possible recipients.
  const stored = groupBy(world.of('call'), ({ event_id, url }) => callName(event_id, url));
  return (call) => {
    const from = call.at - world.requestMs;
    const recordedIds = stored.get(callName(idOfCall(call), call.url))?.map(({ webhook_id }) => webhook_id);
    const known = recordedIds && [...new Set(recordedIds)].map((webhookId) => registrations.get(webhookId)!);
    return (known ?? byUrl.get(call.url) ?? []).filter(
      (registration) =>
        registration.deletedBy >= from &&
        possibleStates(registration, from, call.at).some(({ url }) => url === call.url),
    );
  };
}

/**
 * Returns the errors in a call's signatures, or undefined if the signatures are correct for one of the webhooks in
 * `registrations`.
 */
function faultsOf(call: ReceiverCall, registrations: Registration[], world: World): string | undefined {
  const faults: string[] = [];
  for (const registration of registrations) {
    const fault = faultOfSignatures(call, registration, world);
    if (!fault) return undefined;
    faults.push(fault);
  }
  return faults.join(', ') || 'is to no webhook that there is';
}

/**
 * A call is signed with the current secret, and with each secret that was replaced in the 24 hours before the call and
 * not dropped.
 */
const validSignatures: EndRule = {
  rule: 'a call goes to its webhook, signed with the secrets in force',
  check(world, report) {
    const addressees = addresseesIn(world);
    for (const call of world.journal.receiverCalls) {
      const faults = faultsOf(call, addressees(call), world);
      if (faults) report(`${describeCall(call)} ${faults}`);
      const age = call.at - Number(call.headers['webhook-timestamp']) * 1000;
      if (!(age > -world.clockErrorMs - 1000 && age < world.requestMs))
        report(`${describeCall(call)} is ${age} ms old`);
    }
  },
};

/** All calls use HTTPS and go to public unicast IP addresses. */
const publicOnly: EndRule = {
  rule: 'only public addresses are called',
  check(world, report) {
    const isPublic = (address: string) =>
      ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
    for (const call of world.journal.receiverCalls)
      if (!call.addresses.every(isPublic) || !call.url.startsWith('https://'))
        report(`${describeCall(call)}: ${call.addresses}`);
  },
};

/**
 * Returns whether the host may have deleted the webhook, or ended its subscription to the call's event. The service
 * then does not repeat a call that a crash left out of the history.
 */
function mayHaveEnded(call: ReceiverCall, { states, mayBeDeletedFrom }: Registration): boolean {
  const { id, type } = JSON.parse(call.body) as { id?: string; type?: string };
  const isSubscribed = ({ event = 'all' }: State) => event === 'all' || event === type;
  const wasSubscribed = states.some((state) => state.from <= call.at && isSubscribed(state));
  const mayBeUnsubscribed = states.some((state) => state.until > call.at && !isSubscribed(state));
  return mayBeDeletedFrom < Infinity || (id === idOfCall(call) && wasSubscribed && mayBeUnsubscribed);
}

const isAnswered = (call: StoredItem) => call.response_status !== undefined;

/**
 * The call history has the first call of each event to each URL, and only responses that receivers sent. A stored
 * timeout took 15 seconds.
 */
const completeCallHistory: EndRule = {
  rule: 'the call history matches the calls',
  check(world, report) {
    const registrations = registrationsOf(world);
    const stored = groupBy(world.of('call'), ({ event_id }) => event_id);
    const isInHistory = (made: ReceiverCall) =>
      stored.get(idOfCall(made))?.some(({ webhook_id, url, timestamp }) => {
        const isLater = Date.parse(timestamp) > made.at - world.clockErrorMs;
        const hadUrl = registrations.get(webhook_id)?.states.some((state) => state.url === made.url);
        return url === made.url || (isLater && hadUrl);
      });
    const made = groupBy(world.journal.receiverCalls, (call) => callName(idOfCall(call), call.url));
    for (const [call] of made.values()) {
      const { url } = call!;
      const hasEnded = [...registrations.values()].some(
        (registration) =>
          registration.states.some((state) => state.url === url) && mayHaveEnded(call!, registration),
      );
      const isKept = call!.at > world.now - 89 * dayMs;
      if (isKept && !hasEnded && !isInHistory(call!)) report(`${describeCall(call!)} is not in the history`);
    }
    for (const { event_id, url, error, duration_ms } of world.of('call')) {
      if (error === 'timeout' && duration_ms < 14_900)
        report(`${event_id} to ${url} timed out after ${duration_ms} ms`);
    }
    for (const item of world.of('call').filter(isAnswered)) {
      const began = Date.parse(item.timestamp) - world.clockErrorMs;
      const isIt = ({ at, body, reaction }: ReceiverCall) =>
        at >= began &&
        at <= began + world.requestMs &&
        body === item.payload &&
        reaction === item.response_status;
      if (!made.get(callName(item.event_id, item.url))?.some(isIt))
        report(
          `${item.event_id} to ${item.url} at ${item.timestamp} was not answered ${item.response_status}`,
        );
    }
  },
};

const isFinal = ({ response_status: status }: StoredItem) =>
  (status >= 200 && status < 300) || status === 410;

/** A delivery has at most eight attempts. Retries wait for the schedule or `Retry-After`, whichever is longer. */
const retrySchedule: EndRule = {
  rule: 'retries follow the schedule',
  check(world, report) {
    const made = groupBy(world.journal.receiverCalls, (call) => callName(idOfCall(call), call.url));
    const slackMs = 2 * world.clockErrorMs + 1000;
    const notBefore = ({ event_id, url, attempt, timestamp, duration_ms, response_status }: StoredItem) => {
      const began = Date.parse(timestamp);
      const pauses = (made.get(callName(event_id, url)) ?? [])
        .filter(({ at }) => Math.abs(at - began) < duration_ms + slackMs)
        .filter(({ reaction }) => reaction === response_status)
        .map(requestedPause);
      const pause = pauses.length > 0 ? Math.min(...pauses) : 0;
      return began + Math.max((world.retryDelays[attempt - 1] ?? 0) * 1000, pause) - slackMs;
    };
    for (const items of deliveriesOf(world).values()) {
      for (const { event_id, webhook_id, attempt, timestamp } of items) {
        if (!(attempt >= 1 && attempt <= 8))
          report(`${event_id} to ${webhook_id} has attempt number ${attempt}`);
        const failed = items.filter((other) => other.attempt === attempt - 1 && !isFinal(other));
        if (attempt > 1 && !failed.some((other) => notBefore(other) <= Date.parse(timestamp)))
          report(
            `${event_id} to ${webhook_id} has attempt number ${attempt} at ${timestamp}, too soon or for no reason`,
          );
      }
    }
  },
};

/** Groups the stored calls by delivery. A delivery sends one event to one webhook. */
const deliveriesOf = (world: World) =>
  groupBy(world.of('call'), ({ webhook_id, event_id }) => `${webhook_id} ${event_id}`);

/** Every delivery ends with a 2xx or 410, except if its webhook was changed or deleted, or is switched off. */
const allDelivered: EndRule = {
  rule: 'every delivery succeeds in the end',
  check(world, report) {
    const registrations = registrationsOf(world);
    const switchedOff = new Set(
      world
        .of('webhook')
        .flatMap(({ receiver, webhook_id }) => (receiver?.state === 'off' ? webhook_id : [])),
    );
    for (const items of deliveriesOf(world).values()) {
      const { event_id, event_type, webhook_id, timestamp } = items.at(-1)!;
      // Invocations are sent even to a webhook that is switched off.
      if (switchedOff.has(webhook_id) && event_type !== 'invoke') continue;
      const { mayBeDeletedFrom, states } = registrations.get(webhook_id)!;
      const isDeleted = mayBeDeletedFrom < Infinity;
      const isUnwanted = states.some(
        ({ event = 'all', until }) =>
          event !== 'all' && event !== event_type && until > Date.parse(items[0]!.timestamp),
      );
      if (!isDeleted && !(isUnwanted && event_type !== 'invoke') && !items.some(isFinal))
        report(`${event_id} to ${webhook_id} has failed since ${timestamp}`);
    }
  },
};

/** Returns the pause that a receiver's `Retry-After` header requests, in milliseconds, at most a day. */
function requestedPause(call: ReceiverCall): number {
  if (call.retryAfter === undefined) return 0;
  const seconds = /^\s*\d{1,9}\s*$/.test(call.retryAfter) ? Number(call.retryAfter) : undefined;
  const ms = seconds === undefined ? Date.parse(call.retryAfter) - call.at : seconds * 1000;
  return Number.isNaN(ms) ? 0 : Math.max(0, Math.min(dayMs, ms));
}

export const callRules = [validSignatures, publicOnly, completeCallHistory, retrySchedule, allDelivered];
