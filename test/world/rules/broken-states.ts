/** Changes to the final state of a recorded world. Each breaks the rule that it is listed with. */
import type { Exchange, Journal, OperatorCommand, ReceiverCall, StoredItem } from '../journal.ts';
import type { Ended } from './check-world.ts';
import { type ItemType, typeOf } from './item-types.ts';

type Alteration = (ended: Ended) => Ended;
type CheckedState = Required<Pick<Ended, 'items' | 'journal'>>;

/** Returns an alteration that changes both the final state and its copy with restored texts. */
const alter =
  (to: (seen: CheckedState) => Partial<CheckedState>): Alteration =>
  (ended) => ({
    ...ended,
    ...to(ended),
    restored: { ...(ended.restored ?? ended), ...to(ended.restored ?? ended) },
  });

/**
 * Returns the list with one replacement: the elements from `to` replace the first element that `isIt` accepts. Throws
 * if `isIt` accepts none.
 */
function replace<T>(list: Iterable<T>, isIt: (one: T) => boolean, to: (one: T) => T[]): T[] {
  const all = [...list];
  const at = all.findIndex(isIt);
  if (at < 0) throw new Error('the recorded world has nothing like this');
  return all.toSpliced(at, 1, ...to(all[at]!));
}

type Predicate<T> = (one: T) => boolean;
const anything = () => true;

/** Returns an alteration that replaces fields of the first item of a type. Without `to`, it deletes the item. */
const item = (
  type: ItemType,
  to?: (item: StoredItem) => object,
  isIt: Predicate<StoredItem> = anything,
): Alteration =>
  alter(({ items }) => ({
    items: replace(
      items,
      (one) => typeOf(one) === type && isIt(one),
      (one) => (to ? [{ ...one, ...to(one) }] : []),
    ),
  }));

const inJournal = <Name extends keyof Journal>(
  name: Name,
  isIt: Predicate<Journal[Name][number]>,
  to: (one: Journal[Name][number]) => Journal[Name][number][],
): Alteration =>
  alter(({ journal }) => ({
    journal: { ...journal, [name]: replace(journal[name] as Journal[Name][number][], isIt, to) },
  }));

/**
 * Returns an alteration of one answer from an endpoint: the first that `isIt` accepts, by default the first success.
 */
const answer = (
  endpoint: Exchange['endpoint'],
  to: (answer: NonNullable<Exchange['answer']>, exchange: Exchange) => object,
  isIt: Predicate<Exchange> = ({ answer }) => answer!.status === 200,
) =>
  inJournal(
    'exchanges',
    (one) => one.endpoint === endpoint && isIt(one),
    (one) => [{ ...one, answer: { ...one.answer!, ...to(one.answer!, one) } }],
  );

/**
 * Returns an alteration of the body of one answer from an endpoint: the first that `isIt` accepts, by default the first
 * success.
 */
const body = (
  endpoint: Exchange['endpoint'],
  // biome-ignore lint/suspicious/noExplicitAny: an alteration reads whatever was answered
  to: (body: any) => object,
  isIt?: Predicate<Exchange>,
) => answer(endpoint, (one) => ({ body: { ...one.body, ...to(one.body) } }), isIt);

const refusal = (status: number, code: string) => () => ({
  status,
  body: { status: 'error', message: 'No.', code, request_id: '1' },
});
const request = (endpoint: Exchange['endpoint'], to: (exchange: Exchange) => object) =>
  inJournal(
    'exchanges',
    (one) => one.endpoint === endpoint && one.answer!.status === 200,
    (one) => [{ ...one, ...to(one) }],
  );
const received = (to: (call: ReceiverCall) => object) =>
  inJournal(
    'receiverCalls',
    ({ headers }) => !headers['webhook-id']!.startsWith('inv_'),
    (one) => [{ ...one, ...to(one) }],
  );
const command = (noun: string, verb: string, to: (command: OperatorCommand) => object) =>
  inJournal(
    'operatorCommands',
    ({ args }) => args[0] === noun && args[1] === verb,
    (one) => [one, { ...one, ...to(one) }],
  );
