// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates are those of the mutated source
import type { Bug } from './bug.ts';

/** Bugs that `npm run planted` plants in the code for reads and writes of the table. */
export const table: Bug[] = [
  {
    name: 'a single read is eventually consistent',
    file: 'shared/table/client.ts',
    from: '      ConsistentRead: true,',
    to: '      ConsistentRead: false,',
  },
  {
    name: 'a read of several items is eventually consistent',
    file: 'shared/table/client.ts',
    from: 'Keys: open, ConsistentRead: true',
    to: 'Keys: open, ConsistentRead: false',
  },
  {
    name: 'keys that a batch left out are taken for items that are not there',
    file: 'shared/table/client.ts',
    from: 'for (let attempt = 0; open?.length; attempt++) {',
    to: 'for (let attempt = 0; open?.length && attempt < 1; attempt++) {',
  },
  {
    name: 'items that a batch left out are not written',
    file: 'shared/table/client.ts',
    from: 'for (let attempt = 0; open.length > 0; attempt++) {',
    to: 'for (let attempt = 0; open.length > 0 && attempt < 1; attempt++) {',
    tests: ['test/faults/dynamodb-errors.test.ts'],
  },
  {
    name: 'items that a batch left out are packed twice',
    file: 'shared/table/codec.ts',
    from: 'if (UnprocessedItems)',
    to: 'if (Items && UnprocessedItems)',
  },
  {
    name: 'what a key implies is left out though the item says another thing',
    file: 'shared/table/codec.ts',
    from: 'else if (value !== implied[field])',
    to: 'else if (!(field in implied))',
  },
  {
    name: 'a stored instant loses its milliseconds',
    file: 'shared/table/values.ts',
    from: 'bytes.writeUIntBE(epochMs, 1, 6);',
    to: 'bytes.writeUIntBE(epochMs - (epochMs % 1000), 1, 6);',
  },
  {
    name: 'a conflict with another transaction counts as a condition that failed',
    file: 'shared/table/client.ts',
    from: "if (codes.includes('TransactionConflict')) throw new Conflict();",
    to: "if (codes.includes('TransactionConflict')) return failed;",
  },
  {
    name: 'the token of a page skips a row',
    file: 'shared/table/ranges.ts',
    from: 'positionOf(range, items.at(-1)!)',
    to: 'positionOf(range, found.at(-1)!)',
  },
  {
    name: "the day's cash is one for all organizations",
    file: 'shared/table/keys.ts',
    from: '`BUDGET#${organizationId}#${budget}#${part}`',
    to: '`BUDGET#${organizationId.slice(0, 4)}#${budget}#${part}`',
  },
  {
    name: 'the references of all organizations are one space',
    file: 'shared/table/keys.ts',
    from: 'pk: `REF#${organizationId}#${reference}`,',
    to: 'pk: `REF#${organizationId.slice(0, 4)}#${reference}`,',
  },
  {
    name: 'the calls of all organizations are one history',
    file: 'shared/table/webhook-keys.ts',
    from: '`CALLS#${shortId(organizationId)}#${day}#${shard}`',
    to: '`CALLS#${organizationId.slice(0, 4)}#${day}#${shard}`',
  },
  {
    name: 'the row indexes of all organizations stand in one place',
    file: 'shared/table/row-index-keys.ts',
    from: '`ROWS#${organizationId}#${report}`',
    to: '`ROWS#${organizationId.slice(0, 4)}#${report}`',
  },
  {
    name: 'orders of the day itself are not due yet',
    file: 'shared/table/keys.ts',
    from: "const last = '~';",
    to: "const last = '';",
  },
];
