import { isDeepStrictEqual } from 'node:util';
import type { StoredItem } from '../journal.ts';
import type { StepRule } from './rule.ts';
import { itemOf } from './step.ts';

const shards = Array.from({ length: 16 }, (_, shard) => shard);
const withoutKey = ({ pk, sk, ...rest }: StoredItem) => rest;
/** Returns an item's partition key without the shard number at its end. */
const nameOf = ({ pk }: StoredItem) => pk.replace(/#\d+$/, '');

/** An organization's 16 shards have equal copies of its stock, and of the settings in the organization's item. */
const shardsAgree: StepRule = {
  rule: 'all shards have the same settings and stock',
  start(report) {
    const items = new Map<string, StoredItem>();
    return (step) => {
      const written = (['organization', 'settings', 'budget'] as const)
        .flatMap((type) => step.of(type).map(itemOf))
        .filter(({ pk }) => !pk.includes('#cash#'));
      for (const item of written) items.set(item.pk, item);
      const names = new Set(written.map((item) => (item.sk === 'ORG' ? item.pk : nameOf(item))));
      for (const name of names) {
        const original = items.get(name);
        // Skips organizations without settings, which exist only in test data.
        if (original && original.daily_cash_limit_usd === undefined) continue;
        const first = items.get(`${name}#0`);
        for (const shard of shards) {
          const item = items.get(`${name}#${shard}`);
          const isSame = item && first && isDeepStrictEqual(withoutKey(item), withoutKey(first));
          if (!isSame) report(`shard ${shard} of ${name} differs from the others`);
        }
        for (const [field, value] of Object.entries(first && original ? withoutKey(first) : {}))
          if (!isDeepStrictEqual(original![field], value)) report(`${field} of ${name} is not in its shards`);
      }
    };
  },
};

export const copyRules = [shardsAgree];
