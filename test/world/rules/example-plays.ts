/** Makes valid writes of plays and free spins. Tests change them to break a rule. */

import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import type { Commit, StoredItem } from '../journal.ts';
import { beacon, servedRound } from '../relays.ts';
import {
  commitOf,
  iso,
  keyItem,
  newUser,
  organizationId,
  type RecordFields,
  recorded,
  start,
  ticketChange,
  today,
  ulidOf,
  userId,
  userWithTickets,
} from './examples.ts';
import { commitmentOf, sha256 } from './hashes.ts';
import { repeatDraw } from './repeat-draw.ts';
import { clientSeedOf, seedOfSession } from './server-seeds.ts';
import { chainOf } from './settings.ts';

type Outcome = RecordFields & { prize: Record<string, number> };
const { prizes, version } = defaultPrizeTables.prizewheel;

const madeAt = iso(start - 500);
const playPk = `PLAY#${sha256('token')}`;
const serverSeed = seedOfSession({
  pk: playPk,
  sk: 'PLAY',
  organization_id: organizationId,
  date_created: madeAt,
});

/** Returns the fields of an outcome with this client seed. Fields in `of` replace the defaults. */
export function exampleOutcome(clientSeed: string, of: object): Outcome {
  const newFields = {
    kind: 'outcomes',
    game: 'prizewheel',
    cost: 0,
    result_effective_date: today,
    prize_table_version: version,
    user_id: userId,
    organization_id: organizationId,
    secret_day: '2026-03-06',
    ...('order_id' in of ? {} : { token_hash: playPk.slice('PLAY#'.length) }),
    client_seed: clientSeed,
    spin_index: 0,
    budgets: { cash: { grants: 0, granted: 0, limit: 500 } },
    ...of,
  } as unknown as Outcome & StoredItem;
  const prize = repeatDraw(prizes, newFields)!;
  const statuses: Record<string, string> = { cash_usd: 'Cash', tickets: 'Ticket-only' };
  return {
    ...newFields,
    prize: { [prize.kind]: prize.amount },
    prize_id: prize.id,
    game_status: statuses[prize.kind] ?? 'Extra-prize',
  };
}

/** Returns a client seed whose draw wins a prize of this kind with at least the amount `minAmount`. */
export function seedThatWins(kind: string, minAmount = 1): string {
  for (let i = 0; ; i++)
    if ((exampleOutcome(`seed ${i}`, {}).prize[kind] ?? 0) >= minAmount) return `seed ${i}`;
}

/**
 * Returns the session of a prize wheel's play URL, created half a second before the examples' time (`start`).
 */
export const session = (): StoredItem => ({
  pk: playPk,
  sk: 'PLAY',
  organization_id: organizationId,
  user_id: userId,
  game: 'prizewheel',
  lang: 'en',
  cost: 1,
  prize_table_version: version,
  commitment: commitmentOf(serverSeed),
  date_created: madeAt,
  expires_at: iso(start - 500 + 30 * 60_000),
  ttl: Math.ceil((start - 500) / 1000) + 1800 + 30 * 24 * 3600,
});

/** Returns the budget of the day's cash after this number of grants, with a sum of `usd` USD. */
export const cashGranted = (grants: number, usd: number, day = '2026-03-06'): StoredItem => ({
  pk: `BUDGET#${organizationId}#cash#${day}#0`,
  sk: 'BUDGET',
  grants,
  day,
  granted: { usd },
  granted_on_day: { usd },
});

/** Returns the write of a play of `session()`. The play costs one ticket, and wins cash or tickets. */
export function play(kind: 'cash_usd' | 'tickets' = 'tickets'): Commit {
  const before = userWithTickets();
  const newFields = exampleOutcome(seedThatWins(kind), {
    play_type: 'regular',
    cost: 1,
  });
  const outcomeId = `out_${ulidOf(start)}`;
  const changes = [ticketChange(-1, { outcome_id: outcomeId, description: 'Prize wheel play' })];
  if (kind === 'tickets') changes.push(ticketChange(newFields.prize.tickets!, { outcome_id: outcomeId }));
  const { user, records } = recorded(before, [newFields, ...changes], start);
  const played = { balance: user.balances.tickets, ulid: ulidOf(start), server_seed: serverSeed };
  const ttl = start / 1000 + 365 * 24 * 3600;
  const cash: [StoredItem | undefined, StoredItem][] =
    kind === 'cash_usd' ? [[undefined, cashGranted(1, newFields.prize.cash_usd!)]] : [];
  return commitOf('play/spin', [
    [before, { ...user, plays: { day: '2026-03-06', count: 1 } }],
    ...records.map((record) => [undefined, record] as [undefined, StoredItem]),
    [session(), { ...session(), played, ttl }],
    ...cash,
  ]);
}

