import * as z from 'zod/mini';
import { accounts, type EventType, eventTypes, gameStatuses, playTypes } from '../vocabulary.ts';
import * as s from './schemas.ts';

const user = { user_id: s.userId, external_reference: z.optional(z.string()) };
const won = { outcome_id: s.outcomeId, ...user, result_effective_date: s.instant };

/** The schema of the payload's field `data`, by type of event. */
const data: Record<EventType, z.ZodMiniObject> = {
  balance_updated: z.object({
    ...user,
    balance_type: z.enum(accounts),
    amount: z.number(),
    new_balance: z.number(),
    transaction_id: s.transactionId,
    idempotency_key: z.optional(s.hostIdempotencyKey),
    outcome_id: z.optional(s.gameOutcomeId),
    description: z.string(),
  }),
  outcome: z.object({
    id: s.outcomeId,
    ...user,
    play_type: z.enum(playTypes),
    game: s.game,
    prize: s.prize,
    timestamp: s.instant,
    game_status: z.enum(gameStatuses),
    result_effective_date: s.instant,
    debug: z.optional(s.debugResult),
  }),
  cash_won: z.object({ ...won, cash_usd: z.number() }),
  prize_won: z.object({ ...won, prize: s.prize }),
  drawing_closed: z.object({
    drawing_id: s.drawingId,
    type: s.entryType,
    closes: s.day,
    draws_at: s.instant,
    round: z.number(),
    entrants: z.number(),
    total_entries: s.totalEntries,
    root: z.string(),
  }),
  drawing_won: z.object({
    drawing_id: s.drawingId,
    place: z.number(),
    prize_id: s.prizeId,
    ...user,
    prize: s.drawingPrize,
    value_usd: z.number(),
    claim_by: s.instant,
  }),
  prize_updated: z.object({
    ...s.claimStep,
    prize_id: s.prizeId,
    ...user,
    prize: s.anyPrize,
    state_at: s.instant,
  }),
};

export const eventSequence = s.documented(z.number(), {
  description:
    "The number of the record among the user's, from 1; the events of one outcome share it. " +
    'Events of drawings are not numbered: they have 0',
});

const payloads = Object.fromEntries(
  Object.entries(data).map(([type, fields]) => [
    type,
    z.object({
      id: s.eventId,
      type: z.literal(type as EventType),
      timestamp: s.instant,
      sequence: eventSequence,
      data: fields,
    }),
  ]),
);

export const eventSchema = (type: EventType) => payloads[type]!;

export const anyEvent = () => z.union(eventTypes.map(eventSchema));
