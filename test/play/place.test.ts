import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyBookProof as verify } from '../../functions/play/page/client/place.ts';
import type { BookProof, Fairness, Outcome } from '../../functions/play/page/view.ts';
import { parseBookLines } from '../../shared/books/book-lines.ts';
import type { PlayPromise } from '../../shared/games/fairness.ts';
import { seedOfPlay } from '../../shared/games/seeds.ts';
import { canonicalJson, newSecret, sha256 } from '../../shared/ids.ts';
import { dayOf, isoOf } from '../../shared/time.ts';
import { inclusionPath, leafHash, nodeHash, rootFromPath, rootOfLeaves } from '../../shared/tree.ts';

const organization_id = 'org_01JZ0000000000000000000000';
const base64 = (hash: Uint8Array) => Buffer.from(hash).toString('base64');

const outcome = {
  id: 'out_01KK1H0000000000000000000A',
  user_id: 'usr_01KK1H0000000000000000000B',
  play_type: 'regular',
  result_effective_date: '2026-03-06T05:00:00.000Z',
  timestamp: '2026-03-07T03:00:00.000Z',
  prize: { tickets: 3 },
} as unknown as Outcome;
// The New York day of the outcome, which was late in the evening. In UTC, it was already the next day.
const day = '2026-03-06';
const drawn = {
  client_seed: 'mine',
  prize_id: 'tickets-3',
  prize_table_version: 'table',
  budgets: { cash: { grants: 4, granted: 10, limit: 100 } },
};
const fairness = { ...drawn, commitment: 'c', server_seed: '5' } as Fairness;
const token = newSecret();
const token_hash = sha256(token);
const page = { game: 'flight', cost: 3 } as const;
const record = { ...outcome, ...drawn, ...page, organization_id, token_hash };
/** Returns whether a play URL's page accepts the proof that the outcome is in a book. */
const verifyBookProof = (place: BookProof, shown: Outcome, fairness: Fairness, other: object = {}) =>
  verify(place, shown, fairness, { token, ...page, ...other });

/** Returns the text of a book, with only the fields that the page reads. */
const textOf = (
  size: number | string,
  root: string,
  header: object = {},
  originLine = `${organization_id}/${day}`,
) => `incentives/${originLine}\n${size}\n${root}\n${canonicalJson({ organization_id, day, ...header })}\n`;

/** Returns the proof that the record at `index` is in a book with `size` records. */
function placeAt(index: number, size: number, fields: object = record): BookProof {
  const lines = Array.from({ length: size }, (_, i) => canonicalJson({ ...fields, sequence: i }));
  const leaves = lines.map((line) => leafHash(line));
  const text = textOf(size, base64(rootOfLeaves(leaves)));
  return { text, index, line: lines[index]!, path: inclusionPath(index, leaves).map(base64) };
}
const place = placeAt(5, 11);
const { root, size } = parseBookLines(place.text)!;
const holds = (changed: Partial<BookProof>, checked: Fairness = fairness, shown = outcome) =>
  verifyBookProof({ ...place, ...changed }, shown, checked);

test('the page finds an outcome at its index in the book, and nowhere else', async () => {
  for (const size of [1, 2, 3, 7, 8, 257]) {
    for (const index of [0, Math.floor(size / 2), size - 1]) {
      const found = placeAt(index, size);
      expect(await verifyBookProof(found, outcome, fairness)).toBe(true);
      expect(await verifyBookProof({ ...found, index: index + 1 }, outcome, fairness)).toBe(false);
      const other = found.line.replace('"sequence":', '"sequence":1');
      expect(await verifyBookProof({ ...found, line: other }, outcome, fairness)).toBe(false);
    }
  }
});

