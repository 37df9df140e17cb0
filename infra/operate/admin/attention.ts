/** What needs an operator now, each with the one step that fits. */

import { readNewestDrawings } from '../../../shared/drawings/drawings.ts';
import { readDrawingViews } from '../../../shared/drawings/view.ts';
import { isOwed } from '../../../shared/prizes/claim-steps.ts';
import { findDueClaims } from '../../../shared/prizes/due-claims.ts';
import type { Stage } from '../../../shared/stage.ts';
import { getItem } from '../../../shared/table/client.ts';
import { payoutsKey } from '../../../shared/table/keys.ts';
import { addDays, dayOf } from '../../../shared/time.ts';
import { listBooks } from './books.ts';
import { readOrganization } from './organization.ts';
import { readQueueDepths, readStageAlarms } from './stage.ts';
import { showWebhooks } from './webhooks.ts';

/** `what` is a sentence; `id` is what the row is about, if it has an id that `explain` knows. */
export type AttentionItem = { what: string; next: string; id?: string };

const hourMs = 3_600_000;
/** A book that is due, an hour after its day, counts as late two hours later. */
const bookLateMs = 3 * hourMs;
/** Shorter failures of webhook calls end without help. */
const failingTooLongMs = hourMs;

export async function readAttentionItems(
  organizationId: string,
  stage: Stage,
  now: number,
): Promise<AttentionItem[]> {
  const all = await Promise.all([
    ofAlarms(stage),
    ofQueues(),
    ofWebhooks(organizationId, now),
    ofBooks(organizationId, now),
    ofCash(organizationId, now),
    ofPrizes(organizationId, now),
  ]);
  return all.flat();
}

async function ofAlarms(stage: Stage): Promise<AttentionItem[]> {
  const { alarms } = await readStageAlarms(stage);
  return alarms
    .filter(({ state }) => state === 'ALARM')
    .map(({ alarm, runbook = '' }) => ({ what: `The alarm ${alarm} is on.`, next: runbook }));
}

async function ofQueues(): Promise<AttentionItem[]> {
  const next = { deliveries: 'webhooks parked', drawings: 'drawing list', 'spin-shards': 'stage alarms' };
  return (await readQueueDepths()).flatMap(({ queue, dead_letters }) =>
    dead_letters > 0
      ? [{ what: `${dead_letters} messages of the queue ${queue} failed for good.`, next: next[queue] }]
      : [],
  );
}

async function ofWebhooks(organizationId: string, now: number): Promise<AttentionItem[]> {
  return (await showWebhooks(organizationId)).flatMap((webhook): AttentionItem[] => {
    const { webhook_id: id, callback_url: url, receiver, failing_since, disabled_at } = webhook;
    if (receiver === 'off')
      return [
        {
          id,
          what: `The webhook to ${url} is switched off since ${disabled_at}: the host receives no events.`,
          next: `webhooks enable --webhook ${id}, when the host says that it works again`,
        },
      ];
    if (failing_since === undefined || now - Date.parse(failing_since) < failingTooLongMs) return [];
    return [{ id, what: `Calls to ${url} fail since ${failing_since}.`, next: 'Tell the host' }];
  });
}

async function ofBooks(organizationId: string, now: number): Promise<AttentionItem[]> {
  const [organization, { books }] = await Promise.all([
    readOrganization(organizationId),
    listBooks(organizationId),
  ]);
  const due = addDays(dayOf(now - bookLateMs), -1);
  const isDue = dayOf(Date.parse(String(organization.date_created))) <= due;
  const isOpen = isDue && !books.some(({ day }) => day >= due);
  const faulty = books.filter(({ check }) => check !== 'good' && check !== 'not yet');
  return [
    ...(isOpen ? [{ id: due, what: `The book of ${due} is not closed.`, next: 'book close' }] : []),
    ...faulty.map(({ day, check }) => ({
      id: day,
      what: `The check of the book of ${day} says: ${check}.`,
      next: `book export ${day}, then npm run verify`,
    })),
  ];
}

async function ofCash(organizationId: string, now: number): Promise<AttentionItem[]> {
  const last = await getItem<{ ahead_since?: string }>(payoutsKey(organizationId));
  if (!last?.ahead_since || now - Date.parse(last.ahead_since) > 24 * hourMs) return [];
  return [
    {
      what: `Users won far more cash than the odds promise since ${last.ahead_since}.`,
      next: 'game limits --daily-cash 0 stops cash; report day shows it',
    },
  ];
}

/** A drawing with places that nobody got is listed for a month. */
const unwonMs = 30 * 24 * hourMs;
const weekMs = 7 * 24 * hourMs;

/** Lists owed prizes past their deadline (of games in the last week only), and prizes that nobody got. */
async function ofPrizes(organizationId: string, now: number): Promise<AttentionItem[]> {
  const [organization, drawings] = await Promise.all([
    readOrganization(organizationId),
    readNewestDrawings(organizationId).then(readDrawingViews),
  ]);
  // `findDueClaims` takes times a week before deadlines: these are of the last week.
  const ofGames = await findDueClaims(organization, now - 2 * weekMs, now - weekMs);
  const ofDrawings = drawings.flatMap(({ winners }) =>
    winners
      .filter(({ claim_state, claim_by }) => isOwed({ state: claim_state }) && Date.parse(claim_by) < now)
      .map(({ prize_id }) => prize_id),
  );
  const late = [...new Set([...ofGames, ...ofDrawings])].map((id) => ({
    id,
    what: `The deadline of the prize ${id} has passed.`,
    next: `prize deliver --prize ${id}, or prize forfeit`,
  }));
  const unwon = drawings
    .filter(({ places_left, draws_at }) => places_left && now - Date.parse(draws_at) < unwonMs)
    .map(({ drawing_id, places_left, entrants, prize }) => ({
      what: `Nobody got ${places_left} of the prizes “${prize.en}”: ${entrants} users had entries.`,
      next: `drawing show ${drawing_id}; then tell the host, who may have to announce another`,
    }));
  return [...late, ...unwon];
}
