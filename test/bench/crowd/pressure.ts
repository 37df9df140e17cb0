/** Load on the table's keys: consumed units each second, compared with the limit of a key. */
import { createThroughput, type Kind, limitOf, type Throughput } from '../../world/dynamodb/throughput.ts';

/** The hottest key of a kind. */
export type Heat = {
  /** Table or index, read or write. */
  kind: Kind;
  /** The partition key with ids replaced, such as `USER#…`. */
  key: string;
  /** Units of the key's busiest second. */
  units: number;
  /** Units relative to a key's limit. */
  share: number;
  /** Refusals for lack of units. Each part of a transaction or batch counts. */
  refused: number;
};

/** A throughput model that remembers the busiest second of each key. */
export type Pressure = {
  throughput: (clock: { now(): number }) => Throughput;
  /** Runs work that neither consumes units nor is refused. */
  unseen<T>(work: () => T): T;
  /** Returns the hottest key of each kind since the last call, hottest first. */
  hottest(): Heat[];
};

type Account = Pick<Heat, 'kind' | 'units' | 'refused'> & { partition: string; second: number; now: number };

/** Creates the model. `limits` is a factor on AWS's limits; infinity means no limits. */
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

/** Returns a key without ids, dates and shard numbers, so that similar keys are grouped. */
const withoutIds = (partition: string): string =>
  partition
    .replace(/^(PLAY|REF|KEY|BEACON|INVOKED|PACE|FOLLOWER)#.*/, '$1#…')
    .replace(/(org|usr)_\w+|\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, '…')
    .replace(/#\d+$/, '')
    .replace(/#\d{4}-\d\d-\d\d$/, '#day')
    .replace('…#…', '…');