const log = (line: object | string) =>
  alter(({ journal }) => ({
    journal: { ...journal, logs: [...journal.logs, typeof line === 'string' ? line : JSON.stringify(line)] },
  }));
const all =
  (...alterations: Alteration[]): Alteration =>
  (ended) =>
    alterations.reduce((state, alteration) => alteration(state), ended);

const isPlayed = ({ answer }: Exchange) => answer?.body?.state === 'played';
const isReady = ({ answer }: Exchange) => answer?.body?.state === 'ready';
const isEvent = ({ event_type }: StoredItem) => event_type === 'balance_updated';
const other = 'usr_01KK33SNWKCC4YD2AQ8R3B6490';
const dayMs = 24 * 3_600_000;

/** Returns 100 copies of the first webhook, which belong to another organization. */
function webhooksOfAnother(items: StoredItem[]): StoredItem[] {
  const webhook = items.find((one) => typeOf(one) === 'webhook')!;
  const organization_id = 'org_01KK33SNWKCC4YD2AQ8R3B6490';
  return Array.from({ length: 100 }, (_, index) => {
    const webhook_id = `wh_01KK33SNWKCC4YD2AQ8R3B6${String(index).padStart(3, '0')}`;
    const key = { pk: `ORG#${organization_id}`, sk: `WEBHOOK#${webhook_id}` };
    return { ...webhook, ...key, organization_id, webhook_id };
  });
}

