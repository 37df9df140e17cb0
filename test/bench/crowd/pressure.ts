/** How hard the keys of the table are pressed: their units, second by second, against what a key takes. */
import { createThroughput, type Kind, limitOf, type Throughput } from '../../world/dynamodb/throughput.ts';

/** The hottest of the keys of one kind. */
export type Heat = {
  /** Of the table or of the index, to read or to write. */
  kind: Kind;
  /** The key without the ids in it: `USER#…`. */
  key: string;
  /** Units of its busiest second. */
  units: number;
  /** How many times that is what a key takes in a second. */
  share: number;
  /** How often a key of this kind had no units left; each part of a transaction or batch counts. */
  refused: number;
};

/** An account of units that remembers each key's busiest second. */
export type Pressure = {
  throughput: (clock: { now(): number }) => Throughput;
  /** Does something that takes no units, and is refused none. */
  unseen<T>(work: () => T): T;
  /** The hottest keys since the last time, hottest first. */
  hottest(): Heat[];
};

type Account = Pick<Heat, 'kind' | 'units' | 'refused'> & { partition: string; second: number; now: number };

/** Makes an account, in which a key takes so many times what it takes on AWS; without an end if that is infinite. */
export function createPressure(limits: number): Pressure {
  const accounts = new Map<string, Account>();
  let isUnseen = false;
  const accountOf = (kind: Kind, partition: string): Account => {
    const name = `${kind} ${partition}`;
    const known = accounts.get(name) ?? { kind, partition, units: 0, refused: 0, second: 0, now: 0 };
    accounts.set(name, known);
    return known;
  };
  return {
    throughput(clock) {
      const { has, take } = createThroughput(clock);
      return {
        has(kind, partition) {
          if (isUnseen || has(kind, partition)) return true;
          accountOf(kind, partition).refused++;
          return false;
        },
        take(kind, partition, units) {
          if (isUnseen) return;
          take(kind, partition, units / limits);
          const account = accountOf(kind, partition);
          const second = Math.floor(clock.now() / 1000);
          account.now = units + (second === account.second ? account.now : 0);
          account.second = second;
          account.units = Math.max(account.units, account.now);
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
      const byKey = new Map<string, Heat>();
      for (const { kind, partition, units, refused } of accounts.values()) {
        const key = withoutIds(partition);
        const heat = byKey.get(`${kind} ${key}`) ?? { kind, key, units: 0, share: 0, refused: 0 };
        heat.units = Math.max(heat.units, units);
        heat.share = heat.units / limitOf(kind);
        heat.refused += refused;
        byKey.set(`${kind} ${key}`, heat);
      }
      accounts.clear();
      return [...byKey.values()].sort((a, b) => b.share - a.share);
    },
  };
}

/** A key's name for its kind: of shards the number stays out too, since the hottest of them stands for all. */
const withoutIds = (partition: string): string =>
  partition
    .replace(/^(PLAY|REF|KEY|BEACON|INVOKED|PACE|FOLLOWER)#.*/, '$1#…')
    .replace(/(org|usr)_\w+|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '…')
    .replace(/#\d+$/, '')
    .replace(/#\d{4}-\d\d-\d\d$/, '#day')
    .replace('…#…', '…');
