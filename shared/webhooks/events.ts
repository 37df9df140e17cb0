/** Events: what a committed record is told as. */
import { createHash } from 'node:crypto';
import type * as z from 'zod/mini';
import type { HistoryRecord } from '../accounts/records.ts';
import type { eventType } from '../api/schemas.ts';
import type { Item } from '../table/client.ts';

/** The types of events. */
export type EventType = z.output<typeof eventType>;

/** An event as it is sent: the payload of a call. */
export type WebhookEvent = {
  id: string;
  type: EventType;
  /** When its record was committed, as an instant. */
  timestamp: string;
  /** Rises with each record of the user; the events of one record share it. */
  sequence: number;
  data: Item;
};

/** A record as the stream has it. */
export type StoredRecord = HistoryRecord & Item;

/** The events of a record; the same record always makes the same ones, with the same ids. */
export function eventsOf(record: StoredRecord): WebhookEvent[] {
  return Object.entries(dataOf(record)).map(([type, data]) => ({
    id: eventId(record, type as EventType),
    type: type as EventType,
    timestamp: record.date_created,
    sequence: record.sequence,
    data,
  }));
}

function dataOf(record: StoredRecord): { [type in EventType]?: Item } {
  if (record.kind !== 'outcomes') return { balance_updated: balanceUpdated(record) };
  const told = { outcome: outcome(record) };
  if (record.game_status === 'Cash') return { ...told, cash_won: cashWon(record) };
  if (record.game_status === 'Extra-prize') return { ...told, prize_won: prizeWon(record) };
  return told;
}

const balanceUpdated = (record: StoredRecord): Item => ({
  user_id: record.user_id,
  external_reference: record.external_reference,
  balance_type: record.kind === 'tickets' ? 'tickets' : record.entry_type,
  amount: record.amount,
  new_balance: record.balance_after,
  transaction_id: record.transaction_id,
  idempotency_key: record.idempotency_key,
  outcome_id: record.outcome_id,
  description: record.description,
});

const outcome = (record: StoredRecord): Item => ({
  id: record.id,
  user_id: record.user_id,
  external_reference: record.external_reference,
  play_type: record.play_type,
  game: record.game,
  prize: record.prize,
  timestamp: record.timestamp,
  game_status: record.game_status,
  result_effective_date: record.result_effective_date,
});

const won = (record: StoredRecord): Item => ({
  outcome_id: record.id,
  user_id: record.user_id,
  external_reference: record.external_reference,
  result_effective_date: record.result_effective_date,
});
const cashWon = (record: StoredRecord): Item => ({
  ...won(record),
  cash_usd: (record.prize as { cash_usd?: number }).cash_usd,
});
const prizeWon = (record: StoredRecord): Item => ({ ...won(record), prize: record.prize });

/** `evt_` and a ULID: the time of the record's, and 80 bits that follow from the record and the type. */
function eventId(record: StoredRecord, type: EventType): string {
  const recordId = String(record.transaction_id ?? record.id);
  const time = recordId.slice(4, 14);
  return `evt_${time}${base32Digest(`${type}\n${record.organization_id}\n${recordId}`)}`;
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The first 80 bits of a text's SHA-256 in the 16 characters of a ULID's random part. */
export function base32Digest(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 10);
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let i = 0; i < 16; i++, bits >>= 5n) digits = crockford[Number(bits & 31n)] + digits;
  return digits;
}
