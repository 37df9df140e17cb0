/** Makes the final state of a small valid world. Tests change it to break a rule. */
import type { Exchange, Journal, StoredItem } from '../../journal.ts';
import { beacon } from '../../relays.ts';
import { checkWorld } from '../check-world.ts';
import { exampleOutcome, order, seedThatWins, session } from '../example-plays.ts';
import {
  iso,
  keyItem,
  newUser,
  organizationId,
  recorded,
  start,
  ticketChange,
  today,
  ulidOf,
  userId,
} from '../examples.ts';
import { sha256 } from '../hashes.ts';
import { clientSeedOf, seedOfOutcome } from '../server-seeds.ts';
import { finalRequestsAt, journalOf } from './example-journal.ts';
import { webhookId } from './example-requests.ts';

/** The final items and the journal of a small world, and the time at its end. */
export type Example = { items: StoredItem[]; journal: Journal; now: number };

export const token = 'T'.repeat(43);
const minute = 60_000;

/** The idempotency key of the order of free spins. */
const spinKey = 'spins';

/** Returns a user with two records: a credit and an order of two free spins. */
function beginning(text_key: string) {
  const newFields = ticketChange(10, { idempotency_key: 'first', description: 'Hello' });
  const credit = recorded({ ...newUser(), text_key }, [newFields], start);
  const promise = {
    kind: 'orders',
    num_of_spins: 2,
    run: 'queued',
    due_day: '2026-03-07',
    result_effective_date: today,
    last_hash: credit.user.last_hash,
    prize_table_version: order().prize_table_version,
    beacon: beacon.chain,
    idempotency_key: spinKey,
  };
  const ordered = recorded(credit.user, [promise], start + 500);
  return { user: ordered.user, credit: credit.records, order: ordered.records[0]! };
}

const dueRound = Date.parse('2026-03-07T05:00:00Z') / 1000 / beacon.period + 1;
const freeSpin = ({ order_id, sequence, last_hash }: StoredItem, spin_index: number) =>
  exampleOutcome(clientSeedOf(last_hash, dueRound), {
    beacon_round: dueRound,
    play_type: 'amoe',
    spin_index,
    order_id,
    order_sequence: sequence,
    secret_day: '2026-03-07',
    debug: undefined,
  });

/** The user's text key, chosen so that the free spins win no tickets or entries and add no transactions. */
const textKey = Array.from({ length: 10_000 }, (_, i) => `${i}`).find((key) => {
  const { order } = beginning(key);
  return [0, 1].every((index) => Object.keys(freeSpin(order, index).prize)[0]!.startsWith('prize_'));
})!;

/** Returns the example's user with a credit, an order, a play and two free spins. */
function history() {
  const { user: before, credit, order } = beginning(textKey);
  const playAt = start + minute;
  const win = exampleOutcome(seedThatWins('tickets', 3), { play_type: 'regular', cost: 1 });
  const outcome_id = `out_${ulidOf(playAt)}`;
  const paid = ticketChange(-1, { outcome_id });
  const play = recorded(before, [win, paid, ticketChange(win.prize.tickets!, { outcome_id })], playAt);
  const ranAt = Date.parse('2026-03-07T05:00:10Z');
  const spins = recorded(play.user, [freeSpin(order, 0), freeSpin(order, 1)], ranAt);
  const user: StoredItem = { ...spins.user, plays: { day: '2026-03-06', count: 1 } };
  return { user, credit, ordered: order, play: play.records, spins: spins.records };
}

/** Returns a new copy of the example world's final state. */
export function example(): Example {
  const { user, credit, ordered, play, spins } = history();
  const [outcome] = play as [StoredItem];
  const ulid = outcome.id.slice('out_'.length);
  const played = { balance: play.at(-1)!.balance_after, ulid, server_seed: seedOfOutcome(outcome) };
  const made = {
    ...session(),
    pk: `PLAY#${sha256(token)}`,
    lang: 'en',
    date_created: iso(start),
    expires_at: iso(start + 30 * minute),
  };
  const sessionItem = { ...made, played, ttl: start / 1000 + 365 * 24 * 3600 };
  const items: StoredItem[] = [
    user,
    {
      pk: `REF#${organizationId}#anna`,
      sk: 'REF',
      user_id: userId,
      external_reference: 'anna',
      date_created: user.date_created,
    },
    ...credit,
    ordered,
    ...play,
    ...spins,
    keyItem('tickets', 'first', { transaction_id: credit[0]!.transaction_id, balance: 10 }),
    keyItem('spins', spinKey, { total_queued_spins: 2 }),
    sessionItem,
    {
      pk: `ORG#${organizationId}`,
      sk: `WEBHOOK#${webhookId}`,
      organization_id: organizationId,
      webhook_id: webhookId,
      secret: 'sealed',
      version: 1,
    },
    { pk: `ORG#${organizationId}`, sk: 'PAYOUTS', checked_until: finalRequestsAt },
  ];
  const story = { token, spinKey, session: sessionItem, credit: credit[0]!, play, spins };
  const { journal, calls } = journalOf(story);
  return { items: [...items, ...calls], journal, now: finalRequestsAt + minute };
}

/** Applies a change to a copy of the example and returns the names of the broken rules. */
export function rulesBrokenBy(change: (world: Example) => void): string[] {
  // Copies by way of JSON, so that no two parts of the copy share an object.
  const world: Example = JSON.parse(JSON.stringify(example()));
  change(world);
  return [...new Set(checkWorld(world).map(({ rule }) => rule))];
}

/** Returns the nth request to an endpoint with its response, counted from 0. */
export function asking({ journal }: Example, endpoint: Exchange['endpoint'], nth = 0): Exchange {
  return journal.exchanges.filter((exchange) => exchange.endpoint === endpoint)[nth]!;
}

/** Returns the first item whose sort key starts with `sk`. */
export const itemAt = ({ items }: Example, sk: string): StoredItem =>
  items.find((item) => item.sk.startsWith(sk))!;

/** Removes the items whose sort keys start with `sk`. */
export function remove(world: Example, sk: string): void {
  world.items = world.items.filter((item) => !item.sk.startsWith(sk));
}

/** Adds a copy of a request and its response to the journal, with some fields replaced. */
export function add({ journal }: Example, other: Exchange, of: Partial<Exchange>): Exchange {
  const exchange = { ...structuredClone(other), ...of };
  journal.exchanges.push(exchange);
  return exchange;
}
