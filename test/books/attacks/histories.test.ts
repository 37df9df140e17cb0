/**
 * Attacks: an attacker with the operator's keys alters histories, and rebuilds everything that depends on the
 * altered records.
 */
import { describe, expect, test } from 'vitest';
import { setting, takeOut } from '../support/attacks.ts';
import { type Books, booksOf, filesOf, keptLine, recompute, rehash } from '../support/books.ts';
import { honestDays } from '../support/honest.ts';
import { daysAfter, midnightOf, ulidOf } from '../support/plain.ts';
import { play } from '../support/plays.ts';
import { codesIn } from '../support/verified.ts';
import { change, credit, newUser, newWorld, open, type Rec } from '../support/world.ts';

const world = honestDays();
const honest = filesOf(booksOf(world));

async function foundIn(forge: (books: Books) => void) {
  const books = booksOf(world);
  forge(books);
  const { verdict, found } = await codesIn(filesOf(books));
  expect(verdict).toBe('findings');
  return found;
}
const find = (books: Books, which: (rec: Rec) => unknown, day = 0) => {
  const found = books.days[day]!.records.find(which);
  if (!found) throw new Error('the world has no such record');
  return found;
};
/** Returns whether a record is the host's credit of 300 tickets, which precedes the first play. */
const isCredit = ({ kind, texts, amount }: Rec) => kind === 'tickets' && texts && Number(amount) === 300;
const isDebit = ({ kind, texts, amount }: Rec) => kind === 'tickets' && texts && Number(amount) < 0;

describe('verify reports a record that', () => {
  test('was altered', async () => {
    const found = await foundIn((books) => {
      find(books, isCredit).result_effective_date = '2020-01-01T05:00:00.000Z';
    });
    expect(found).toEqual({ record_altered: 1 });
  });

  const isOutcome = ({ kind }: Rec) => kind === 'outcomes';
  const later = '2026-03-08T12:00:00.000Z';
  // Verify also reports an order, because the order's `last_hash` is still the original hash of the record
  // before it.
  test.each<[string, (rec: Rec) => unknown, (rec: Rec) => object, object]>([
    [
      'has another amount',
      isDebit,
      ({ amount }) => ({ amount: Number(amount) + 1 }),
      { balance_differs: 1, last_hash_differs: 1 },
    ],
    [
      'skips an event number',
      isDebit,
      ({ event_sequence: number }) => ({ event_sequence: Number(number) + 1 }),
      { numbering_differs: 1, last_hash_differs: 1 },
    ],
    [
      'has a wrong number',
      isOutcome,
      ({ number }) => ({ number: Number(number) + 5 }),
      { numbering_differs: 1 },
    ],
    [
      'has a different time than its id',
      isOutcome,
      () => ({ timestamp: later, date_created: later }),
      { not_a_record: 1 },
    ],
    ['has an unknown field', isOutcome, () => ({ note: 'whatever' }), { not_a_record: 1 }],
    [
      'belongs to another organization',
      isCredit,
      () => ({ organization_id: `org_${ulidOf(0, 'another')}` }),
      { record_of_another_organization: 1 },
    ],
  ])('%s, although all hashes were recomputed', async (_, which, fields, found) => {
    expect(await foundIn(setting(which, fields))).toMatchObject(found);
  });

  test('was removed', async () => {
    const found = await foundIn((books) => takeOut(books, isDebit));
    expect(found).toEqual({ record_missing: 1 });
  });

  test('was removed and the rest of its history rebuilt', async () => {
    const found = await foundIn((books) => {
      takeOut(books, isDebit);
      recompute(books);
    });
    expect(found).toMatchObject({ last_hash_differs: 1, spin_without_order: 12 });
  });

  test('was removed from a history without free spins, by a kept line only', async () => {
    const alone = newWorld();
    const user = newUser(alone);
    credit(alone, user, 10);
    credit(alone, user, 100);
    play(alone, user);
    const first = filesOf(booksOf(alone));
    const books = booksOf(alone);
    takeOut(books, ({ amount }) => amount === 100);
    recompute(books);
    // The forged book's hashes match. Only the auditor's kept line proves that the book was replaced.
    const forged = filesOf(books);
    expect((await codesIn(forged)).found).toEqual({});
    const kept = [keptLine(first, [...first.keys()][0]!)];
    expect((await codesIn(forged, { kept })).found).toEqual({ not_the_kept_book: 1 });
  });

  test('was inserted in the place of another', async () => {
    const found = await foundIn((books) => {
      const rec = find(books, isDebit);
      const ulid = ulidOf(Date.parse(String(rec.date_created)) + 500, 'a fork');
      const at = new Date(Date.parse(String(rec.date_created)) + 500).toISOString();
      books.days[0]!.records.push({ ...rec, transaction_id: `txn_${ulid}`, date_created: at });
    });
    expect(found).toMatchObject({ record_forked: 1 });
  });

  test('comes before an earlier one', async () => {
    const found = await foundIn((books) => {
      books.days[0]!.lines = (lines) => lines.with(3, lines[4]!).with(4, lines[3]!);
    });
    expect(found).toEqual({ records_out_of_order: 1 });
  });

  test('appears twice', async () => {
    const found = await foundIn((books) => {
      books.days[0]!.lines = (lines) => [...lines.slice(0, 4), lines[3]!, ...lines.slice(4)];
    });
    expect(found).toMatchObject({ records_out_of_order: 1, record_forked: 1 });
  });

  test('is in the book of another day', async () => {
    const found = await foundIn(({ days }) => {
      const last = days[0]!.records.pop()!;
      days[1]!.records.unshift(last);
    });
    expect(found).toMatchObject({ record_of_another_day: 1 });
  });
});

