/** A mistake of the caller, or a state that stands in the way: what the caller is told, and nothing else. */
export class ClientError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'ClientError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const retryLater = { 'retry-after': '1' };

/** Every refusal the service knows, by name; the texts and codes are part of the contract. */
export const refusals = {
  invalid: (message: string, status = 422) => new ClientError(status, 'validation_failed', message),
  unauthorized: () => new ClientError(401, 'unauthorized', 'Unauthorized'),
  forbidden: () => new ClientError(403, 'forbidden', 'Forbidden'),
  notFound: () => new ClientError(404, 'not_found', 'Not Found'),
  userNotFound: () => new ClientError(404, 'user_not_found', 'Invalid user ID'),
  unprocessable: () => new ClientError(422, 'validation_failed', 'Unprocessable Entity'),
  tooManyWebhooks: (most: number) =>
    new ClientError(409, 'too_many_webhooks', `an organization can have ${most} webhooks at most`),
  webhookNotFound: () => new ClientError(404, 'webhook_not_found', 'Invalid webhook ID'),
  externalReferenceTaken: () =>
    new ClientError(409, 'external_reference_taken', 'external_reference already in use'),
  insufficientTickets: () => new ClientError(400, 'insufficient_tickets', 'insufficient ticket balance'),
  insufficientEntries: (type: string) =>
    new ClientError(400, 'insufficient_entries', `insufficient ${type} entry balance`),
  idempotencyKeyReused: () =>
    new ClientError(422, 'idempotency_key_reused', 'idempotency_key already used with different parameters'),
  playNotFound: () => new ClientError(404, 'play_not_found', 'Invalid play URL'),
  playExpired: () => new ClientError(410, 'play_expired', 'play URL has expired'),
  restricted: (code: 'insufficient_tickets' | 'daily_spin_limit_reached') =>
    new ClientError(
      409,
      code,
      code === 'insufficient_tickets' ? 'insufficient ticket balance' : 'daily spin limit reached',
    ),
  tooManyRequests: () => new ClientError(429, 'too_many_requests', 'Too Many Requests', retryLater),
  unavailable: () => new ClientError(503, 'unavailable', 'Service Unavailable', retryLater),
  internal: () => new ClientError(500, 'internal_error', 'Internal Server Error'),
} as const;