export const brokenStates: [rule: string, how: string, alteration: Alteration][] = [
  [
    'a success has exactly the fields of the contract',
    'one more field',
    body('tickets/balance', () => ({ more: 1 })),
  ],
  ['a refusal has a code of the contract', 'an unknown code', answer('tickets/credit', refusal(422, 'no'))],
  [
    'a refusal has a code of the contract',
    'a 503 without Retry-After',
    answer('tickets/credit', refusal(503, 'unavailable')),
  ],
  [
    'an answer has the headers of the contract',
    'an answer that may be cached',
    answer('tickets/balance', ({ headers }) => ({ headers: { ...headers, 'cache-control': 'public' } })),
  ],
  ['an invalid request is refused', 'a success', request('tickets/credit', () => ({ mistake: 'some' }))],
  ['a valid request is not refused', 'a 422', answer('tickets/credit', refusal(422, 'validation_failed'))],
  [
    'without faults no beacon round is unavailable',
    'an unavailable round',
    item('round', () => ({ out: true })),
  ],
  [
    'each queued spin is drawn by the round of its order’s only checkpoint',
    'an order in no checkpoint',
    item('closed orders', () => ({ hashes: '' })),
  ],
  [
    'without faults each checkpoint has a timestamp',
    'a missing timestamp',
    item('checkpoint', () => ({ timestamp: undefined })),
  ],
  [
    'without faults queued spins run within a minute and a half after midnight',
    'a spin an hour later',
    item(
      'record',
      ({ timestamp }) => ({ timestamp: new Date(Date.parse(timestamp) + 3_600_000).toISOString() }),
      ({ beacon_round }) => beacon_round !== undefined,
    ),
  ],
  [
    'without faults queued spins have a checkpoint within a minute and a half after midnight, also on hold',
    'a checkpoint an hour later',
    item('checkpoint', ({ draws_at }) => ({
      draws_at: new Date(Date.parse(draws_at) + 3_600_000).toISOString(),
    })),
  ],
  ['each past day has a book', 'a missing book', item('book')],
  [
    'each book gets a timestamp, earlier books first',
    'a missing timestamp',
    item('book', () => ({ timestamp: undefined })),
  ],
  [
    'the service checks each book and finds nothing',
    'a finding',
    item('book check', () => ({ findings: { root_differs: 1 } })),
  ],
  [
    'a call goes to its webhook, signed with the secrets in force',
    'another body',
    received(({ body }) => ({ body: `${body} ` })),
  ],
  [
    'a call goes to its webhook, signed with the secrets in force',
    'an old time',
    received(({ at }) => ({ at: at + dayMs })),
  ],
  ['only public addresses are called', 'a private one', received(() => ({ addresses: ['10.0.0.1'] }))],
  [
    'a webhook gets no event from before its registration',
    'an event of 1970',
    item('call', () => ({ event_id: `evt_${'0'.repeat(26)}` }), isEvent),
  ],
  ['the call history matches the calls', 'a call that is missing', item('call', undefined, isEvent)],
  [
    'the call history matches the calls',
    'an answer that no receiver gave',
    item('call', () => ({ response_status: 204 }), isEvent),
  ],
  ['retries follow the schedule', 'a second attempt alone', item('call', () => ({ attempt: 2 }))],
  [
    'every delivery succeeds in the end',
    'a delivery that failed',
    item('call', () => ({ response_status: 500 })),
  ],
  [
    'no stored item contains an erased user’s texts',
    'a key of the erased user',
    item('organization', () => ({ name: 'a name' })),
  ],
  [
    'an event matches its record and has one id',
    'another amount',
    item(
      'record',
      ({ amount }) => ({ amount: amount + 1 }),
      ({ kind }) => kind === 'tickets',
    ),
  ],
  [
    'an event matches its record and has one id',
    'another id of the same event',
    received(({ headers, body }) => {
      const id = `evt_${'0'.repeat(26)}`;
      return {
        headers: { ...headers, 'webhook-id': id },
        body: JSON.stringify({ ...JSON.parse(body), id }),
      };
    }),
  ],
  [
    'a webhook is disabled only after five days without success',
    'after one day',
    log({
      ...{ message: 'webhook disabled', webhook_id: 'wh_1' },
      ...{ failing_since: '2026-03-06T00:00:00Z', disabled_at: '2026-03-07T00:00:00Z' },
    }),
  ],
  [
    'every record is delivered to every webhook that wants it',
    'an event that is not delivered',
    item('call', undefined, (one) => isEvent(one) && one.timestamp > '2026-03-07T04'),
  ],
  [
    'a request is refused for a hold only while the hold is in force',
    'a freeze that never was',
    answer('entries/credit', refusal(403, 'user_frozen')),
  ],
  [
    'a successful request has one effect and one answer',
    'a lost effect',
    item('record', undefined, ({ idempotency_key }) => idempotency_key === 'one'),
  ],
  [
    'a successful request has one effect and one answer',
    'a doubled effect',
    alter(({ items }) => ({
      items: replace(
        items,
        ({ idempotency_key }) => idempotency_key === 'one',
        (one) => [one, one],
      ),
    })),
  ],
  [
    'a successful request has one effect and one answer',
    'a wrong balance',
    body('tickets/credit', () => ({ new_ticket_balance: 1 })),
  ],
  [
    'a successful request has one effect and one answer',
    'a balance with the number of another event',
    body('tickets/credit', ({ sequence }) => ({ sequence: sequence + 1 })),
  ],
  [
    'every effect was requested, and a refused request has none',
    'a refused credit',
    answer('entries/credit', refusal(400, 'insufficient_entries')),
  ],
  [
    'all answers to an idempotency key except one are marked as replays',
    'a replay without its mark',
    answer(
      'tickets/credit',
      () => ({ headers: {} }),
      ({ answer }) => answer?.headers['idempotent-replayed'] === 'true',
    ),
  ],
  [
    'a used idempotency key returns its answer or refuses another request',
    'a conflict with the same request',
    answer('entries/credit', refusal(422, 'idempotency_key_reused')),
  ],
  [
    'an invocation is sent unchanged',
    'another payload',
    request('webhooks/invoke', () => ({ body: { hello: 2 } })),
  ],
  [
    'a request id is refused only for another payload',
    'a refusal of the only payload',
    answer('webhooks/invoke', refusal(422, 'idempotency_key_reused')),
  ],
  [
    'a request id invokes a webhook once',
    'two events',
    alter(({ items }) => ({
      items: replace(
        items,
        ({ event_type }) => event_type === 'invoke',
        (one) => [one, { ...one, event_id: `inv_${'0'.repeat(26)}` }],
      ),
    })),
  ],
  [
    'a successful invocation is sent',
    'no call',
    item('call', undefined, ({ event_type }) => event_type === 'invoke'),
  ],
  [
    'an organization sees no other organization’s data',
    'a history of another organization',
    request('tickets/history', () => ({ organizationId: 'org_other' })),
  ],
  [
    'an organization finds exactly its own users and webhooks',
    'a user of another organization',
    request('tickets/balance', () => ({ organizationId: 'org_other' })),
  ],
  [
    'an organization finds exactly its own users and webhooks',
    'a user that is not found',
    answer('tickets/balance', refusal(404, 'user_not_found')),
  ],
  [
    'an operator’s verification succeeds',
    'a history that is not intact',
    command('user', 'verify', () => ({ printed: { intact: false } })),
  ],
  [
    'no scheduled change is overdue',
    'a change of yesterday',
    item('organization', () => ({ scheduled: [{ from: '2026-03-05', sequence: 1 }] })),
  ],
  [
    'an adjustment with a key is made once',
    'two adjustments',
    alter(({ items }) => ({
      items: replace(
        items,
        ({ operation_id, kind }) => kind === 'tickets' && operation_id !== undefined,
        (one) => [one, one],
      ),
    })),
  ],
  [
    'each ordered spin ran once',
    'a lost spin',
    item('record', undefined, ({ play_type }) => play_type === 'amoe'),
  ],
  [
    'each ordered spin ran once',
    'a spin that runs a day late',
    item(
      'record',
      ({ date_created }) => ({ date_created: new Date(Date.parse(date_created) + dayMs).toISOString() }),
      ({ play_type, beacon_round }) => play_type === 'amoe' && beacon_round !== undefined,
    ),
  ],
  [
    'budgets granted exactly what was won',
    'a win that was not granted',
    item('budget', undefined, ({ granted }) => granted.usd > 0),
  ],
  [
    'the payout check counts no play twice',
    'one play too many',
    log({ message: 'payouts', organization_id: 'org_1', truck_regular: 1 }),
  ],
  [
    'wins are compared with the odds within hours',
    'no check',
    all(item('payouts'), (ended) => ({ ...ended, now: ended.now + dayMs, faultFreeFrom: 0 })),
  ],
  [
    'every prize won was in its draw',
    'a logged error',
    log({ message: 'prizes were not in their draws', organization_id: 'org_1', outcomes: 1 }),
  ],
  [
    'a play URL is what the host requested',
    'a URL of another user',
    item('session', () => ({ user_id: other })),
  ],
  [
    'a play URL always shows the same outcome',
    'another prize',
    body('play/open', ({ outcome }) => ({ outcome: { ...outcome, prize: { tickets: 77 } } }), isPlayed),
  ],
  [
    'a page shows the cost and prizes of its play',
    'another cost',
    body('play/open', () => ({ cost: 77 }), isReady),
  ],
  [
    'the visible text of a page equals its data',
    'no text',
    body('play/open', () => ({ text: 'Cuesta 77 boletos' }), isReady),
  ],
  [
    'a play URL expires after exactly 30 minutes',
    'too early',
    body('play/open', () => ({ state: 'expired' }), isReady),
  ],
  [
    'no page reveals the server seed before the play',
    'a page with the seed',
    (ended) => {
      const played = [...ended.items].find(({ played }) => played)!;
      return body(
        'play/open',
        () => ({ more: played.played.server_seed }),
        (exchange) => {
          const { answer } = exchange;
          return isReady(exchange) && answer!.body.commitment === played.commitment;
        },
      )(ended);
    },
  ],
  [
    'a read returns a real state that is not older than a known one',
    'a balance that never was',
    body('tickets/balance', () => ({ balance: 12_345 })),
  ],
  [
    'a read returns a real state that is not older than a known one',
    'a balance with the number of a later event',
    body('tickets/balance', ({ sequence }) => ({ sequence: sequence + 1 })),
  ],
  [
    'a read returns a real state that is not older than a known one',
    'a summary without an event',
    body('users/summary', ({ sequence }) => ({ sequence: sequence + 1 })),
  ],
  [
    'a read returns a real state that is not older than a known one',
    'a summary with a win that nobody won',
    body('users/summary', ({ wins }) => ({ wins: { ...wins, prizes: [{ prize: { cash_usd: 5 } }] } })),
  ],
  [
    'pages of a history have no gaps',
    'a missing row',
    body('tickets/history', ({ transactions }) => ({ transactions: transactions.toSpliced(1, 1) })),
  ],
  [
    'eligibility matches the restrictions',
    'not playable for no reason',
    body('games/check-eligibility', ({ playable }) => ({ playable: !playable })),
  ],
  [
    'eligibility matches the restrictions',
    'a hold that never was',
    body('users/summary', ({ games }) => ({
      games: games.map((one: object) => ({ ...one, playable: false, holds: ['user_frozen'] })),
    })),
  ],
  [
    'totals of reports equal the ledger',
    'a user that has more than is reported',
    item('user', ({ balances }) => ({ balances: { ...balances, tickets: balances.tickets + 1 } })),
  ],
  [
    'a report equals a plain list',
    'a missing row',
    body('reports/tickets', ({ transactions }) => ({ transactions: transactions.slice(1) })),
  ],
  [
    'a host that follows its cursor misses no event',
    'a page that skips an event',
    body('events/list', ({ events }) => ({ events: events.slice(1) })),
  ],
  [
    'events are in order and without a gap, on a page and across pages',
    'a page in the wrong order',
    body('events/list', ({ events }) => ({ events: events.toReversed() })),
  ],
  [
    'the call history equals a plain list',
    'a missing call',
    body('webhooks/history', ({ calls }) => ({ calls: calls.slice(1) })),
  ],
  ['a row index covers its rows', 'another last row', item('index state', () => ({ last: '7'.repeat(26) }))],
  [
    'no secret is stored in plain text',
    'the secret of a webhook',
    item('webhook', () => ({ note: 'a new secret of the host' })),
  ],
  ['no secret is logged', 'the secret of a webhook', log('a new secret of the host')],
  ['all users were created by a request', 'a user without a request', item('user')],
  [
    'a repeated creation returns the same user',
    'another user',
    inJournal(
      'exchanges',
      ({ endpoint }) => endpoint === 'users/create',
      (one) => [one, { ...one, answer: { ...one.answer!, body: { ...one.answer!.body, user_id: other } } }],
    ),
  ],
  ['users and references are one to one', 'a user without a reference', item('reference')],
  ['a reference finds its current user', 'another user', body('users/find', () => ({ user_id: other }))],
  [
    'a reference is refused only if it may be in use',
    'a free reference',
    inJournal(
      'exchanges',
      ({ endpoint, answer }) => endpoint === 'users/create' && answer?.status === 409,
      (one) => [{ ...one, body: { external_reference: 'free' } }],
    ),
  ],
  [
    'changing a reference returns the same user',
    'another user',
    body('users/update', () => ({ user_id: other })),
  ],
  [
    'a webhook has the state that its host set',
    'another URL',
    body('webhooks/get', () => ({ callback_url: 'https://other.example.com/' })),
  ],
  ['the list of webhooks is complete', 'an empty list', body('webhooks/list', () => ({ webhooks: [] }))],
  ['a deleted webhook is gone', 'a missing webhook', item('webhook')],
  [
    'a deleted webhook is gone',
    'a refusal for the limit of webhooks that only another organization has reached',
    all(
      answer('webhooks/create', refusal(409, 'too_many_webhooks')),
      alter(({ items }) => ({ items: [...items, ...webhooksOfAnother([...items])] })),
    ),
  ],
];