describe('a user removed from all books', () => {
  test('is revealed by a kept line', async () => {
    const books = booksOf(world);
    const [{ user_id }] = books.days[0]!.records.filter(isCredit) as [Rec];
    takeOut(books, (rec) => rec.user_id === user_id);
    const kept = [keptLine(honest, `${world.organizationId}.2026-03-08.book`)];
    expect((await codesIn(filesOf(books), { kept })).found).toMatchObject({ not_the_kept_book: 1 });
  });

  test('is revealed by the cash that the user won', async () => {
    const found = await foundIn((books) => {
      const winner = find(books, ({ game_status }) => game_status === 'Cash', 1).user_id;
      takeOut(books, ({ user_id }) => user_id === winner);
    });
    expect(found).toEqual({ budget_chain_broken: expect.any(Number) });
  });
});

test('verify reports a record from before the organization was opened', async () => {
  const early = newWorld();
  early.now -= 20 * 60_000;
  const user = newUser(early);
  credit(early, user, 5);
  const { found } = await codesIn(filesOf(booksOf(early)));
  expect(found).toMatchObject({ record_not_by_rules: 1 });
});

test('verify reports a record from before its user was created', async () => {
  const late = newWorld();
  late.wait(20 * 60_000);
  const user = newUser(late);
  late.wait(-10 * 60_000);
  credit(late, user, 5);
  const { found } = await codesIn(filesOf(booksOf(late)));
  expect(found).toEqual({ record_not_by_rules: 1 });
});

