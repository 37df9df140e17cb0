import type {
  ClaimRecord,
  EntryRecord,
  HistoryRecord,
  OutcomeRecord,
  TicketRecord,
} from '../accounts/records.ts';
import { type DrawingActionRecord, drawingEventData } from '../drawings/events.ts';
import { digest80, idOf, ulidOf } from '../ids.ts';
import type { Item } from '../table/client.ts';
import type { EventType } from '../vocabulary.ts';

/** A record from which events can follow: of a user, or of an action on a drawing. */
export type EventRecord = HistoryRecord | DrawingActionRecord;

export type WebhookEvent = {
  id: string;
  type: EventType;
  timestamp: string;
  sequence: number;
  data: Item;
};

/** Event ids are derived from the record, so duplicates have the same id. */
export function eventsOf(record: EventRecord): WebhookEvent[] {
  return Object.entries(dataOf(record)).map(([type, data]) => ({
    id: eventId(record, type as EventType),
    type: type as EventType,
    timestamp: record.date_created,
    sequence: record.kind === 'actions' ? 0 : record.event_sequence,
    data,
  }));
}

function dataOf(record: EventRecord): { [type in EventType]?: Item } {
  if (record.kind === 'actions') return drawingEventData(record);
  const { user_id, external_reference } = record;
  const user = { user_id, external_reference };
  if (record.kind === 'claims') return { prize_updated: prizeUpdated(record, user) };
  if (record.kind !== 'outcomes') return { balance_updated: balanceUpdated(record, user) };
  const always = { outcome: outcome(record, user) };
  const { id: outcome_id, prize, result_effective_date } = record;
  const won = { outcome_id, ...user, result_effective_date };
  const more: Record<OutcomeRecord['game_status'], { [type in EventType]?: Item }> = {
    Cash: { cash_won: { ...won, cash_usd: prize.cash_usd } },
    'Extra-prize': { prize_won: { ...won, prize } },
    'Ticket-only': {},
  };
  return { ...always, ...more[record.game_status] };
}

type User = { user_id: string; external_reference: string | undefined };

const balanceUpdated = (record: TicketRecord | EntryRecord, user: User): Item => ({
  ...user,
  balance_type: record.kind === 'entries' ? record.entry_type : record.kind,
  amount: record.amount,
  new_balance: record.balance_after,
  transaction_id: record.transaction_id,
  idempotency_key: record.idempotency_key,
  outcome_id: record.outcome_id,
  description: record.description,
});

const prizeUpdated = (record: ClaimRecord, user: User): Item => ({
  prize_id: record.prize_id,
  ...user,
  prize: record.prize,
  state: record.state,
  state_at: record.date_created,
  // These texts are empty after an erasure.
  reference: record.reference || undefined,
  reason: record.reason || undefined,
  delivered_on: record.delivered_on,
});

const outcome = (record: OutcomeRecord, user: User): Item => ({
  id: record.id,
  ...user,
  play_type: record.play_type,
  game: record.game,
  prize: record.prize,
  timestamp: record.timestamp,
  game_status: record.game_status,
  result_effective_date: record.result_effective_date,
  debug: record.debug,
});

function idOfRecord(record: EventRecord): string {
  if (record.kind === 'actions') return record.action_id;
  if (record.kind === 'outcomes') return record.id;
  return record.kind === 'claims' ? record.claim_id : record.transaction_id;
}

function eventId(record: EventRecord, type: EventType): string {
  const recordId = idOfRecord(record);
  return idOf(
    'evt',
    ulidOf(recordId).slice(0, 10) + digest80(`${type}\n${record.organization_id}\n${recordId}`),
  );
}
