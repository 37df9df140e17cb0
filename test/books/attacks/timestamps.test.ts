/** Attacks on the timestamps of books. */
import { describe, expect, test } from 'vitest';
import { localAuthority, rootOf } from '../../../infra/develop/local/authority.ts';
import { identityOf } from '../../../infra/develop/local/certificates.ts';
import { authorityOf } from '../../support/authority.ts';
import { worldOfOne } from '../support/attacks.ts';
import { type Books, booksOf, type Files, filesOf } from '../support/books.ts';
import { play } from '../support/plays.ts';
import { timestamped } from '../support/timestamps.ts';
import { codesIn, verified } from '../support/verified.ts';
import { credit, type World } from '../support/world.ts';

const hour = 3_600_000;
const root = rootOf(localAuthority);
const trusted = { authorities: [root] };

/** Returns a world with records on three days. */
function worldOfThreeDays(tickets = 5): World {
  const { world, user } = worldOfOne();
  credit(world, user, tickets);
  for (let i = 0; i < 3; i++) {
    play(world, user);
    world.now += 24 * hour;
  }
  return world;
}

const world = worldOfThreeDays();
const honest = () => booksOf(world);
const daysOf = ({ days }: Books) => days.map(({ day }) => day);
const [first, second, third] = daysOf(honest()) as [string, string, string];
const good = () => timestamped(filesOf(honest()));

/** Returns other books of the same days, which the operator signs with the real key. */
const remade = (): Files => filesOf(booksOf(worldOfThreeDays(7)));

const foundIn = async (files: Files) => (await codesIn(files, trusted)).found;

test('books with timestamps in time are good', async () => {
  const { found, noticed } = await codesIn(good(), trusted);
  expect(found).toEqual({});
  expect(noticed).not.toHaveProperty('timestamp_late');
  expect(noticed).not.toHaveProperty('authority_unconfirmed');
  expect((await codesIn(good())).noticed).toMatchObject({ authority_unconfirmed: 1 });
});

test('a timestamp of another book is found', async () => {
  const files = good();
  const lines = (day: string) => files.get(`${world.organizationId}.${day}.records`)!.split('\n');
  const [head = '', ...rest] = lines(second);
  const { timestamp } = JSON.parse(lines(first)[0]!);
  const replaced = head.replace(/"timestamp":\{[^}]*\}/, `"timestamp":${JSON.stringify(timestamp)}`);
  files.set(`${world.organizationId}.${second}.records`, [replaced, ...rest].join('\n'));
  expect(await foundIn(files)).toEqual({ timestamp_invalid: 1 });
});

test('a timestamp by a forged authority of the same name is found', async () => {
  const forged = timestamped(filesOf(honest()), { authority: authorityOf('forger') });
  expect(await foundIn(forged)).toEqual({ timestamp_untrusted: 3 });
  const mixed = { root: localAuthority.root, signer: authorityOf('forger').signer };
  expect(await foundIn(timestamped(filesOf(honest()), { authority: mixed }))).toEqual({
    timestamp_untrusted: 3,
  });
  // The forgery shows only by the fingerprint of its root, which a reader has to compare.
  const { found, noticed } = await codesIn(forged);
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ authority_unconfirmed: 1 });
});

test('a timestamp by an authority without a name leaves a reader its certificate to compare', async () => {
  const nameless = identityOf({ name: '', for: 'authority', key: 'nameless' });
  const signer = identityOf({ name: 'Signer', for: 'timestamps', by: nameless });
  const authority = { root: nameless, signer };
  const { findings, noticed } = await verified(timestamped(filesOf(honest()), { authority }));
  expect(findings).toEqual([]);
  const { first } = noticed.find(({ code }) => code === 'authority_unconfirmed')!;
  expect(first[0]!.sentence).toContain(`an authority without a name, certificate ${rootOf(authority)}`);
});

test('a timestamp that was removed is noticed', async () => {
  const files = timestamped(filesOf(honest()), { without: [second] });
  const { found, noticed } = await codesIn(files, trusted);
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ timestamp_missing: 1 });
});

describe.each([
  ['before the end of its day', -2 * hour, { timestamp_early: 1 }, 0],
  ['in time', 0, {}, 0],
  ['two days late', 2 * 24 * hour, {}, 1],
] as const)('a book made %s', (_, late, found, noticed) => {
  test.each([
    ['after', 0, {}, noticed],
    ['and before', 20 * 24 * hour, { timestamps_out_of_order: 1 }, noticed + 1],
  ] as const)(
    '%s the one of the day before, is reported as such',
    async (_, lateBefore, more, timestamp_late) => {
      const lateMs = { [first]: lateBefore, [second]: late };
      const files = timestamped(filesOf(honest()), { lateMs, without: [third] });
      const result = await codesIn(files, trusted);
      expect(result.found).toEqual({ ...found, ...more });
      expect(result.noticed.timestamp_late ?? 0).toBe(timestamp_late);
    },
  );
});

test('a book that was replaced later, under the books of later days, is found', async () => {
  const late = timestamped(filesOf(honest()), { lateMs: { [first]: 20 * 24 * hour } });
  const { found, noticed } = await codesIn(late, trusted);
  // The other two books have their old timestamps.
  expect(found).toEqual({ timestamps_out_of_order: 2 });
  expect(noticed).toMatchObject({ timestamp_late: 1 });
});

test('books that were all replaced later are noticed, with how late they are', async () => {
  const lateMs = Object.fromEntries([first, second, third].map((day) => [day, 20 * 24 * hour]));
  const { found, noticed } = await codesIn(timestamped(remade(), { lateMs }), trusted);
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ timestamp_late: 3 });
});