describe('verify reports an operation record that', () => {
  const isChange = ({ kind, action }: Rec) => kind === 'operations' && action === 'changed';

  test('was removed', async () => {
    const found = await foundIn((books) =>
      takeOut(books, ({ after }) => (after as Record<string, unknown>)?.daily_spin_limit === 30),
    );
    expect(found).toEqual({
      settings_differ: 1,
      limit_not_in_force: expect.any(Number),
      plays_over_limit: expect.any(Number),
    });
  });

  test('was removed from the middle', async () => {
    const found = await foundIn((books) =>
      takeOut(books, ({ after }) => (after as Record<string, unknown>)?.cost_truck === 6),
    );
    expect(found).toMatchObject({ record_missing: 1, settings_differ: 1 });
  });

  test('was altered', async () => {
    const found = await foundIn((books) => {
      find(books, isChange).operator = 'somebody else';
    });
    expect(found).toEqual({ record_altered: 1 });
  });

  test('states wrong earlier settings', async () => {
    const found = await foundIn((books) => {
      find(books, isChange).before = { cost_truck: 4 };
      rehash(books);
    });
    expect(found).toEqual({ settings_differ: 1 });
  });

  test('does not lead to the settings at the end of the day', async () => {
    const found = await foundIn((books) => {
      books.days[1]!.settings = { ...books.days[1]!.settings, rules_url: 'https://a.example' };
    });
    expect(found).toEqual({ settings_differ: 2 });
  });

  test('opens an open organization', async () => {
    const found = await foundIn((books) => {
      const opened = find(books, ({ action }) => action === 'opened');
      const change = find(books, isChange);
      Object.assign(change, {
        action: 'opened',
        before: {},
        after: { ...(opened.after as object), cost_truck: 6 },
        fingerprints: opened.fingerprints,
      });
      rehash(books);
    });
    expect(found).toEqual({ settings_differ: 1 });
  });

  test('opens an organization without all settings', async () => {
    const found = await foundIn((books) => {
      const opened = find(books, ({ action }) => action === 'opened');
      const { rules_url, ...others } = opened.after as Record<string, unknown>;
      opened.after = others;
      rehash(books);
    });
    expect(found).toMatchObject({ settings_differ: expect.any(Number) });
    expect(found.settings_differ).toBeGreaterThan(1);
  });
});

describe('verify reports', () => {
  test('an organization that is opened again, even in a single day’s book', async () => {
    const again = newWorld();
    for (const day of ['2026-03-07', '2026-03-08']) {
      again.now = midnightOf(day) + 36_000_000;
      if (day === '2026-03-08') open(again);
      else credit(again, newUser(again), 1);
    }
    const files = filesOf(booksOf(again));
    expect((await codesIn(files)).found).toMatchObject({ opened_twice: 1, settings_differ: 1 });
    const alone = [...files].filter(([name]) => name.includes('2026-03-08'));
    expect((await codesIn(new Map(alone))).found).toMatchObject({ opened_twice: 1 });
  });

  test('a user created within the books whose first record is missing', async () => {
    const later = newWorld();
    later.now = midnightOf('2026-03-07') + 36_000_000;
    const user = newUser(later);
    credit(later, user, 5);
    credit(later, user, 6);
    const books = booksOf(later);
    const [, day] = books.days;
    day!.records = day!.records.filter(({ sequence, kind }) => kind !== 'tickets' || sequence !== 1);
    const alone = [...filesOf(books)].filter(([name]) => name.includes('2026-03-07'));
    expect((await codesIn(new Map(alone))).found).toEqual({ record_missing: 1 });
  });
});

describe('verify reports a record without the fields needed for checks', () => {
  const daysOf = () => {
    const long = newWorld();
    const user = newUser(long);
    for (let day = '2026-03-06'; day <= '2026-03-10'; day = daysAfter(day, 1)) {
      long.now = midnightOf(day) + 36_000_000;
      credit(long, user, 10);
      play(long, user);
      change(long, { cost_flight: 10 + Number(day.slice(-1)) });
    }
    const books = booksOf(long);
    for (const { records } of books.days) {
      for (const rec of records) {
        if (rec.kind === 'tickets' && rec.texts) delete rec.texts;
        if (rec.kind === 'outcomes') delete rec.secret_day;
      }
    }
    return rehash(books);
  };

  test('on every day of an organization', async () => {
    const books = daysOf();
    expect((await codesIn(filesOf(books))).found).toMatchObject({ not_a_record: 10 });
    // If only the first day's book is given, verify still reports that day's two invalid records.
    books.days = books.days.slice(0, 1);
    expect((await codesIn(filesOf(books))).found).toMatchObject({ not_a_record: 2 });
  });
});
