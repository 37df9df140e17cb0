/** Measures the units that each partition key consumes per second, compared with DynamoDB's limit per key. */
import { createThroughput, type Kind, limitOf, type Throughput } from '../../support/dynamodb/throughput.ts';

/** Load on a group of partition keys that differ only in their ids, dates or shard numbers. */
export type Heat = {
  /** The kind of capacity units: for reads or writes, of the table or of its index. */
  kind: Kind;
  /** The partition keys of the group, with the differing parts replaced by `…`, such as `USER#…`. */
  key: string;
  /** Units that the hottest of these partition keys consumed in its busiest second. */
  units: number;
  /** `units` divided by DynamoDB's limit per key. */
  share: number;
  /** Number of throttled reads and writes of all these keys. Each item of a transaction or batch counts. */
  refused: number;
};

/** Throttles reads and writes above DynamoDB's limits per key. Counts the units of each key's busiest second. */
export type Pressure = {
  throughput: (clock: { now(): number }) => Throughput;
  /** Runs a function whose reads and writes consume no units and are never throttled. */
  unseen<T>(work: () => T): T;
  /** Returns the loads since the previous call of `hottest`, highest `share` first. */
  hottest(): Heat[];
};

type Account = Pick<Heat, 'kind' | 'units' | 'refused'> & { partition: string };

/**
 * Starts to measure the load on partition keys. `limits` multiplies DynamoDB's limits per key; infinity disables them.
 */
export function createPressure(limits: number): Pressure {
  // Of one second only: accounts of each partition key of a large crowd would fill the memory.
  const accounts = new Map<string, Account>();
  const heats = new Map<string, Heat>();
  let second = 0;
  let isUnseen = false;
  const addHeats = () => {
    for (const { kind, partition, units, refused } of accounts.values()) {
      const key = withoutIds(partition);
      const heat = heats.get(`${kind} ${key}`) ?? { kind, key, units: 0, share: 0, refused: 0 };
      heat.units = Math.max(heat.units, units);
      heat.share = heat.units / limitOf(kind);
      heat.refused += refused;
      heats.set(`${kind} ${key}`, heat);
    }
    accounts.clear();
  };
  const accountOf = (kind: Kind, partition: string, now: number): Account => {
    if (Math.floor(now / 1000) !== second) addHeats();
    second = Math.floor(now / 1000);
    const name = `${kind} ${partition}`;
    const known = accounts.get(name) ?? { kind, partition, units: 0, refused: 0 };
    accounts.set(name, known);
    return known;
  };
  return {
    throughput(clock) {
      const { has, take } = createThroughput(clock);
      return {
        has(kind, partition) {
          if (isUnseen || has(kind, partition)) return true;
          accountOf(kind, partition, clock.now()).refused++;
          return false;
        },
        take(kind, partition, units) {
          if (isUnseen) return;
          take(kind, partition, units / limits);
          accountOf(kind, partition, clock.now()).units += units;
        },
      };
    },
    unseen(work) {
      isUnseen = true;
      try {
        return work();
      } finally {
        isUnseen = false;
      }
    },
    hottest() {
      addHeats();
      const hottest = [...heats.values()].sort((a, b) => b.share - a.share);
      heats.clear();
      return hottest;
    },
  };
}

/** Replaces ids, dates and shard numbers in a partition key, so that similar keys are grouped. */
const withoutIds = (partition: string): string =>
  partition
    .replace(/^(PLAY|REF|KEY|INVOKED)#.*/, '$1#…')
    .replace(/(org|usr)_\w+|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '…')
    .replace(/#\d+$/, '')
    .replace(/#\d{4}-\d\d-\d\d$/, '#day')
    .replace('…#…', '…');
