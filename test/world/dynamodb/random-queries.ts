/** Makes random queries of the table and the index. */
import { definition } from '../../../shared/table/keys.ts';
import type { Random } from '../random.ts';
import type { Command, Maker } from './commands.ts';
import { conditionOf, type Placeholders, placeholdersOf, projectionOf } from './random-expressions.ts';
import type { RandomRange } from './random-items.ts';
import { compareText } from './values.ts';

/** Returns a query of a random range, for one page or for all pages. */
export function queryOf({ random, names, tableName }: Maker): Command {
  const placeholders = placeholdersOf(random);
  const range = names.range();
  const filters = !range.big && random.chance(0.3);
  const count = random.chance(0.2);
  const projects = !count && random.chance(0.25);
  const input = {
    TableName: tableName,
    ...(range.inIndex && { IndexName: definition.byTime.name }),
    KeyConditionExpression: keyConditionOf(random, placeholders, range),
    ...(filters && { FilterExpression: conditionOf(random, placeholders) }),
    ...(projects && { ProjectionExpression: projectionOf(random, placeholders) }),
    ...(count && { Select: 'COUNT' }),
    ...(random.chance(0.5) && { Limit: 1 + random.below(6) }),
    ...(random.chance(0.5) && { ScanIndexForward: random.chance(0.5) }),
    ...(random.chance(0.5) && { ConsistentRead: random.chance(range.inIndex ? 0.05 : 0.7) }),
    ...(random.chance(0.1) && { ExclusiveStartKey: range.start() }),
    ...placeholders.fields(),
  };
  return { operation: 'Query', input, pages: random.chance(0.5) };
}

const kinds = { all: 10, equal: 1, side: 3, between: 4, begins: 4, flipped: 0.5, unequal: 0.1 };

function keyConditionOf(random: Random, placeholders: Placeholders, range: RandomRange): string {
  const [partitionKey, sortKey] = range.keys;
  const whole = `${placeholders.name(partitionKey)} = ${placeholders.value({ S: range.partition })}`;
  const sort = () => placeholders.name(sortKey);
  const bound = () => placeholders.value({ S: range.sort() });
  const part = () => {
    switch (random.weighted(kinds)) {
      case 'all':
        return [];
      case 'equal':
        return [`${sort()} = ${bound()}`];
      case 'side':
        return [`${sort()} ${random.pick(['<', '<=', '>', '>='])} ${bound()}`];
      case 'between': {
        const bounds = [range.sort(), range.sort()];
        if (random.chance(0.9)) bounds.sort(compareText);
        return [`${sort()} BETWEEN ${bounds.map((S) => placeholders.value({ S })).join(' AND ')}`];
      }
      case 'begins':
        return [`begins_with(${sort()}, ${bound()})`];
      case 'flipped':
        return [`${bound()} ${random.pick(['<', '=', '>='])} ${sort()}`];
      case 'unequal':
        return [`${sort()} <> ${bound()}`];
    }
  };
  const conditions = [whole, ...part()];
  return (random.chance(0.2) ? conditions.reverse() : conditions).join(' AND ');
}
