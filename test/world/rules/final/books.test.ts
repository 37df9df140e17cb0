import { expect, test } from 'vitest';
import { bookDigest, bookText } from '../../../../shared/books/book.ts';
import { noSums } from '../../../../shared/books/sums.ts';
import { leafHash, rootOver } from '../../../../shared/books/tree.ts';
import { fingerprintOf } from '../../../../shared/games/seeds.ts';
import { defaultSettings } from '../../../../shared/games/settings.ts';
import type { StoredItem } from '../../journal.ts';
import { dayAfter } from '../days-and-ulids.ts';
import { exampleOperation } from '../example-operations.ts';
import { organizationId } from '../examples.ts';
import { daySecret } from '../server-seeds.ts';
import { lineOf, recordsByDay } from './books.ts';
import { type Example, itemAt, rulesBrokenBy } from './examples.ts';
import { readWorld } from './final-state.ts';

const rule = 'a book has all records of its day';
const first = '2026-03-06';

/** Adds an operation and the books of the first `days` days to the example. */
function keepBooks(world: Example, days = 3) {
  world.items.push(exampleOperation({ cost_truck: 3 }).changes[1]!.after!);
  const records = recordsByDay(readWorld({ ...world, clockErrorMs: 0, requestMs: 0 } as never));
  let previous: string | null = null;
  for (let day = first, i = 0; i < days; day = dayAfter(day), i++) {
    const lines = (records.get(`${organizationId} ${day}`) ?? []).map(lineOf);
    const secretOf = (day: string) => daySecret(organizationId, day);
    const ahead = dayAfter(dayAfter(day));
    const { counts, sums } = noSums();
    const header = {
      format: 1 as const,
      organization_id: organizationId,
      day,
      previous,
      counts,
      sums,
      secrets: { [day]: secretOf(day).toString('hex') },
      fingerprints: { [ahead]: fingerprintOf(secretOf(ahead)) },
      settings: defaultSettings,
      beacons: [],
      spins_without_beacon: 0,
    };
    const text = bookText(header, lines.length, rootOver(lines.map((line) => leafHash(line))));
    world.items.push({ pk: `BOOKS#${organizationId}`, sk: day, note: `${text}\n— incentives x\n` });
    previous = bookDigest(text);
  }
}

const bookAt = ({ items }: Example, day: string) => items.find(({ sk }) => sk === day) as StoredItem;
const edit = (world: Example, day: string, from: string | RegExp, to: string) => {
  const book = bookAt(world, day);
  book.note = book.note.replace(from, to);
};

test('books of all records break no rule', () => {
  expect(rulesBrokenBy(keepBooks)).not.toContain(rule);
});

test.each<[string, (world: Example) => void]>([
  ['that is missing', (world) => world.items.splice(world.items.indexOf(bookAt(world, '2026-03-07')), 1)],
  ['that lacks a record', (world) => edit(world, first, /\n\d+\n/, '\n1\n')],
  ['under another root', (world) => edit(world, first, /\n([A-Za-z0-9+/]{43}=)\n/, `\n${'A'.repeat(43)}=\n`)],
  [
    'that does not follow from the one before',
    (world) => edit(world, '2026-03-07', /"previous":"\w/, '"previous":"x'),
  ],
  [
    'with another secret',
    (world) => edit(world, first, /"secrets":\{"2026-03-06":"\w/, '"secrets":{"2026-03-06":"x'),
  ],
  [
    'without the fingerprint of a future secret',
    (world) => edit(world, first, /"fingerprints":\{[^}]*\}/, '"fingerprints":{}'),
  ],
  ['of before a record was altered', (world) => Object.assign(itemAt(world, 'OUTCOMES#'), { cost: 2 })],
])('an invalid book is detected: %s', (_, change) => {
  const broken = rulesBrokenBy((world) => {
    keepBooks(world);
    change(world);
  });
  expect(broken).toContain(rule);
});
