/**
 * A midnight on which one organization has very many free spins to run, others a few, and players play meanwhile.
 *
 * Everything runs as it is deployed: the schedule, the queue with as many workers as
 * `infra/deploy/workers.ts` says, and Lambda's instances. Orders are put into the table by the product's own
 * `placeOrder`; the night before is a quiet one, with the same players and no orders. How long calls to AWS
 * take is assumed (`crowd.ts`).
 */

import type { User } from '../../../shared/accounts/user.ts';
import { dueItemOf } from '../../../shared/amoe/open-orders.ts';
import { placeOrder } from '../../../shared/amoe/spin-orders.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { itemIn } from '../../../shared/table/codec.ts';
import type { Bundles } from '../../world/bundles.ts';
import { beacon } from '../../world/relays.ts';
import { type Answer, type Crowd, createCrowd, type Organization, quantile } from './crowd.ts';
import { watchedLambda } from './functions.ts';
import { loads } from './peaks.ts';
import type { Heat } from './pressure.ts';

/** What a midnight is to be. */
export type Options = {
  bundles: Bundles;
  /** Spins of the large organization, in orders of 20. */
  spins: number;
  /** Shards of the large organization. */
  chains: number;
  /** Spins of each of five others, as well. */
  spinsOfOthers: number;
  /** Plays of the large organization's players a second. */
  plays: number;
  /** After so many minutes it is given up. */
  mostMinutes: number;
};

/** What happened in a minute: times are in virtual milliseconds. */
export type Minute = {
  /** Spins that ran by its end, of all organizations. */
  spins: number;
  workers: { mean: number; most: number };
  /** How many answers players got, how many of them were no success, and how long they took. */
  players: Players;
  hottest: Heat;
  /** How often a key of the table had no units left. */
  refused: number;
};
export type Players = { answers: number; failed: number; p50: number; p99: number };

/** What a midnight came to. */
export type Midnight = {
  minutes: Minute[];
  quiet: Players;
  /** Milliseconds from midnight to the first spin of each organization, the large one first. */
  firstSpins: number[];
  ordered: number;
  /** Different spins that ran, how often one ran once more, and orders that have not run to their end. */
  ran: number;
  repeated: number;
  open: number;
};

const spinsPerOrder = 20;
const others = 5;
const minute = 60_000;
const day = 24 * 60 * minute;
/** Midnight in New York, in which nothing is to do. */
const quietMidnight = Date.parse('2026-11-23T05:00:00Z');
const midnight = quietMidnight + day;
const quietMinutes = 5;

/** Lets a quiet midnight and a busy one pass. */
export async function runMidnight(options: Options): Promise<Midnight> {
  const { bundles, spins, chains, spinsOfOthers, plays, mostMinutes } = options;
  const { createFunctions, busy } = watchedLambda();
  const crowd = createCrowd({ bundles, start: quietMidnight - 5 * minute, limits: 1, createFunctions });
  const { world, pass, pressure } = crowd;
  const until = (time: number) => pass(time - world.timeline.now());
  const large = await crowd.found('large');
  if (chains > 1) await large.setCashChains(chains);
  const organizations = [large];
  for (let i = 0; i < others; i++) organizations.push(await crowd.found(`other ${i}`));
  const players = await large.users(1000);
  crowd.store(players);

  await until(quietMidnight - minute / 2);
  const quietPlayers = playing(crowd, large, players, plays);
  await until(quietMidnight);
  quietPlayers.seen();
  await until(quietMidnight + quietMinutes * minute);
  const quiet = quietPlayers.seen();
  quietPlayers.stop();

  await until(midnight - 10 * minute);
  const outcomes = outcomesOf(crowd);
  for (const organization of organizations) {
    const count = organization === large ? spins : spinsOfOthers;
    await order(crowd, organization, Math.ceil(count / spinsPerOrder));
  }
  const ordered =
    spinsPerOrder * (Math.ceil(spins / spinsPerOrder) + others * Math.ceil(spinsOfOthers / spinsPerOrder));
  await until(midnight - minute / 2);
  const busyPlayers = playing(crowd, large, players, plays);
  await until(midnight);
  busyPlayers.seen();
  busy('events/run-spins');
  pressure.hottest();
  const minutes: Minute[] = [];
  while (outcomes.count().ran < ordered && minutes.length < mostMinutes) {
    await pass(minute);
    const hottest = pressure.hottest();
    minutes.push({
      spins: outcomes.count().ran,
      workers: busy('events/run-spins'),
      players: busyPlayers.seen(),
      hottest: hottest[0]!,
      refused: hottest.reduce((sum, { refused }) => sum + refused, 0),
    });
  }
  busyPlayers.stop();
  const firstSpins = organizations.map(
    ({ id }) => (outcomes.firstOf(id) ?? Number.POSITIVE_INFINITY) - midnight,
  );
  const { ran, repeated, ended } = outcomes.count();
  return { minutes, quiet, firstSpins, ordered, ran, repeated, open: ordered / spinsPerOrder - ended };
}

