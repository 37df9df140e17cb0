import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseSettingsChanges } from '../../infra/operate/admin/settings-schema.ts';
import {
  type BookHeader,
  bookDigest,
  bookText,
  keptLineOf,
  parseBook,
  parseRecordsHead,
  type RecordsHead,
  recordsHeadLine,
} from '../../shared/books/book.ts';
import { maxLeafBytes } from '../../shared/books/leaves.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { formatNote, rawPublicKey, verifierKeyOf } from '../../shared/note.ts';
import { rootOfLeaves } from '../../shared/tree.ts';
import { games, pausable, prizeKinds } from '../../shared/vocabulary.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const signer = {
  name: 'incentives',
  publicKey: rawPublicKey(publicKey.export({ format: 'der', type: 'spki' })),
};
const signed = (text: string) => formatNote(text, signer, sign(null, Buffer.from(text), privateKey));

const none = { credited: 0, debited: 0 };
const header: BookHeader = {
  format: 1,
  organization_id: 'org_01JZ0000000000000000000000',
  day: '2026-03-08',
  stage: 'production',
  previous: 'ab'.repeat(32),
  counts: { tickets: 0, entries: 0, outcomes: 0, orders: 0, claims: 0, actions: 0 },
  sums: {
    tickets: none,
    truck: none,
    flight: none,
    cash_usd: 0,
    spins: { regular: 0, amoe: 0, debug: 0 },
    spins_ordered: 0,
  },
  secrets: { '2026-03-08': '01'.repeat(32) },
  fingerprints: { '2026-03-10': '02'.repeat(32) },
  settings: {
    cost_prizewheel: 1,
    cost_truck: 5,
    cost_flight: 10,
    daily_spin_limit_on: true,
    daily_spin_limit: 5,
    daily_cash_limit_usd: 500,
    daily_cash_paced: false,
    daily_win_limit: 0,
    prize_table_prizewheel: 'prizewheel-1',
    prize_table_truck: 'truck-1',
    prize_table_flight: 'flight-1',
    rules_url: '',
    suspended: false,
    paused: '',
    promotion: null,
    tracked_prizes: '',
    claim_days: 0,
  },
};
/** As large as `promotion set` permits. */
const rules = { url: 'https://example.com/'.padEnd(150, 'x'), sha256: '0'.repeat(64) };
const period = { first_day: '2026-03-08', last_day: '2026-03-08', cash_limit_usd: 1_000_000_000 };
const largestPromotion = {
  ...period,
  name: '规'.repeat(60),
  rules: { en: rules, es: rules },
  previous: period,
};
const text = bookText(header, 0, rootOfLeaves([]));
const note = signed(text);
/** Returns the book's note with `from` replaced by `to` in its text, and a new, valid signature. */
const changed = (from: string | RegExp, to: string) => {
  const other = text.replace(from, to);
  expect(other).not.toBe(text);
  return signed(other);
};

