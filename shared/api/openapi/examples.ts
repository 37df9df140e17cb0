import { eventTypes } from '../../vocabulary.ts';

/** Keywords of JSON Schema that `exampleOf` evaluates. */
export type JsonSchema = {
  $ref?: string;
  const?: unknown;
  not?: object;
  enum?: unknown[];
  'x-extensible-enum'?: readonly unknown[];
  default?: unknown;
  description?: string;
  type?: string;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
};

const midnight = '2026-03-14T04:00:00.000Z';
const drawingPrize = { en: 'A pickup truck', es: 'Una camioneta' };
const exampleTime = '2026-03-14T15:09:26.535Z';

/** Example values by field. A key with a schema, such as `Outcome.id`, takes precedence over the general key `id`. */
const values: Record<string, unknown> = {
  user_id: 'usr_01KKP8Z0N7W3V5X9B2C4D6F8GH',
  transaction_id: 'txn_01KKP8Z1Q4R6T8V0X2Z4B6D8FH',
  outcome_id: 'out_01KKP8Z2S5T7V9X1Z3B5D7F9HK',
  webhook_id: 'wh_01KKP8Z3T6V8X0Z2B4D6F8H0KM',
  event_id: 'evt_01KKP8Z4V7X9Z1B3D5F7H9K1MP',
  'Outcome.id': 'out_01KKP8Z2S5T7V9X1Z3B5D7F9HK',
  'OutcomeReportRow.id': 'out_01KKP8Z2S5T7V9X1Z3B5D7F9HK',
  'OutcomeEvent.data.id': 'out_01KKP8Z2S5T7V9X1Z3B5D7F9HK',
  drawing_id: 'drw_01KKP8Z6X9Z1B3D5F7H9K1M3PQ',
  id: 'evt_01KKP8Z4V7X9Z1B3D5F7H9K1MP',
  external_reference: 'anna-17',
  amount: 5,
  description: 'A present',
  // Operations that share idempotency keys get different example keys. With equal keys, the second example
  // would be refused with `idempotency_key_reused`.
  idempotency_key: 'present-17',
  'TicketsDebitRequest.idempotency_key': 'purchase-17',
  'EntriesDebitRequest.idempotency_key': 'withdrawal-17',
  'AmoeQueueRequest.idempotency_key': 'letter-17',
  'AmoeGuestQueueRequest.idempotency_key': 'guest-letter-17',
  'AmoeGuestPlayRequest.idempotency_key': 'guest-17',
  balance: 105,
  new_ticket_balance: 105,
  new_entry_balance: 5,
  new_balance: 105,
  num_of_spins: 3,
  total_queued_spins: 3,
  limit: 10,
  next_token: '',
  after: '',
  after_sequence: 41,
  next: 'Zm9yd2FyZA',
  total_count: 1,
  total_pages: 1,
  page: 0,
  page_size: 1000,
  start: '2026-03-01',
  end: '2026-04-01',
  result_effective_date: midnight,
  date_created: exampleTime,
  timestamp: exampleTime,
  expiry_time: '2026-03-14T15:39:26.535Z',
  prize: { tickets: 3 },
  'Drawing.state': 'closed',
  'DrawingsGetReply.state': 'closed',
  'Drawing.prize': drawingPrize,
  'DrawingsGetReply.prize': drawingPrize,
  'DrawingWonEvent.data.prize': drawingPrize,
  value_usd: 45000,
  closes: '2026-03-13',
  draws_at: exampleTime,
  claim_by: '2026-04-14T03:59:59.999Z',
  is_test: false,
  places_left: null,
  entrants: 12345,
  total_entries: '67890',
  root: '5f1d3c0b7a9e8d6c4b2a1908f7e6d5c4b3a29180716f5e4d3c2b1a0f9e8d7c6b',
  round: 27946612,
  place: 1,
  'PrizeWonEvent.data.prize': { prize_gift_card: 1 },
  'UsersSummaryReply.wins.prizes.prize': { cash_usd: 10 },
  'Drawing.winners.prize_id': 'drw_01KKP8Z6X9Z1B3D5F7H9K1M3PQ:1',
  'DrawingsGetReply.winners.prize_id': 'drw_01KKP8Z6X9Z1B3D5F7H9K1M3PQ:1',
  'DrawingWonEvent.data.prize_id': 'drw_01KKP8Z6X9Z1B3D5F7H9K1M3PQ:1',
  'WonPrize.prize_id': 'out_01KKP8Z2S5T7V9X1Z3B5D7F9HK',
  'PrizeUpdatedEvent.data.prize_id': 'out_01KKP8Z2S5T7V9X1Z3B5D7F9HK',
  'WonPrize.prize': { prize_gift_card: 1 },
  'PrizeUpdatedEvent.data.prize': { prize_gift_card: 1 },
  won_at: exampleTime,
  state: 'delivered',
  state_at: '2026-03-16T09:26:53.589Z',
  game_status: 'Ticket-only',
  PageUpdateRequest: { frame_origins: ['https://app.example.com'], brand_name: 'Golondrina' },
  'AmoeGuestPlayReply.items': [
    {
      id: 'out_01KKP8Z2S5T7V9X1Z3B5D7F9HK',
      user_id: 'usr_01KKP8Z0N7W3V5X9B2C4D6F8GH',
      game: 'prizewheel',
      play_type: 'amoe',
      prize: { tickets: 3 },
      timestamp: exampleTime,
      result_effective_date: midnight,
    },
  ],
  cash_usd: 10,
  token: 'Zm9yIG9uZSBwbGF5LCBieSBvbmUgdXNlciwgb25jZQ0',
  url: 'https://play.example.com/play/Zm9yIG9uZSBwbGF5LCBieSBvbmUgdXNlciwgb25jZQ0',
  'PagePreview.url':
    'https://play.example.com/play/preview.prizewheel.en.org_01KKP8Z5W8Y0A2C4E6G8J0M2NQ.Zm9yIGEgcHJldmlldyBvbg',
  return_url: 'https://app.example.com/wallet',
  frame_origins: ['https://app.example.com'],
  rules_url_en: 'https://example.com/rules',
  rules_url_es: 'https://example.com/reglas',
  free_entry_en: 'Send a postcard with your name to Example, PO Box 1, Austin, TX.',
  free_entry_es: 'Envía una tarjeta postal con tu nombre a Example, PO Box 1, Austin, TX.',
  free_entry_url_en: 'https://example.com/free',
  free_entry_url_es: 'https://example.com/gratis',
  brand_name: 'Golondrina',
  brand_logo: 'https://cdn.example.com/logo.svg',
  brand_accent: '#f7b733',
  brand_accent_text: '#2a1602',
  brand_background: '#08393f',
  brand_text: '#ffffff',
  'WebhookCall.url': 'https://app.example.com/hooks',
  callback_url: 'https://app.example.com/hooks',
  secret_key: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  request_id: 'test-1',
  day: '2026-03-14',
  records: 548,
  'BooksGetReply.counts': { tickets: 400, entries: 37, outcomes: 96, orders: 12, claims: 2, actions: 1 },
  'BooksGetReply.sums': {
    tickets: { credited: 912, debited: 344 },
    truck: { credited: 30, debited: 0 },
    flight: { credited: 7, debited: 2 },
    cash_usd: 25,
    spins: { regular: 84, amoe: 12, debug: 0 },
    spins_ordered: 12,
  },
  kept_line:
    'org_01KKP8Z5W8Y0A2C4E6G8J0M2NQ 2026-03-14 5f1d3c0b7a9e8d6c4b2a1908f7e6d5c4b3a29180716f5e4d3c2b1a0f9e8d7c6b',
  restrictions: [],
  promotion: {
    name: 'Spring truck',
    starts_at: '2026-03-01T05:00:00.000Z',
    ends_at: '2026-04-01T04:00:00.000Z',
  },
  holds: [],
  cost: 1,
  tickets: 105,
  truck: 5,
  flight: 0,
  plays_left: 4,
  plays_reset_at: '2026-03-15T04:00:00.000Z',
  total: 3,
  due: 0,
  run_at: '2026-03-15T04:00:00.000Z',
  since: exampleTime,
  playable: true,
  free_playable: true,
  on: true,
  is_all: true,
  cash_limit: 500,
  started: 12,
  sequence: 42,
  attempt: 1,
  duration_ms: 87,
  payload: {
    id: 'evt_01KKP8Z4V7X9Z1B3D5F7H9K1MP',
    type: 'balance_updated',
    timestamp: exampleTime,
    sequence: 42,
    data: {
      user_id: 'usr_01KKP8Z0N7W3V5X9B2C4D6F8GH',
      external_reference: 'anna-17',
      balance_type: 'tickets',
      amount: 5,
      new_balance: 105,
      transaction_id: 'txn_01KKP8Z1Q4R6T8V0X2Z4B6D8FH',
      idempotency_key: 'present-17',
      description: 'A present',
    },
  },
  event_type: 'balance_updated',
  client_seed: 'a number from the browser',
  commitment: '324ff2de3ccfb7e5cdfe3ab1bdfec171d5db556825c50809c13ce9a0eca0d777',
  server_seed: '3b6f2c1d9a8e7f504132aabbccddeeff00112233445566778899aabbccddeeff',
  prize_table_version: 'prizewheel-dZetwtG3YueVxLiHl7LO7wj-zyqkuC__x9-lBcqq-00',
  prize_id: 'tickets-3',
  receives: eventTypes,
  'webhook-id': 'evt_01KKP8Z4V7X9Z1B3D5F7H9K1MP',
  'webhook-timestamp': '1773500966',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

/** Optional fields by which a host knows its own users and requests. */
const ownNames = ['external_reference', 'idempotency_key'];

/** Throws for a field without a value in `values`, and without a default or fixed choice in its schema. */
export function exampleOf(
  schema: JsonSchema,
  schemas: Record<string, JsonSchema>,
  field = '',
  owner = '',
): unknown {
  const known = [`${owner}.${field}`, field].find((name) => Object.hasOwn(values, name));
  if (known !== undefined) return values[known];
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return values[name] ?? exampleOf(schemas[name]!, schemas, '', name);
  const { type, items, properties, required = [], anyOf } = schema;
  const [first] = [
    schema.default,
    schema.const,
    ...(schema.enum ?? schema['x-extensible-enum'] ?? []),
  ].filter((one) => one !== undefined);
  if (first !== undefined) return first;
  if (anyOf) return exampleOf(anyOf[0]!, schemas, field, owner);
  const path = field ? `${owner}.${field}` : owner;
  if (type === 'array') return [exampleOf(items!, schemas, '', path)];
  if (type !== 'object') throw new Error(`no example of the field ${owner}.${field}`);
  const shown = Object.entries(properties ?? {}).filter(
    ([key, { default: byDefault }]) =>
      required.includes(key) || byDefault !== undefined || ownNames.includes(key),
  );
  return Object.fromEntries(shown.map(([key, value]) => [key, exampleOf(value, schemas, key, path)]));
}