/** Puts users with an order each into the table, as a request of the evening leaves them. */
async function order({ world, store }: Crowd, { id, users }: Organization, count: number): Promise<void> {
  const ordering = await users(count);
  const now = world.timeline.now();
  const promised = {
    run: 'queued' as const,
    due_day: '2026-11-24',
    prize_table_version: defaultPrizeTables.prizewheel.version,
    beacon: beacon.chain,
  };
  for (const user of ordering) {
    const asked = { num_of_spins: spinsPerOrder, idempotency_key: 'evening' };
    const request = { organizationId: id, userId: user.user_id, asked, now };
    const placed = placeOrder(user, request, promised);
    store([placed.user, placed.order, dueItemOf(placed.order, spinsPerOrder)]);
  }
}

/**
 * Lets players play, one after the other, so many a second, until they are stopped; tells how they fared
 * since last.
 */
function playing(crowd: Crowd, organization: Organization, players: User[], aSecond: number) {
  const { timeline, random } = crowd.world;
  let answers: Answer[] = [];
  let isOver = false;
  let next = 0;
  const play = async () => {
    answers.push(...(await loads.plays(players[next++ % players.length]!, organization)));
  };
  const begin = async () => {
    while (!isOver) {
      await timeline.wait(random.around(1000 / aSecond));
      void play();
    }
  };
  void begin();
  return {
    stop() {
      isOver = true;
    },
    seen(): Players {
      const seen = answers;
      answers = [];
      const ms = seen.map((answer) => answer.ms);
      const failed = seen.filter(({ status }) => status !== 200).length;
      return { answers: seen.length, failed, p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) };
    },
  };
}

/** Follows the stream for outcomes of orders, from now on. */
function outcomesOf({ world }: Crowd) {
  const { dynamodb } = world.backends;
  const positions = Array.from({ length: dynamodb.shards }, () => 0);
  const spinsOf = new Map<string, Set<string>>();
  const first = new Map<string, number>();
  const counted = { ran: 0, repeated: 0 };
  const look = () => {
    for (const shard of positions.keys()) {
      for (let page = read(shard); page.length > 0; page = read(shard)) {
        positions[shard] = page.at(-1)!.position;
        for (const { at, record } of page) {
          const { kind, order_id, spin_index, organization_id } = itemIn(record.dynamodb?.NewImage ?? {});
          if (record.eventName !== 'INSERT' || kind !== 'outcomes' || !order_id) continue;
          const [order, spin, organization] = [order_id, spin_index, organization_id].map(String);
          const spins = spinsOf.get(order!) ?? new Set();
          if (spins.has(spin!)) counted.repeated++;
          else counted.ran++;
          spinsOf.set(order!, spins.add(spin!));
          first.set(organization!, Math.min(at, first.get(organization!) ?? at));
        }
      }
    }
  };
  const read = (shard: number) => dynamodb.readStream(shard, positions[shard]!, 1000);
  return {
    count() {
      look();
      const ended = [...spinsOf.values()].filter(({ size }) => size === spinsPerOrder).length;
      return { ...counted, ended };
    },
    firstOf: (organizationId: string) => first.get(organizationId),
  };
}
