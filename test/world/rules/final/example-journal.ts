/**
 * Makes the journal of the example world: all requests with their responses, and all calls to the webhook.
 */
import { defaultPrizeTables } from '../../../../shared/games/prize-tables.ts';
import type { Exchange, Journal, ReceiverCall, StoredItem } from '../../journal.ts';
import { iso, organizationId, start, ulidOf, userId } from '../examples.ts';
import { outcomeView } from '../item-types.ts';
import { fairnessOf } from '../server-seeds.ts';
import { callItem, callOf, exchange, secret, url, webhookId } from './example-requests.ts';

/** The stored data from which the example's requests and responses are made. */
export type Story = {
  token: string;
  spinKey: string;
  session: StoredItem;
  credit: StoredItem;
  play: StoredItem[];
  spins: StoredItem[];
};

const minute = 60_000;
const path = { user_id: userId };
const created = iso(start - 900);
/** Time of the final requests, which read all data, in epoch milliseconds. */
export const finalRequestsAt = start + 3 * 24 * 60 * minute;

/**
 * Returns the example's requests and responses. The request that credits tickets is sent again as a retry.
 */
function exchangesOf({ token, spinKey, session, credit, play, spins }: Story): Exchange[] {
  const change = { amount: 10, description: 'Hello', idempotency_key: 'first' };
  const receipt = { user_id: userId, new_ticket_balance: 10, transaction_id: credit.transaction_id };
  const crediting = exchange('tickets/credit', start - 10, { path, body: change }, { body: receipt });
  const issued = {
    url: `https://play.example.com/play/${token}`,
    lang: 'en',
    expiry_time: session.expires_at,
  };
  const webhook = { webhook_id: webhookId, callback_url: url, secret_key: secret, event: 'all' };
  const told = { outcome: outcomeView(play[0]!), fairness: fairnessOf(play[0]!) };
  const seed = { client_seed: told.fairness.client_seed };
  return [
    exchange(
      'users/create',
      start - 950,
      { body: { external_reference: 'anna' } },
      { body: { user_id: userId, date_created: created } },
    ),
    exchange(
      'webhooks/create',
      start - 600_000,
      { body: { callback_url: url, secret_key: secret } },
      { body: webhook },
    ),
    crediting,
    {
      ...crediting,
      sentAt: start + 200,
      answer: {
        ...crediting.answer!,
        at: start + 300,
        headers: { ...crediting.answer!.headers, 'idempotent-replayed': 'true' },
      },
    },
    exchange('games/play', start - 10, { path, body: {} }, { body: issued }),
    exchange('play/open', start + 1000, { path: { token } }, { body: readyPage(session) }),
    exchange(
      'amoe/queue',
      start - 10,
      { path, body: { num_of_spins: 2, idempotency_key: spinKey } },
      { body: { total_queued_spins: 2 } },
    ),
    exchange('play/spin', start + minute, { path: { token }, body: seed }, { body: told }),
    exchange(
      'play/open',
      finalRequestsAt,
      { path: { token } },
      { body: { ...readyPage(session), state: 'played', balance: session.played.balance, ...told } },
    ),
    exchange('play/spin', finalRequestsAt, { path: { token }, body: seed }, { body: told }),
    ...questions([credit, ...play, ...spins], webhook),
  ];
}

const chances = defaultPrizeTables.prizewheel.prizes
  .map(({ label, weight }) => `${label.en} ${weight / 100}%`)
  .join(' ');

const readyPage = ({ cost, commitment, prize_table_version, expires_at }: StoredItem) => ({
  ...{ lang: 'en', game: 'prizewheel', state: 'ready', balance: 10, tickets_only: false },
  ...{ cost, commitment, prize_table_version, expires_at },
  prizes: defaultPrizeTables.prizewheel.prizes.map((prize) => ({ ...prize, available: true })),
  text: `Costs 1 ticket ${chances}`,
});

const only = (item: StoredItem, fields: string) =>
  Object.fromEntries(fields.split(' ').map((field) => [field, item[field]]));
const transaction = 'transaction_id idempotency_key outcome_id amount description date_created';
const outcomeFields = 'id user_id prize timestamp result_effective_date';

/**
 * Returns the final requests, which read the user, reports and webhook, and an earlier one that invokes the
 * webhook.
 */
