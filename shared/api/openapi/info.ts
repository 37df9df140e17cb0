/** The general part of the OpenAPI document. */

export const info = {
  title: 'Incentives',
  version: '1',
  contact: { name: 'The operator of this stage' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  description:
    'Tickets, sweepstakes entries and games with real prizes, for the users of a host app.\n\n' +
    'Success is always a 200 with `"status": "success"`; a refusal has a stable `code`. Send a request that is refused ' +
    'with a 429 or a 503, or that gets no answer, once more after `Retry-After` seconds, with the same idempotency key.\n\n' +
    'Texts are well-formed Unicode, and their lengths are counted in UTF-16. Of a range, `start` is not after `end`. What ' +
    'is not declared is ignored. A request line and headers of more than 10,240 bytes together are a 400.\n\n' +
    '`fairness` in the answer of a spin is what it takes, beside the prizes of its table, to draw it again, from a seed ' +
    'that was committed to before the play. Each day is closed into a signed book an hour after midnight in New York, by ' +
    'which anybody can check every draw. Whoever keeps a line of a book can tell whether anything of its day, or of an ' +
    'earlier one, was altered since. Not proven are days that are open, and plays of an operator who may use the key of ' +
    'draws.',
};

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the organization' },
  organization: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Organization-Id',
    description: "The organization's id, which has to be that of the API key",
  },
} as const;

/** The groups of operations, in the order in which a host needs them. */
export const tags = [
  { name: 'users', description: "Users of the host app, by the host's own references" },
  { name: 'tickets', description: 'Ticket balances' },
  { name: 'entries', description: 'Balances of sweepstakes entries' },
  { name: 'games', description: 'Play URLs, and what games came to' },
  { name: 'play', description: 'What a play URL serves to the player; its token is the credential' },
  { name: 'amoe', description: 'Free spins: the alternative method of entry' },
  { name: 'reports', description: 'The records of the whole organization' },
  { name: 'webhooks', description: 'Where the organization is told of events' },
  { name: 'events', description: 'What webhooks are told, signed as Standard Webhooks 1.0' },
  { name: 'debug', description: 'For tests; not on production' },
];

const text = { type: 'string' };

/** Headers of answers. */
export const headers = {
  RequestId: { description: 'Names the request; also in the body of an error', required: true, schema: text },
  RetryAfter: {
    description: 'Seconds to wait before the same request is sent again',
    schema: { type: 'integer' },
  },
  Replayed: {
    description: 'There if the answer is that of an earlier request with the same idempotency key',
    schema: { type: 'string', enum: ['true'] },
  },
  TicketBalance: {
    description: 'The tickets that the user had after the play',
    schema: { type: 'integer' },
  },
  Deprecation: { description: 'Since when hosts should use its successor (RFC 9745)', schema: text },
  Link: { description: 'The successor, with `rel="successor-version"`', schema: text },
  ContentEncoding: {
    description: 'There if the answer is compressed, which a request asks for by `Accept-Encoding: gzip`',
    schema: { type: 'string', enum: ['gzip'] },
  },
};

/** Returns a reference to a header. */
export const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` });
