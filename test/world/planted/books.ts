import type { Bug } from './bug.ts';

/** Bugs that `npm run planted` plants in the code for the daily books. */
export const books: Bug[] = [
  {
    name: 'a book leaves out the orders of free spins',
    file: 'shared/books/records-of-day.ts',
    from: "[...recordLists, 'orders'] as const",
    to: '[...recordLists] as const',
  },
  {
    name: 'a book takes the first record of the next day for one of its own',
    file: 'shared/books/records-of-day.ts',
    from: '[day, addDays(day, 1)].map((day) => ulidFloor(startOfDay(day)))',
    to: '[day, addDays(day, 1)].map((day) => ulidFloor(startOfDay(day) + 60_000))',
  },
  {
    name: 'the records of a book stand list by list',
    file: 'shared/books/records-of-day.ts',
    from: 'return left < right ? a : b;',
    to: 'return a;',
  },
  {
    name: 'a book is closed while its day is not over',
    file: 'shared/books/close-all.ts',
    from: 'asOf < startOfDay(addDays(day, 1)) + closeAfterMs',
    to: 'asOf < startOfDay(addDays(day, 1)) - closeAfterMs',
  },
  {
    name: 'a book that is closed again takes the place of the first',
    file: 'shared/books/stored-books.ts',
    from: "{ ConditionExpression: 'attribute_not_exists(pk)' }",
    to: '{}',
  },
  {
    name: 'a closing that goes on forgets what it had summed up',
    file: 'shared/books/close.ts',
    from: 'return { ...item, summed: { ...sums, ...sets } };',
    to: 'return { ...item, summed: noSums() };',
  },
  {
    name: 'a book does not name the one before it',
    file: 'shared/books/close.ts',
    from: 'previous: previous?.digest ?? null,',
    to: 'previous: null,',
  },
  {
    name: 'the fingerprint that a book tells ahead is that of a day which has begun',
    file: 'shared/books/close.ts',
    from: 'const ahead = addDays(day, 2);',
    to: 'const ahead = addDays(day, 1);',
  },
  {
    name: 'what a host said of somebody is in the books',
    file: 'shared/books/leaf-line.ts',
    from: 'withoutTexts(withoutKeys(record) as Record<string, unknown>)',
    to: '(withoutKeys(record) as Record<string, unknown>)',
  },
  {
    name: 'the last tile of a book is not kept',
    file: 'shared/books/close.ts',
    from: 'await storeTiles(organizationId, day, tiles);',
    to: 'await storeTiles(organizationId, day, tiles.slice(1));',
  },
  {
    name: 'an organization that was made before there were books never gets one, nor is a new beacon recorded',
    file: 'shared/books/close-all.ts',
    from: 'await recordDeploy?.(organizationId, now);',
    to: '',
  },
  {
    name: 'a book is of the records in the first shard alone',
    file: 'shared/books/records-of-day.ts',
    from: 'lists.flatMap((list) => recordsInShards(organizationId, list))',
    to: 'lists.flatMap((list) => recordsInShards(organizationId, list).slice(0, 1))',
  },
];