describe('a mismatch between record and page is detected in', () => {
  test.each(Object.keys(drawn) as (keyof typeof drawn)[])('%s', async (field) => {
    const other = { ...record, [field]: 'another' };
    const { [field]: _, ...without } = fairness;
    expect(await verifyBookProof(placeAt(5, 11, other), outcome, fairness)).toBe(false);
    // The page must also refuse the proof if `field` is missing from its fairness data.
    expect(await holds({}, without as Fairness)).toBe(false);
  });

  test('debug', async () => {
    expect(await holds({}, { ...fairness, debug: 'jackpot' })).toBe(false);
    expect(await verifyBookProof(placeAt(5, 11, { ...record, debug: 'jackpot' }), outcome, fairness)).toBe(
      false,
    );
  });

  test.each([{ cost: 10_000 }, { cost: undefined }, { game: 'truck' }])('%j', async (shown) => {
    expect(await verifyBookProof(place, outcome, fairness, shown)).toBe(false);
  });

  test.each([
    { id: 'out_01KK1H0000000000000000000B' },
    { user_id: 'usr_01KK1H0000000000000000000C' },
    { result_effective_date: '2026-03-05T05:00:00.000Z' },
    { timestamp: '2026-03-07T03:00:01.000Z' },
    { prize: { tickets: 30 } },
  ])('%j', async (shown) => {
    expect(await holds({}, fairness, { ...outcome, ...shown } as unknown as Outcome)).toBe(false);
  });
});

describe('a record does not match the page’s URL if it is', () => {
  const { token_hash: _, ...without } = record;

  test.each<[string, object]>([
    ['a play of another URL', { ...record, token_hash: sha256(newSecret()) }],
    ['without a valid token hash', { ...record, token_hash: null }],
    ['without a token hash', without],
    ['a free spin', { ...without, play_type: 'amoe' }],
  ])('%s', async (_, fields) => {
    expect(await verifyBookProof(placeAt(5, 11, fields), outcome, fairness)).toBe(false);
  });

  test('opened with another token', async () => {
    expect(await verifyBookProof(place, outcome, fairness, { token: newSecret() })).toBe(false);
  });
});

describe('the server seed', () => {
  const secret = Buffer.alloc(32, 's');
  const promise: PlayPromise = {
    ...{ user_id: record.user_id, ...page, debug: undefined },
    ...{ prize_table_version: record.prize_table_version, expires_at: '2026-03-08T12:30:00.000Z' },
  };
  const made = { ...record, ...promise, secret_day: day };
  const withSecrets = (secrets: object, fields: object = made) => {
    const line = canonicalJson(fields);
    const text = textOf(1, base64(leafHash(line)), { secrets });
    return (server_seed: string) =>
      verifyBookProof({ text, line, index: 0, path: [] }, outcome, { ...fairness, server_seed });
  };
  const seed = seedOfPlay(secret, token_hash, promise);
  const another = seedOfPlay(secret, 'b'.repeat(43), promise);

  test('must be derived from the secret that the book reveals', async () => {
    const holds = withSecrets({ [day]: secret.toString('hex') });
    expect([await holds(seed), await holds(another)]).toEqual([true, false]);
  });

  test('is not checked if an earlier book reveals its secret', async () => {
    expect(await withSecrets({ '2026-03-05': secret.toString('hex') })(another)).toBe(true);
  });
});

