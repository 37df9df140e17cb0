/** Simulates midnight with many due free spins. A million spins take half an hour of CPU and 10 GB of memory. */

import type { User } from '../../../shared/accounts/user.ts';
import { dueItemOf } from '../../../shared/amoe/open-orders.ts';
import { placeOrder } from '../../../shared/amoe/place-order.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { unpackImage } from '../../../shared/table/codec.ts';
import type { Bundles } from '../../world/bundles.ts';
import { type Answer, type Crowd, createCrowd, type Organization, quantile } from './crowd.ts';
import { watchedLambda } from './functions.ts';
import { loads } from './peaks.ts';
import type { Heat } from './pressure.ts';

export type Options = {
  bundles: Bundles;
  /** Number of free spins of the large organization, in orders of 20. */
  spins: number;
  /** Daily cash limit of the large organization in USD. */
  cashUsd: number;
  /** Number of free spins of each of the five other organizations. */
  spinsOfOthers: number;
  /** Number of plays per second by players of the large organization. */
  plays: number;
  /** Maximum number of virtual minutes to simulate. */
  maxMinutes: number;
};

/** Measurements of one virtual minute. Times are in virtual milliseconds. */
export type Minute = {
  /** Cumulative number of spins that ran since midnight, of all organizations. */
  spins: number;
  workers: { mean: number; max: number };
  /** Responses to players in one virtual minute: their number, the number of failures, and the latency. */
  players: Players;
  hottest: Heat;
  /** Number of reads and writes that DynamoDB refused because a partition key had no units left. */
  refused: number;
};
export type Players = { answers: number; failed: number; p50: number; p99: number };

/** Result of a simulated midnight. `quiet` has the responses to players in the baseline, five quiet minutes. */
export type Midnight = {
  minutes: Minute[];
  quiet: Players;
  /** Milliseconds from midnight to the first spin of each organization. The large organization comes first. */
  firstSpins: number[];
  ordered: number;
  /** Number of distinct spins that ran. */
  ran: number;
  /** Number of additional outcomes of spins that ran more than once. */
  repeated: number;
  /** Number of orders with spins that did not run. */
  open: number;
};

const spinsPerOrder = 20;
const others = 5;
const minute = 60_000;
const day = 24 * 60 * minute;
/** Midnight in New York without due free spins, as the baseline. */
const quietMidnight = Date.parse('2026-11-23T05:00:00Z');
const midnight = quietMidnight + day;
const quietMinutes = 5;

/** Simulates a quiet midnight and then, one day later, a busy one. */
export async function runMidnight(options: Options): Promise<Midnight> {
  const { bundles, spins, cashUsd, spinsOfOthers, plays, maxMinutes } = options;
  const { createFunctions, busy } = watchedLambda();
  const crowd = createCrowd({ bundles, start: quietMidnight - 5 * minute, limits: 1, createFunctions });
  const { world, pass, pressure } = crowd;
  const until = (time: number) => pass(time - world.timeline.now());
  const large = await crowd.createOrganization('large');
  await large.setDailyCash(cashUsd);
  const organizations = [large];
  for (let i = 0; i < others; i++) organizations.push(await crowd.createOrganization(`other ${i}`));
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
  busy('workers/run-spins');
  pressure.hottest();
  const minutes: Minute[] = [];
  while (outcomes.count().ran < ordered && minutes.length < maxMinutes) {
    await pass(minute);
    const hottest = pressure.hottest();
    minutes.push({
      spins: outcomes.count().ran,
      workers: busy('workers/run-spins'),
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

/** Stores users with one order of free spins each, queued in the evening and due at midnight. */
async function order({ world, store }: Crowd, { id, users }: Organization, count: number): Promise<void> {
  const ordering = await users(count);
  const now = world.timeline.now();
  const promised = {
    run: 'queued' as const,
    due_day: '2026-11-24',
    prize_table_version: defaultPrizeTables.prizewheel.version,
  };
  for (const user of ordering) {
    const asked = { num_of_spins: spinsPerOrder, idempotency_key: 'evening' };
    const request = { organizationId: id, userId: user.user_id, asked, now };
    const placed = placeOrder(user, request, promised);
    store([placed.user, placed.order, dueItemOf(placed.order, spinsPerOrder)]);
  }
}

/** Starts plays at a constant rate. `stop` ends the plays; `seen` returns responses since its previous call. */
export function playing(crowd: Crowd, organization: Organization, players: User[], aSecond: number) {
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

/** Counts the outcomes of free spins that are written after this call. Reads them from the table's stream. */
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
          const { kind, order_id, spin_index, organization_id } = unpackImage(
            record.dynamodb?.NewImage ?? {},
          );
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
