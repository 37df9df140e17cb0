/** Sections of the OpenAPI document that do not depend on a stage's endpoints. */
import { faultPattern } from '../faults.ts';

export const apiInfo = {
  title: 'Incentives',
  version: '1',
  contact: { name: 'The operator of this stage' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  description:
    'Tickets, sweepstakes entries and games with real prizes, for the users of a host app.\n\n' +
    'A success is always a 200 with `"status": "success"`; an error has a stable `code`. After a 429, a ' +
    '503 or no response, repeat the same request with the same idempotency key, after `Retry-After` ' +
    'seconds.\n\n' +
    'Texts are well-formed Unicode, and their lengths count Unicode code points. The `start` of a range must ' +
    'not be after its `end`. Undeclared fields are ignored. A request line and headers of more than 10,240 ' +
    'bytes together are refused with a 400.\n\n' +
    'The response to the page of a play contains `fairness`. With it and the prize table, anybody can repeat the ' +
    'draw. The page shows the commitment to the server seed before the play. An hour after midnight in New York, ' +
    'each day is closed into a signed book, with which anybody can check every draw. A kept line of a book ' +
    'shows whether its day or an earlier day was altered later. Not proven: days that are still open, and ' +
    'plays of an operator who can use the key of draws.',
};

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the organization' },
  organization: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Organization-Id',
    description: "The id of the API key's organization",
  },
} as const;

export const apiTags = [
  { name: 'users', description: 'Users of the host app' },
  { name: 'tickets', description: 'Ticket balances' },
  {
    name: 'entries',
    description:
      'Balances of sweepstakes entries. `type` in these requests, `entry_type` in reports and `balance_type` in ' +
      'events have the same values',
  },
  { name: 'drawings', description: 'Drawings among entries, with their lists and winners' },
  { name: 'games', description: 'Play URLs and game outcomes' },
  { name: 'play', description: 'The play page and its request; the token in the URL is the credential' },
  { name: 'page', description: 'The settings of the play page: frame origins, return URL, rules and brand' },
  { name: 'amoe', description: 'Free spins: the alternative method of entry' },
  { name: 'reports', description: 'The records of the whole organization' },
  { name: 'books', description: 'The signed books of closed days' },
  { name: 'webhooks', description: 'Registrations for events, and the history of deliveries' },
  {
    name: 'events',
    description:
      'The events about your users: webhooks receive them, signed as Standard Webhooks 1.0, or you read them',
  },
  { name: 'debug', description: 'For tests; not available on production' },
];

const text = { type: 'string' };

export const responseHeaders = {
  RequestId: {
    description: 'Identifies the request; also in the body of an error',
    required: true,
    schema: text,
  },
  RetryAfter: {
    description: 'Seconds to wait before repeating the request',
    schema: { type: 'integer' },
  },
  Replayed: {
    description: 'Present if this is the response of an earlier request with the same idempotency key',
    schema: { type: 'string', enum: ['true'] },
  },
  TicketBalance: {
    description: "The user's ticket balance after the play",
    schema: { type: 'integer' },
  },
  Deprecation: { description: 'Date of the deprecation (RFC 9745)', schema: text },
  Link: { description: 'The successor, with `rel="successor-version"`', schema: text },
  ContentEncoding: {
    description: 'Present if the response is compressed, because the request has `Accept-Encoding: gzip`',
    schema: { type: 'string', enum: ['gzip'] },
  },
};

export const headerRef = (name: keyof typeof responseHeaders) => ({ $ref: `#/components/headers/${name}` });

export const faultParameter = {
  name: 'Incentives-Fault',
  in: 'header',
  description:
    'Makes the request fail, to try your retries. `unavailable` is a 503 and `throttled` a 429, both without an ' +
    'effect. `lost` takes effect and responds with a 503 `outcome_unknown`, except to refusals and replays. `slow` ' +
    'responds 5 s later, `slow=12` 12 s later. Production ignores this header.',
  schema: { type: 'string', pattern: faultPattern },
};
