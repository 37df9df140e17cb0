/** The schemas that have a name in the OpenAPI document, with their descriptions. */
import * as z from 'zod/mini';
import { timestampPattern } from '../../time.ts';
import type { ErrorBody } from '../error-answer.ts';
import * as s from '../schemas.ts';

type Named = { schema: z.ZodMiniType; about: Record<string, unknown> };

const named = (schema: z.ZodMiniType, description: string, more: object = {}): Named => ({
  schema,
  about: { description, ...more },
});

/** The body of an error. */
const errorOf = (code: z.ZodMiniType<string>): z.ZodMiniType<ErrorBody> =>
  z.object({
    status: z.literal('error'),
    message: z.string(),
    code,
    detail: z.optional(z.string()),
    request_id: z.string(),
  });

/** Returns the named schemas; `codes` are the codes of all refusals. */
export function namedSchemas(codes: string[]): Record<string, Named> {
  const code = z.enum(codes);
  return {
    ErrorCode: named(code, 'A stable word by which refusals are told apart; further ones may come'),
    ErrorReply: named(errorOf(code), 'A refusal: `message` is for people, and `detail` hints at the cause'),
    ...ofFields,
  };
}

const ofFields = {
  UserId: named(s.userId, 'The id of a user, made by the service'),
  TransactionId: named(s.transactionId, 'The id of a change of a balance'),
  OutcomeId: named(s.outcomeId, 'The id of what a game came to'),
  WebhookId: named(s.webhookId, 'The id of a registration of a webhook'),
  EventId: named(
    s.eventId,
    'The id of an event: the same in each of its deliveries, as the header `webhook-id`',
  ),
  ExternalReference: named(s.externalReference, "The host's own name for a user, such as its id there"),
  IdempotencyKey: named(
    s.idempotencyKey,
    'Names one change of one user. With the same parameters it returns the first answer again, for good.',
  ),
  Timestamp: named(
    s.timestampText,
    'ISO 8601: with an offset, without one (UTC), or a date alone (its midnight in New York). An offset may not lead ' +
      'out of the years from 1970 to 9999. In a query its `+` is sent as `%2B`.',
    { pattern: timestampPattern },
  ),
  Instant: named(s.instant, 'UTC, with milliseconds and `Z`'),
  EntryType: named(s.entryType, 'A type of sweepstakes entries'),
  Game: named(s.game, 'A game'),
  Lang: named(s.lang, 'A language of the play page'),
  Restriction: named(s.restriction, 'What restricts a play; only `tickets_only` is not in its way'),
  EventType: named(s.eventType, 'A type of events'),
  Subscription: named(s.subscription, 'The events that a webhook is told of'),
  DebugResult: named(s.debugResult, 'What a debug play is forced to'),
  CallbackUrl: named(
    s.callbackUrl,
    'https, to a public address, without user info; the local stage takes http, and its own machine, too',
  ),
  PlayToken: named(s.playToken, 'The credential of one play: the last part of its URL'),
  Prize: named(s.prize, 'What was won: one of the fields'),
  Outcome: named(s.outcome, 'What a spin came to'),
  OutcomeReportRow: named(s.outcomeReportRow, 'What a spin came to, in the report'),
  TicketTransaction: named(s.ticketTransaction, 'A change of a ticket balance; a debit is negative'),
  TicketReportRow: named(s.ticketReportRow, 'A change of a ticket balance, in the report'),
  EntryReportRow: named(s.entryReportRow, 'A change of an entry balance, in the report'),
  Fairness: named(
    s.fairness,
    'What it takes, beside the prizes of the table, to draw the prize of an outcome again',
  ),
  Webhook: named(s.webhookReply, 'A registration of a webhook'),
  WebhookCall: named(s.webhookCall, 'One attempt to deliver'),
};
