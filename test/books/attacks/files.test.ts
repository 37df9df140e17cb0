/** Attacks: files that are truncated, swapped, edited or of the wrong type. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesAmong } from '../../../shared/books/verify/book-files.ts';
import { verify } from '../../../shared/books/verify/verify.ts';
import { booksOf, type Files, filesOf, inFolder, keptLine, keyOf } from '../support/books.ts';
import { honestDays } from '../support/honest.ts';
import { canonical, midnightOf } from '../support/plain.ts';
import { codesIn } from '../support/verified.ts';
import { change, newWorld } from '../support/world.ts';

const world = honestDays();
const honest = filesOf(booksOf(world));
const stem = (day: string) => `${world.organizationId}.${day}`;
const [one, two] = [stem('2026-03-06'), stem('2026-03-07')];

/** Returns the codes of the findings after `change` edited a copy of the honest files. */
const foundIn = async (change: (files: Files) => void) => {
  const files = new Map(honest);
  change(files);
  const { verdict, found } = await codesIn(files);
  expect(verdict).toBe('findings');
  return Object.keys(found);
};
const edit = (files: Files, name: string, change: (text: string) => string) => {
  const text = files.get(name)!;
  expect(change(text)).not.toBe(text);
  files.set(name, change(text));
};

describe('verify reports a file that is', () => {
  test('cut off within a record', async () => {
    const found = await foundIn((files) => edit(files, `${two}.records`, (text) => text.slice(0, -100)));
    expect(found).toEqual(expect.arrayContaining(['cut_off', 'root_differs', 'record_count_differs']));
  });

  test('cut off between two records', async () => {
    const found = await foundIn((files) =>
      edit(files, `${two}.records`, (text) => `${text.split('\n').slice(0, -10).join('\n')}\n`),
    );
    expect(found).toEqual(expect.arrayContaining(['root_differs', 'record_count_differs', 'counts_differ']));
    expect(found).not.toContain('cut_off');
  });

  test('cut off in its first line', async () => {
    const found = await foundIn((files) => edit(files, `${two}.records`, (text) => text.slice(0, 100)));
    expect(found).toEqual(expect.arrayContaining(['cut_off', 'records_missing']));
  });

  test('a book cut off in the middle', async () => {
    const found = await foundIn((files) => edit(files, `${two}.book`, (text) => text.slice(0, 300)));
    expect(found).toEqual(expect.arrayContaining(['cut_off', 'book_missing', 'day_missing']));
  });

  test('endless or waits forever, because it is a device or a pipe', async () => {
    await inFolder(honest, async (folder) => {
      symlinkSync('/dev/zero', join(folder, 'zero.records'));
      execFileSync('mkfifo', [join(folder, 'pipe.book')]);
      const { findings } = await verify(filesAmong([folder]), {
        kept: [],
        threads: 0,
        threadFile: new URL('file:'),
      });
      const regular = 'This is no regular file.';
      expect(findings).toMatchObject([
        {
          code: 'unreadable_file',
          first: [
            { file: 'pipe.book', sentence: regular },
            { file: 'zero.records', sentence: regular },
          ],
        },
      ]);
    });
  });

  test('full of beacon rounds, of which it checks only a part', async () => {
    const rounds = Object.fromEntries(
      Array.from({ length: 1001 }, (_, i) => [1_000_000 + i, 'f'.repeat(96)]),
    );
    const found = await foundIn((files) =>
      edit(files, `${two}.records`, (text) => {
        const [head = '', ...lines] = text.split('\n');
        const { beacons, ...others } = JSON.parse(head);
        const [[chain, beacon]] = Object.entries(beacons) as [[string, object]];
        return [canonical({ ...others, beacons: { [chain]: { ...beacon, rounds } } }), ...lines].join('\n');
      }),
    );
    expect(found).toEqual(expect.arrayContaining(['too_large', 'beacon_signature_invalid']));
  });

  test('longer than its book says, and reads only a part of it', async () => {
    const lines = '\n'.repeat(100_000);
    const { findings } = await inFolder(
      new Map(honest).set(`${two}.records`, honest.get(`${two}.records`)! + lines),
      (folder) => verify(filesAmong([folder]), { kept: [], threads: 0, threadFile: new URL('file:') }),
    );
    const [{ sentence = '' } = {}] = findings.find(({ code }) => code === 'record_count_differs')!.first;
    const [, read, said] = /at least (\d+) records; the book says (\d+)/.exec(sentence)!.map(Number);
    expect(read! - said!).toBe(1000);
  });

  test('empty', async () => {
    expect(await foundIn((files) => files.set(`${two}.book`, ''))).toContain('cut_off');
    expect(await foundIn((files) => files.set(`${two}.records`, ''))).toContain('cut_off');
  });

  test('something other than a book or records', async () => {
    expect(await foundIn((files) => files.set(`${two}.book`, 'hello\n'))).toContain('not_a_book');
    expect(await foundIn((files) => files.set(`${two}.records`, 'hello\n'))).toContain('not_a_book');
    expect(await foundIn((files) => files.set(`${two}.records`, '[]\n'))).toContain('not_a_book');
  });

  test('of a later format', async () => {
    const books = booksOf(world);
    books.days[1]!.header = (header) => ({ ...header, format: 2, more: true });
    books.days[2]!.head = (head) => ({ ...head, format: 2, more: true });
    const { found } = await codesIn(filesOf(books));
    expect(found).toMatchObject({ newer_format: 2, book_missing: 1, records_missing: 1 });
  });

  test('missing', async () => {
    expect(await foundIn((files) => files.delete(`${two}.records`))).toEqual(['records_missing']);
    expect(await foundIn((files) => files.delete(`${two}.book`))).toContain('book_missing');
  });

  test('missing, but no operator’s action after the gap', async () => {
    const changed = newWorld();
    for (const [index, day] of ['2026-03-07', '2026-03-08'].entries()) {
      changed.now = midnightOf(day) + 60_000;
      change(changed, { cost_truck: 6 + index });
    }
    const files = [...filesOf(booksOf(changed))].filter(([name]) => !name.includes('2026-03-07'));
    expect((await codesIn(new Map(files))).found).toEqual({ day_missing: 1 });
  });

  test('missing for the records of every day', async () => {
    const alone = new Map([...honest].filter(([name]) => name.endsWith('.book')));
    const { verdict, found, noticed } = await codesIn(alone);
    expect([verdict, found]).toEqual(['findings', { records_missing: 3 }]);
    expect(noticed).toMatchObject({ signature_unchecked: 3 });
  });

  test('a folder', async () => {
    const files = new Map([...honest].filter(([name]) => name !== `${two}.book`));
    const { findings } = await inFolder(files, (folder) => {
      mkdirSync(join(folder, `${two}.book`));
      const threadFile = new URL('none:');
      return verify(filesAmong([folder]), { kept: [], threads: 0, threadFile });
    });
    expect(findings.map(({ code }) => code)).toContain('unreadable_file');
  });

  /** Returns the findings if `change` edits the second day's records file while verify checks the first day. */
  const foundMeanwhile = (change: (path: string) => void) =>
    inFolder(honest, async (folder) => {
      let isChanged = false;
      const { verdict, findings } = await verify(filesAmong([folder]), {
        kept: [],
        threads: 0,
        threadFile: new URL('none:'),
        onProgress: () => {
          if (!isChanged) change(join(folder, `${two}.records`));
          isChanged = true;
        },
      });
      return [verdict, ...findings.map(({ code }) => code)];
    });

  test('deleted before it is read', async () => {
    const found = await foundMeanwhile((path) => rmSync(path));
    expect(found).toEqual(['findings', 'unreadable_file']);
  });

  test('changed while it is read', async () => {
    const found = await foundMeanwhile((path) => {
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, lines.filter((line) => !line.includes('"kind":"operations"')).join('\n'));
    });
    expect(found).toEqual(expect.arrayContaining(['findings', 'unreadable_file', 'root_differs']));
  });

  test('swapped with another file', async () => {
    const found = await foundIn((files) => {
      const [first, second] = [one, two].map((name) => files.get(`${name}.records`)!);
      files.set(`${one}.records`, second!).set(`${two}.records`, first!);
    });
    expect(found).toEqual(['files_do_not_match']);
  });

  test('of a different organization than its counterpart', async () => {
    const other = filesOf(booksOf(honestDays({ name: 'other' })));
    const [, records] = [...other].filter(([name]) => name.endsWith('.records'));
    const found = await foundIn((files) => files.set(`${two}.records`, records![1]));
    expect(found).toEqual(expect.arrayContaining(['files_do_not_match', 'records_missing', 'book_missing']));
  });

  test('a different book of the same day', async () => {
    const books = booksOf(world);
    books.days[1]!.records.pop();
    const fork = filesOf(books).get(`${two}.book`)!;
    expect(await foundIn((files) => files.set('z-fork.book', fork))).toEqual(['forked']);
  });

  test('a second records file of the same day', async () => {
    const records = honest.get(`${two}.records`)!;
    expect(await foundIn((files) => files.set('z-more.records', records))).toEqual(['files_do_not_match']);
  });

  test('too large', async () => {
    const line = (length: number) => `{"a":"${'x'.repeat(length)}"}\n`;
    expect(await foundIn((files) => edit(files, `${two}.records`, (text) => text + line(2 ** 20)))).toContain(
      'too_large',
    );
    expect(await foundIn((files) => edit(files, `${two}.records`, (text) => text + line(2 ** 23)))).toContain(
      'too_large',
    );
    expect(await foundIn((files) => files.set(`${two}.records`, line(2 ** 24)))).toContain('too_large');
    expect(await foundIn((files) => files.set(`${two}.book`, line(2 ** 22)))).toContain('too_large');
  });

  test('too deeply nested', async () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}\n`;
    expect(await foundIn((files) => edit(files, `${two}.records`, (text) => text + deep))).toContain(
      'not_a_record',
    );
    expect(await foundIn((files) => files.set(`${two}.records`, deep))).toContain('not_a_book');
  });
});

describe('verify reports records that differ from the book because', () => {
  test('one was changed', async () => {
    const found = await foundIn((files) =>
      edit(files, `${two}.records`, (text) => text.replace('"granted":0,', '"granted":1,')),
    );
    expect(found).toEqual(['root_differs', 'record_altered', 'budget_view_differs']);
  });

  test('one is encoded differently', async () => {
    const found = await foundIn((files) =>
      edit(files, `${two}.records`, (text) => text.replace('"amount":-1,', '"amount": -1,')),
    );
    expect(found).toEqual(expect.arrayContaining(['root_differs', 'not_a_record']));
  });

  test('one is not UTF-8 text', async () => {
    const bytes = Buffer.concat([Buffer.from(honest.get(`${two}.records`)!), Buffer.of(0xff, 0xfe, 10)]);
    const files = new Map<string, string | Uint8Array>([...honest, [`${two}.records`, bytes]]);
    expect((await codesIn(files)).found).toMatchObject({ not_a_record: 1, root_differs: 1 });
  });
});

describe('verify reports a book that is not', () => {
  test('signed by its own key', async () => {
    const books = booksOf(world);
    books.key = { ...books.key, note: keyOf('somebody else').note };
    expect((await codesIn(filesOf(books))).found).toEqual({ signature_invalid: 3, checkpoint_invalid: 2 });
  });

  test('signed by the key of the other books', async () => {
    const other = filesOf(booksOf(world, 'another operator'));
    const found = await foundIn((files) => {
      for (const name of [`${two}.book`, `${two}.records`]) files.set(name, other.get(name)!);
    });
    expect(found).toEqual(['key_differs', 'book_chain_broken']);
  });

  test('signed by the published key', async () => {
    const { found } = await codesIn(honest, { key: keyOf('another operator').line });
    expect(found).toEqual({ signature_invalid: 3, key_differs: 3, checkpoint_invalid: 2 });
  });

  test('the book of which a line was kept', async () => {
    const kept = keptLine(honest, `${two}.book`).replace(/[0-9a-f]{64}/, 'ab'.repeat(32));
    expect((await codesIn(honest, { kept: [kept] })).found).toEqual({ not_the_kept_book: 1 });
  });

  test('given, although a line of it was kept', async () => {
    const files = new Map([...honest].filter(([name]) => name.startsWith(one)));
    const kept = [keptLine(honest, `${two}.book`), `org_${'0'.repeat(26)} 2026-03-06 ${'ab'.repeat(32)}`];
    expect((await codesIn(files, { kept })).found).toEqual({ book_missing: 2 });
  });

  test('the successor of the book of which a line was kept', async () => {
    const files = new Map([...honest].filter(([name]) => name.startsWith(two)));
    const kept = keptLine(honest, `${one}.book`);
    expect(await codesIn(files, { kept: [kept] })).toMatchObject({ verdict: 'good', found: {} });
    const other = kept.replace(/[0-9a-f]{64}/, 'ab'.repeat(32));
    expect((await codesIn(files, { kept: [other] })).found).toEqual({ not_the_kept_book: 1 });
  });

  test('the book that the next book follows', async () => {
    const books = booksOf(world);
    books.days[1]!.header = (header) => ({ ...header, previous: 'ab'.repeat(32) });
    expect((await codesIn(filesOf(books))).found).toEqual({ book_chain_broken: 1 });
    books.days[1]!.header = (header) => ({ ...header, previous: null });
    const { found } = await codesIn(filesOf(books));
    expect(found).toEqual({ book_chain_broken: 1, opening_missing: 1 });
  });

  test('equal to the totals of its records', async () => {
    const books = booksOf(world);
    books.days[0]!.header = (header) => ({ ...header, counts: { ...(header.counts as object), tickets: 1 } });
    books.days[1]!.header = (header) => ({ ...header, sums: { ...(header.sums as object), cash_usd: 1 } });
    books.days[2]!.header = (header) => ({ ...header, spins_without_beacon: 1 });
    expect((await codesIn(filesOf(books))).found).toEqual({ counts_differ: 1, sums_differ: 2 });
  });
});