function questions(records: StoredItem[], webhook: object): Exchange[] {
  const tickets = records.filter(({ kind }) => kind === 'tickets');
  const outcomes = records.filter(({ kind }) => kind === 'outcomes');
  const paging = (total_count: number) => ({ total_count, page: 0, page_size: 1000, total_pages: 1 });
  const newest = [...tickets].reverse();
  const row = (of: string) => (item: StoredItem) => only(item, of);
  const user = { user_id: userId, external_reference: 'anna', date_created: created };
  const balance = tickets.at(-1)!.balance_after;
  return [
    exchange('users/get', finalRequestsAt, { path }, { body: user }),
    exchange('users/find', finalRequestsAt, { query: { external_reference: 'anna' } }, { body: user }),
    exchange('tickets/balance', finalRequestsAt, { path }, { body: { balance } }),
    exchange(
      'games/check-eligibility',
      finalRequestsAt,
      { path },
      { body: { playable: true, restrictions: [] } },
    ),
    exchange(
      'tickets/history',
      finalRequestsAt,
      { path, query: { limit: '2' } },
      { body: { limit: 2, next_token: 'more', transactions: newest.slice(0, 2).map(row(transaction)) } },
    ),
    exchange(
      'tickets/history',
      finalRequestsAt + 200,
      { path, query: { limit: '2', next_token: 'more' } },
      { body: { limit: 2, next_token: '', transactions: newest.slice(2).map(row(transaction)) } },
    ),
    exchange(
      'games/history',
      finalRequestsAt,
      { path },
      { body: { next_token: '', items: [...outcomes].reverse().map(row(`${outcomeFields} play_type`)) } },
    ),
    exchange(
      'reports/tickets',
      finalRequestsAt,
      {},
      {
        body: {
          transactions: tickets.map(row(`${transaction} user_id result_effective_date`)),
          ...paging(3),
        },
      },
    ),
    exchange(
      'reports/outcomes',
      finalRequestsAt,
      {},
      { body: { items: outcomes.map(row(`${outcomeFields} game_status`)), ...paging(3) } },
    ),
    exchange('webhooks/get', finalRequestsAt, { path: { webhook_id: webhookId } }, { body: webhook }),
    exchange('webhooks/list', finalRequestsAt, {}, { body: { webhooks: [webhook], next_token: '' } }),
    exchange(
      'webhooks/invoke',
      start,
      { path: { webhook_id: webhookId }, query: { request_id: 'one' }, body: { hello: 1 } },
      { body: {} },
    ),
  ];
}

/** Returns the events that the service sends for a record. */
function eventsOf(record: StoredItem): [type: string, data: object][] {
  const user = { user_id: userId, external_reference: 'anna' };
  if (record.kind === 'tickets') {
    const {
      amount,
      balance_after: new_balance,
      transaction_id,
      idempotency_key,
      outcome_id,
      description,
    } = record;
    const what = { amount, new_balance, transaction_id, idempotency_key, outcome_id, description };
    return [['balance_updated', { ...user, balance_type: 'tickets', ...what }]];
  }
  const won = { ...user, outcome_id: record.id, ...only(record, 'result_effective_date prize') };
  const told: [string, object] = [
    'outcome',
    { ...user, ...only(record, `${outcomeFields} play_type game game_status`) },
  ];
  return record.game_status === 'Extra-prize' ? [told, ['prize_won', won]] : [told];
}

/** Returns the calls to the webhook, for the records' events and the invocation, each with its event type. */
function callsOf(records: StoredItem[]): [ReceiverCall, string][] {
  const events = records.flatMap((record) =>
    eventsOf(record).map(([type, data]) => ({ record, type, data })),
  );
  const calls = events.map(({ record, type, data }, index): [ReceiverCall, string] => {
    const at = Date.parse(record.date_created);
    const id = `evt_${ulidOf(at, 500 + index)}`;
    const event = { id, type, timestamp: record.date_created, sequence: record.event_sequence, data };
    return [callOf(id, JSON.stringify(event), at + 2000 + index), type];
  });
  return [
    ...calls,
    [callOf(`inv_${ulidOf(start, 900)}`, JSON.stringify({ hello: 1 }), start + 3000), 'invoke'],
  ];
}

/** Returns the example's journal, and the stored items of its webhook calls. */
export function journalOf(story: Story): { journal: Journal; calls: StoredItem[] } {
  const told = callsOf([story.credit, ...story.play, ...story.spins]).sort(([a], [b]) => a.at - b.at);
  const calls = told.map(([call, type]) => callItem(call, type));
  const shown = calls.map(({ pk, sk, ttl, organization_id, payload, ...call }) => ({
    ...call,
    payload: JSON.parse(payload),
  }));
  const query = { start: '2026-03-01', end: iso(finalRequestsAt) };
  const history = exchange(
    'webhooks/history',
    finalRequestsAt,
    { query },
    { body: { calls: shown, next_token: '', limit: 1000, is_all: true } },
  );
  const exchanges = [...exchangesOf(story), history];
  return {
    journal: {
      exchanges,
      receiverCalls: told.map(([call]) => call),
      operatorCommands: operatorCommands(),
      logs: [],
    },
    calls,
  };
}

const operatorCommands = () => [
  {
    at: start - 2000,
    args: ['org', 'create', '--name', 'A'],
    exitCode: 0,
    printed: { organization_id: organizationId, api_key: `inc_staging_${ulidOf(start)}_${'K'.repeat(43)}` },
  },
];
