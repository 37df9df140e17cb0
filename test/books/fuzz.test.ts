/** Changes random bytes in files of books. Verify must report each change and must not crash. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBook, parseRecordsHead } from '../../shared/books/book.ts';
import { parseBookLines } from '../../shared/books/book-lines.ts';
import { parseLeaf } from '../../shared/books/leaves.ts';
import { parseNote, parseVerifierKey } from '../../shared/note.ts';
import { booksOf, filesOf } from './support/books.ts';
import { midnightOf } from './support/plain.ts';
import { order, play, runSpins } from './support/plays.ts';
import { verified } from './support/verified.ts';
import { change, credit, newUser, newWorld } from './support/world.ts';

/** Returns the files of two short days. With few records, random changes reach every part of the files. */
function shortDays() {
  const world = newWorld();
  const user = newUser(world);
  credit(world, user, 30);
  credit(world, user, 2, 'truck');
  const made = order(world, user, 2);
  play(world, user, 'truck');
  change(world, { cost_flight: 3 });
  world.now = midnightOf('2026-03-07') + 60_000;
  runSpins(world, made);
  play(world, user, 'flight');
  return filesOf(booksOf(world));
}
const files = shortDays();
const names = [...files.keys()];

type Change = { name: string; at: number; how: 'flip' | 'delete' | 'insert' | 'swap' | 'cut'; byte: number };
const changes: fc.Arbitrary<Change> = fc.record({
  name: fc.constantFrom(...names),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  how: fc.constantFrom('flip', 'delete', 'insert', 'swap', 'cut'),
  byte: fc.integer({ min: 1, max: 255 }),
});

function changed({ name, at, how, byte }: Change): Map<string, string | Uint8Array> {
  const bytes = Buffer.from(files.get(name)!);
  const place = Math.floor(at * bytes.length);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  const rest = after.subarray(1);
  const parts: Record<Change['how'], Uint8Array[]> = {
    flip: [before, Buffer.of(after[0]! ^ byte), rest],
    delete: [before, rest],
    insert: [before, Buffer.of(byte), after],
    swap: [before, rest.subarray(0, 1), after.subarray(0, 1), rest.subarray(1)],
    cut: [before],
  };
  return new Map<string, string | Uint8Array>(files).set(name, Buffer.concat(parts[how]));
}

test('a change of any byte is a finding', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      const forged = changed(change);
      const isSame = Buffer.from(files.get(change.name)!).equals(forged.get(change.name) as Buffer);
      const { verdict, findings } = await verified(forged);
      if (!isSame) expect([verdict, findings.length > 0]).toEqual(['findings', true]);
    }),
    { numRuns: 60 },
  );
});

test('each byte of books and of first lines of records matters', async () => {
  // No single digest covers the whole file of a book, or the first line of a records file. Verify must still find a
  // change in each part.
  const [records] = names.filter((name) => name.endsWith('.records'));
  const [book] = names.filter((name) => name.endsWith('.book'));
  const head = files.get(records!)!.indexOf('\n');
  const places = [
    ...Array.from({ length: 12 }, (_, i) => ({ name: records!, place: Math.floor((i * head) / 12) })),
    ...Array.from({ length: 12 }, (_, i) => ({
      name: book!,
      place: Math.floor((i * files.get(book!)!.length) / 12),
    })),
  ];
  for (const { name, place } of places) {
    const bytes = Buffer.from(files.get(name)!);
    bytes[place]! ^= 1;
    const { verdict } = await verified(new Map<string, string | Uint8Array>(files).set(name, bytes));
    expect([name, place, verdict]).toEqual([name, place, 'findings']);
  }
});

/** The parsers of all texts in books' files, each with a genuine text. */
function parsersOfTexts() {
  const textOf = (ending: string) => files.get(names.findLast((name) => name.endsWith(ending))!)!;
  const [head = '', ...leaves] = textOf('.records').split('\n');
  const { key } = JSON.parse(head);
  const { text } = parseNote(textOf('.book'))!;
  const leafOf = (kind: string) => leaves.find((line) => line.includes(`"kind":"${kind}"`))!;
  return [
    ['a book', parseBook, textOf('.book')],
    ['the lines of a book', parseBookLines, text],
    ['a note', parseNote, textOf('.book')],
    ['a verifier key', parseVerifierKey, key],
    ['the first line of records', parseRecordsHead, head],
    ...['tickets', 'outcomes'].map((kind) => [`a record of ${kind}`, parseLeaf, leafOf(kind)] as const),
  ] as const;
}

const oddTexts = ['', ' ', '0', '-1', '1e999', 'null', '[]', '{}', '{', '"', '\ud800', '['.repeat(1e5)];
const oddValues = [null, 0, -1, 1e300, '', 'x', '9999-99-99', '+275760-09-13T00:00:00.000Z', [], {}, [null]];

/** Yields copies of a text with one line replaced by an odd one, or one field of a line of JSON by an odd value. */
function* spoiled(text: string): Generator<string> {
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    for (const odd of oddTexts) yield lines.with(at, odd).join('\n');
    if (!line.startsWith('{')) continue;
    const fields = JSON.parse(line);
    for (const name of Object.keys(fields))
      for (const odd of oddValues)
        yield lines.with(at, JSON.stringify({ ...fields, [name]: odd })).join('\n');
  }
}

test.each(parsersOfTexts())('%s is parsed, and its parser throws for no odd text', (_, parse, genuine) => {
  const parsed = parse(genuine);
  expect(parsed && !('fault' in parsed)).toBe(true);
  for (const text of spoiled(genuine)) parse(text);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parse(text)));
});
