import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { replayEvents } from '../../../shared/actions/replay-events.ts';
import { isId, timeOfUlid, ulidOf } from '../../../shared/ids.ts';
import { readOrganizationIds } from '../../../shared/organizations/organizations.ts';
import { withoutKeys } from '../../../shared/table/keys.ts';
import { isoOf, parseBound } from '../../../shared/time.ts';
import { readCallHistory, readCallsOfEvent, type WebhookCall } from '../../../shared/webhooks/calls.ts';
import { isPaused, isSwitchedOff } from '../../../shared/webhooks/receiver.ts';
import { readWebhook, readWebhooks, type Webhook } from '../../../shared/webhooks/webhooks.ts';
import { BadUsage, parseInteger } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';

/** Without `to`, the window ends now. Without `org`, the window covers all organizations. */
type TypedWindow = { from: string; to?: string; org?: string; webhook?: string };

/** Publishes again the events of all records in a time window, oldest first and with unchanged event ids. */
export async function replayWindow(typed: TypedWindow, context: ActionContext) {
  const { from, to = isoOf(context.now), org, webhook } = typed;
  const window = { from: timeOf('from', from), to: timeOf('to', to) };
  if (window.from >= window.to) throw new BadUsage('--from must be before --to.');
  if (webhook && !org) throw new BadUsage('--webhook needs --org, the organization of the webhook.');
  const named = org && webhook ? await readWebhook(org, webhook) : undefined;
  if (named && isSwitchedOff(named))
    throw new Problem(`${webhook} is switched off. Switch it on first: npm run admin -- webhooks enable`);
  const { missed_from = Infinity } = named?.receiver ?? {};
  if (named && isPaused(named) && missed_from < window.to)
    throw new Problem(
      `${webhook} is paused. Its events from ${isoOf(missed_from)} on are replayed when it works again.`,
    );
  const records: Record<string, number> = {};
  for (const organizationId of org ? [org] : await readOrganizationIds()) {
    records[organizationId] = await replayEvents({ organizationId, ...window }, named, context);
  }
  return { from, to, ...(webhook && { webhook_id: webhook }), records };
}

const clockErrorMs = 60_000;

/** Returns all attempts to deliver an event (`evt_…`) or a payload that a host sent (`inv_…`), oldest first. */
export async function readAttempts(eventId: string, org: string | undefined, now: number) {
  if (!isId('evt', eventId) && !isId('inv', eventId)) throw new Problem(`There is no event ${eventId}.`);
  // An `evt_…` id contains the event's time. An `inv_…` id may not, so all stored calls are read.
  const from = isId('evt', eventId) ? timeOfUlid(ulidOf(eventId)) - clockErrorMs : 0;
  for (const organizationId of org ? [org] : await readOrganizationIds()) {
    const calls = await readCallsOfEvent(organizationId, eventId, from, now);
    if (calls.length > 0) return calls.map(withoutPayload);
  }
  return [];
}

type TypedCalls = {
  from: string;
  to?: string | undefined;
  after?: string | undefined;
  limit?: string | undefined;
};

/** Returns a page of an organization's webhook calls, oldest first. */
export async function listCalls(organizationId: string, typed: TypedCalls, now: number) {
  const { from, to = isoOf(now), after, limit = '1000' } = typed;
  const filter = { start: Math.ceil(timeOf('from', from)), end: Math.floor(timeOf('to', to)) };
  const page = { limit: parseInteger('--limit', limit, [1, 1000]), after };
  const { items, last } = await readCallHistory(organizationId, filter, page, now);
  return {
    calls: (items as WebhookCall[]).map(withoutPayload),
    ...(last === undefined ? {} : { next: last }),
  };
}

function withoutPayload({ payload: _, ...call }: WebhookCall) {
  return withoutKeys(call);
}

function timeOf(name: string, text: string): number {
  const epochMs = parseBound(text);
  if (epochMs !== undefined) return epochMs;
  throw new BadUsage(`--${name} must be a time such as 2026-01-31T08:00:00Z, or a date, but is "${text}".`);
}

export async function showWebhooks(org: string | undefined) {
  const organizations = org ? [org] : await readOrganizationIds();
  const shown = [];
  for (const id of organizations) shown.push(...(await readWebhooks(id)).map(withoutSecrets));
  return shown;
}

function withoutSecrets(webhook: Webhook) {
  const { data_key: _key, secret: _secret, previous: _previous, receiver, ...shown } = webhook;
  const { state, failing_since, missed_from, disabled_at, disabled_reason } = receiver ?? { state: 'well' };
  const missed = missed_from === undefined || state === 'failing' ? {} : { missed_from: isoOf(missed_from) };
  const health = { receiver: state, failing_since, ...missed, disabled_at, disabled_reason };
  return { ...withoutKeys(shown), ...health };
}