describe('a book', () => {
  test('is short enough for KMS to sign with every setting at its maximum', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const both = { credited: most, debited: most };
    const largest = {
      ...header,
      counts: { tickets: most, entries: most, outcomes: most, orders: most, claims: most, actions: most },
      sums: {
        tickets: both,
        truck: both,
        flight: both,
        cash_usd: most,
        spins: { regular: most, amoe: most, debug: most },
        spins_ordered: most,
      },
      settings: {
        ...header.settings,
        ...parseSettingsChanges({
          ...Object.fromEntries(games.map((game) => [`cost_${game}`, 1_000_000_000])),
          daily_spin_limit_on: false,
          daily_spin_limit: 1_000_000,
          daily_cash_limit_usd: 1_000_000,
          daily_cash_paced: false,
          daily_win_limit: 1_000_000,
          // The URL with the most UTF-8 bytes: 500 characters, most of which take three bytes each.
          rules_url: 'https://example.com/'.padEnd(500, '规'),
        }),
        ...Object.fromEntries(games.map((game) => [`prize_table_${game}`, defaultPrizeTables[game].version])),
        suspended: false,
        paused: pausable.join(' '),
        promotion: largestPromotion,
        tracked_prizes: prizeKinds.join(' '),
        claim_days: 365,
      },
    };
    expect(Buffer.byteLength(bookText(largest, most, rootOfLeaves([])))).toBeLessThanOrEqual(4096);
  });

  test('is a C2SP checkpoint followed by a line of JSON', () => {
    const [origin, size, root, line, end] = text.split('\n');
    expect([origin, size, root, end]).toEqual([
      'incentives/org_01JZ0000000000000000000000/2026-03-08',
      '0',
      '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      '',
    ]);
    expect(JSON.parse(line!)).toEqual(header);
    expect(Object.keys(JSON.parse(line!))).toEqual(Object.keys(header).sort());
  });

  test('is parsed as it was written', () => {
    const read = parseBook(note);
    expect(read).toMatchObject({
      book: { header, size: 0, root: rootOfLeaves([]), digest: bookDigest(text) },
    });
    if (!('book' in read)) throw new Error();
    expect(keptLineOf(read.book)).toBe(`org_01JZ0000000000000000000000 2026-03-08 ${bookDigest(text)}`);
  });

  test.each([
    ['with a size with a leading zero', '\n0\n', '\n00\n'],
    ['with a size in exponent notation', '\n0\n', '\n1e1\n'],
    ['with a root in another base64 spelling', 'uFU=', 'uFV='],
    ['with a short root', /\n47DE.*=/, '\n47DEQpj8'],
    ['with a space in its header', '"day":', '"day": '],
    [
      'of a different organization than its origin line',
      '"organization_id":"org_01',
      '"organization_id":"org_02',
    ],
    ['of a different day than its origin line', '"day":"2026-03-08"', '"day":"2026-03-07"'],
    ['of a day that does not exist', /2026-03-08/g, '2026-02-30'],
    ['with an unknown field', '"format":1', '"fermat":1,"format":1'],
    ['without a field', '"stage":"production"', '"another":1'],
    ['with a negative count', '"orders":0', '"orders":-1'],
    ['with a count that is not a number', '"orders":0', '"orders":"0"'],
    ['with a deeply nested header', /"previous":"\w+"/, `"previous":${'['.repeat(1e5)}${']'.repeat(1e5)}`],
    ['with an extra line', /$/, 'more\n'],
    ['with a table that every JavaScript object has', '"truck-1"', '"constructor"'],
  ])('a text %s is rejected', (_, from, to) => {
    expect(parseBook(changed(from, to))).toEqual({ fault: 'not_a_book' });
  });

  test('of a newer format is reported as such', () => {
    const newer = changed(/\{.*\}/, '{"format":2,"what":"nobody knows yet"}');
    expect(parseBook(newer)).toEqual({ fault: 'newer_format' });
  });

  test('cut off at any byte is reported as cut off', () => {
    for (let at = 0; at < note.length; at++) {
      const { fault } = parseBook(note.slice(0, at)) as { fault: string };
      expect(fault, String(at)).toBe('cut_off');
    }
  });

  test('beyond the size limit is not parsed', () => {
    expect(parseBook('x'.repeat(2 ** 20 + 1))).toEqual({ fault: 'too_large' });
    expect(parseBook('x'.repeat(2 ** 20))).toEqual({ fault: 'not_a_book' });
  });

  test('that could not be parsed is not written', () => {
    expect(() => bookText({ ...header, day: '2026-02-30' }, 0, rootOfLeaves([]))).toThrow('invalid header');
  });
});

describe('the first line of records', () => {
  const head: RecordsHead = {
    format: 1,
    organization_id: header.organization_id,
    day: header.day,
    key: verifierKeyOf(signer),
    tables: { 'truck-1': defaultPrizeTables.truck.prizes },
    secrets: { '2026-03-07': '05'.repeat(32) },
  };
  const line = recordsHeadLine(head);

  test('is parsed as it was written', () => expect(parseRecordsHead(line)).toEqual({ head }));

  test('may have the largest size of earlier releases, because old books must stay readable', () => {
    const base64 = Buffer.alloc(32 * 1024, 1).toString('base64');
    const timestamp = { token: base64, root: base64 };
    const largest = { ...head, key: 'x'.repeat(400), timestamp };
    expect(parseRecordsHead(recordsHeadLine(largest))).toEqual({ head: largest });
    expect(parseRecordsHead(' '.repeat(2 ** 24))).toEqual({ fault: 'not_a_book' });
    expect(maxLeafBytes).toBeGreaterThanOrEqual(2 ** 20);
  });

  test.each([
    ['with a space', '"day":', '"day": '],
    ['with the same prize twice in a table', '"id":"tickets-5"', '"id":"tickets-2"'],
    ['with an unknown kind of prize', '"kind":"entry_truck"', '"kind":"entry_train"'],
    ['with an unknown field', '"format":1', '"__proto__":{},"format":1'],
    ['with a table that every JavaScript object has', '"truck-1"', '"constructor"'],
  ])('%s is rejected', (_, from, to) => {
    expect(line).toContain(from);
    expect(parseRecordsHead(line.replace(from, to))).toEqual({ fault: 'not_a_book' });
  });

  test('of a newer format is reported as such', () => {
    expect(parseRecordsHead('{"format":2}')).toEqual({ fault: 'newer_format' });
  });
});