const dayBefore = start - 24 * 3_600_000;
/** Returns a user with ten tickets, 24 hours before the examples' time (`start`). */
const userOfDayBefore = () =>
  recorded({ ...newUser(), version: 1 }, [ticketChange(10, { idempotency_key: 'first' })], dayBefore - 500)
    .user;

/** Returns the record of an order of five free spins, made 24 hours before the examples' time (`start`). */
export const order = (): StoredItem => queued().records[0]!;

/** Returns the due item of `order()` with `remaining` spins. */
export const due = (remaining = 5): StoredItem => ({
  pk: `DUE#${organizationId}#${chainOf(userId, 32)}`,
  sk: `2026-03-06#${ulidOf(dayBefore)}`,
  user_id: userId,
  remaining,
});

/** Returns the user before and after `order()`, and the order's record. */
function queued() {
  const before = userOfDayBefore();
  const promise = {
    kind: 'orders',
    num_of_spins: 5,
    run: 'queued',
    due_day: '2026-03-06',
    result_effective_date: today,
    last_hash: before.last_hash,
    prize_table_version: version,
    beacon: beacon.chain,
    idempotency_key: 'spins',
  };
  return { before, ...recorded(before, [promise], dayBefore) };
}

/** Returns the write of a host's request that queues the five free spins of `order()`. */
export function queueing(): Commit {
  const { before, user, records } = queued();
  return commitOf(
    'amoe/queue',
    [
      [before, { ...user, queued_spins: 5 }],
      [undefined, records[0]],
      [undefined, due()],
      [undefined, keyItem('spins', 'spins', { total_queued_spins: 5 })],
    ],
    dayBefore,
  );
}

const roundOfToday = Date.parse(today) / 1000 / beacon.period + 1;
/** Returns the write that stores the beacon round of `order()`. Fields in `of` replace the round's fields. */
export function roundDecided(of: object = {}): Commit {
  const { signature } = servedRound(roundOfToday);
  const item = { pk: `BEACON#${beacon.chain}#${roundOfToday}`, sk: 'BEACON', signature, ...of };
  return commitOf('events/run-spins', [[undefined, item]]);
}

/** Returns the write in which a spin run executes spins of `order()` until `remaining` are left. */
export function run(remaining: number): Commit {
  const before = { ...userWithTickets(), queued_spins: 5 };
  const newFields: RecordFields[] = [];
  let [usd, ulid, grants] = [0, 0, 0];
  for (let index = 0; index < 5 - remaining; index++) {
    const { order_id, sequence: order_sequence, last_hash } = order();
    const outcome = exampleOutcome(clientSeedOf(last_hash, roundOfToday), {
      play_type: 'amoe',
      beacon_round: roundOfToday,
      spin_index: index,
      order_id,
      order_sequence,
      budgets: { cash: { grants, granted: usd, limit: 500 } },
    });
    const outcome_id = `out_${ulidOf(start, ++ulid)}`;
    newFields.push(outcome);
    const { tickets, entry_truck, entry_flight, cash_usd = 0 } = outcome.prize;
    usd += cash_usd;
    if (cash_usd > 0) grants++;
    const won = { outcome_id, amount: 1, description: '', result_effective_date: today };
    if (tickets) newFields.push({ kind: 'tickets', ...won, amount: tickets });
    if (entry_truck) newFields.push({ kind: 'entries', entry_type: 'truck', ...won });
    if (entry_flight) newFields.push({ kind: 'entries', entry_type: 'flight', ...won });
    ulid += newFields.length - newFields.indexOf(outcome) - 1;
  }
  const { user, records } = recorded(before, newFields, start);
  return commitOf('events/run-spins', [
    [before, { ...user, queued_spins: remaining }],
    [due(), remaining > 0 ? due(remaining) : undefined],
    ...records.map((record) => [undefined, record] as [undefined, StoredItem]),
    ...(usd > 0 ? [[undefined, cashGranted(grants, usd)] as [undefined, StoredItem]] : []),
  ]);
}