describe('a book', () => {
  const other = 'org_01JZ0000000000000000000001';

  test.each([
    ['of another day', textOf(size, root, { day: '2026-03-07' }, `${organization_id}/2026-03-07`)],
    ['of another day in its first line', textOf(size, root, {}, `${organization_id}/2026-03-07`)],
    ['of another day in its header', textOf(size, root, { day: '2026-03-07' })],
    ['of another organization', textOf(size, root, { organization_id: other }, `${other}/${day}`)],
    ['of another organization in its first line', textOf(size, root, {}, `${other}/${day}`)],
    ['of another organization in its header', textOf(size, root, { organization_id: other })],
    ['with another root', textOf(size, base64(rootOfLeaves([])))],
    ['of another size', textOf(size + 300, root)],
    ['with a non-canonical size', textOf(`0${size}`, root)],
    ['with a malformed header', `${place.text.slice(0, -3)}}\n`],
    ['without a final line break', place.text.slice(0, -1)],
    ['with text after the end', `${place.text}\n`],
    ['that is empty', ''],
    ['that is undefined', undefined],
  ])('%s is refused', async (_, text) => {
    expect(await holds({})).toBe(true);
    expect(await holds({ text: text as string })).toBe(false);
  });

  test('must be of the day in New York on which the outcome was played', async () => {
    const instants = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) });
    await fc.assert(
      fc.asyncProperty(instants, async (at) => {
        const timestamp = isoOf(at);
        const line = canonicalJson({ ...record, timestamp });
        const day = dayOf(at);
        const text = textOf(1, base64(leafHash(line)), { day }, `${organization_id}/${day}`);
        const shown = { ...outcome, timestamp };
        expect(await verifyBookProof({ text, index: 0, line, path: [] }, shown, fairness)).toBe(true);
      }),
    );
  });
});

describe('a Merkle path', () => {
  const leaf = leafHash(place.line);
  const sibling = leafHash('sibling');
  const more = base64(sibling);

  test.each<[string, Partial<BookProof>]>([
    [
      'that continues above the root',
      {
        text: textOf(size, base64(nodeHash(sibling, Buffer.from(root, 'base64')))),
        path: [...place.path, more],
      },
    ],
    [
      'over a book of one record',
      { text: textOf(1, base64(nodeHash(sibling, leaf))), index: 0, path: [more] },
    ],
    [
      'with an index after the end',
      { text: textOf(1, base64(nodeHash(sibling, leaf))), index: 1, path: [more] },
    ],
    ['with a negative index', { text: textOf(1, base64(leaf)), index: -1, path: [] }],
    ['with a fractional index', { text: textOf(1, base64(leaf)), index: 0.5, path: [] }],
    ['without an index', { text: textOf(1, base64(leaf)), index: null as never, path: [] }],
    ['in a book without records', { text: textOf(0, base64(leaf)), index: 0, path: [] }],
    ['in a book with an unsafe size', { text: textOf('9999999999999999', base64(leaf)), index: 0, path: [] }],
    ['that is too short', { path: place.path.slice(1) }],
    ['that is not base64', { path: ['%', ...place.path.slice(1)] }],
    ['with non-canonical base64', { path: [` ${place.path[0]}`, ...place.path.slice(1)] }],
    ['that is undefined', { path: undefined as never }],
  ])('%s is refused', async (_, changed) => {
    expect(await holds(changed)).toBe(false);
  });

  test('is accepted exactly if the check of books accepts it', async () => {
    const numbers = fc.integer({ min: -1, max: 9 });
    await fc.assert(
      fc.asyncProperty(numbers, numbers, fc.nat({ max: 5 }), async (index, size, length) => {
        const path = Array.from({ length }, (_, i) => leafHash(`sibling ${i}`));
        const found = rootFromPath(leaf, index, size, path);
        const text = textOf(size, base64(found ?? laxRoot(leaf, index, size, path)));
        expect(await holds({ text, index, path: path.map(base64) })).toBe(found !== undefined);
      }),
      { numRuns: 500 },
    );
  });
});

/** Computes the root that a Merkle path leads to. Unlike the page, does not check the path's length. */
function laxRoot(leaf: Buffer, index: number, size: number, path: Buffer[]): Buffer {
  let [hash, at, last] = [leaf, index, size - 1];
  for (const sibling of path) {
    const isRight = at % 2 === 1 || at === last;
    hash = isRight ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
    while (isRight && at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return hash;
}

test.each(['', 'null', '5', '[]', '{', place.line.slice(1)])(
  'the line %j is refused without an exception',
  async (line) => {
    const text = textOf(1, base64(leafHash(line)));
    expect(await holds({ text, index: 0, line, path: [] })).toBe(false);
  },
);
