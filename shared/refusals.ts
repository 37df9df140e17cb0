import type { Hold } from './vocabulary.ts';

/** An error that the API sends to the caller: the request is invalid or not possible now. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  readonly detail: string | undefined;
  constructor(
    status: number,
    code: string,
    message: string,
    { headers = {}, detail }: { headers?: Record<string, string>; detail?: string | undefined } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.detail = detail;
  }
}

const retryLater = { headers: { 'retry-after': '1' } };

const obstacleMessages = {
  insufficient_tickets: 'insufficient ticket balance',
  daily_spin_limit_reached: 'daily spin limit reached',
};

const holdRefusals = {
  organization_suspended: { status: 403, message: 'Organization is suspended' },
  user_frozen: { status: 403, message: 'User is frozen' },
  game_paused: { status: 409, message: 'game is paused' },
} as const satisfies Record<Hold, { status: number; message: string }>;

/** Refusals after faults of AWS. Workers need only these, so their bundles can leave out `refusals`. */
export const faultRefusals = {
  tooManyRequests: () => new Refusal(429, 'too_many_requests', 'Too Many Requests', retryLater),
  unavailable: () => new Refusal(503, 'unavailable', 'Service Unavailable', retryLater),
  /** The request may or may not have been carried out. `cause` is logged but not sent. */
  outcomeUnknown: (cause?: unknown) =>
    Object.assign(
      new Refusal(
        503,
        'outcome_unknown',
        'The request may have been carried out: send the same request again to learn its outcome',
        retryLater,
      ),
      { cause },
    ),
} as const;

export const refusals = {
  invalid: (message: string, status = 422, detail?: string) =>
    new Refusal(status, 'validation_failed', message, { detail }),
  invalidToken: (field: 'next_token' | 'after' = 'next_token') =>
    new Refusal(
      422,
      'validation_failed',
      `${field}: Input should come from an earlier page of this list, with the same filters`,
    ),
  unauthorized: () => new Refusal(401, 'unauthorized', 'Unauthorized'),
  forbidden: (detail?: string) => new Refusal(403, 'forbidden', 'Forbidden', { detail }),
  notFound: () => new Refusal(404, 'not_found', 'Not Found'),
  userNotFound: () => new Refusal(404, 'user_not_found', 'Invalid user ID'),
  unprocessable: () =>
    new Refusal(422, 'validation_failed', 'Unprocessable Entity', {
      detail:
        'Request body must be a JSON object in UTF-8, of at most 64 KiB, nested 100 levels deep at most',
    }),
  tooManyWebhooks: (max: number) =>
    new Refusal(409, 'too_many_webhooks', `an organization can have ${max} webhooks at most`),
  prizeNotFound: () => new Refusal(404, 'prize_not_found', 'Invalid prize ID'),
  claimConflict: (state: string) => new Refusal(409, 'claim_conflict', `prize is already ${state}`),
  webhookNotFound: () => new Refusal(404, 'webhook_not_found', 'Invalid webhook ID'),
  bookNotFound: () => new Refusal(404, 'book_not_found', 'No book of this day'),
  dayNotClosed: () => new Refusal(409, 'day_not_closed', 'the day is not closed yet'),
  sequenceNotReached: (last: number) =>
    new Refusal(409, 'sequence_not_reached', `the last event of the user has the number ${last}`),
  drawingNotFound: () => new Refusal(404, 'drawing_not_found', 'Invalid drawing ID'),
  externalReferenceTaken: () =>
    new Refusal(409, 'external_reference_taken', 'external_reference already in use'),
  insufficientTickets: () => new Refusal(400, 'insufficient_tickets', 'insufficient ticket balance'),
  insufficientEntries: (type: string) =>
    new Refusal(400, 'insufficient_entries', `insufficient ${type} entry balance`),
  idempotencyKeyReused: () =>
    new Refusal(422, 'idempotency_key_reused', 'idempotency_key already used with different parameters'),
  requestIdReused: () =>
    new Refusal(422, 'idempotency_key_reused', 'request_id already used with a different body'),
  playNotFound: () => new Refusal(404, 'play_not_found', 'Invalid play URL'),
  playExpired: () => new Refusal(410, 'play_expired', 'play URL has expired'),
  playVoided: () => new Refusal(410, 'play_voided', 'play URL was voided'),
  onHold: (hold: Hold) => new Refusal(holdRefusals[hold].status, hold, holdRefusals[hold].message),
  restricted: (code: keyof typeof obstacleMessages) => new Refusal(409, code, obstacleMessages[code]),
  /** The free spins are stored but did not all run. A repeated request returns the outcomes. `cause` is only logged. */
  acceptedRepeatToCollect: (cause?: unknown) =>
    Object.assign(
      new Refusal(
        503,
        'accepted_repeat_to_collect',
        'The spins are accepted and belong to the user, but did not all run in time: send the same request again to collect them',
        retryLater,
      ),
      { cause },
    ),
  internal: () => new Refusal(500, 'internal_error', 'Internal Server Error'),
} as const;
