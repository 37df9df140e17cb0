/**
 * Attacks: forged adjustments of balances. Verify compares the transaction of each adjustment with the record
 * of the operator's action.
 */
import { describe, expect, test } from 'vitest';
import { foundIn, recordsIn, takeOut } from '../support/attacks.ts';
import { type Books, booksOf, filesOf, recompute, rehash } from '../support/books.ts';
import { midnightOf, ulidOf } from '../support/plain.ts';
import { codesIn } from '../support/verified.ts';
import {
  act,
  adjust,
  append,
  change,
  credit,
  newUser,
  newWorld,
  post,
  type Rec,
  reopen,
  startOfToday,
} from '../support/world.ts';

/** Returns a world with an adjusted balance on the first day and changed settings on the second. */
function adjusted() {
  const world = newWorld();
  const user = newUser(world);
  credit(world, user, 10);
  const made = adjust(world, user, -4);
  world.now = midnightOf('2026-03-07') + 3_600_000;
  change(world, { cost_truck: 6 });
  return { world, user, made };
}

const isPosting = ({ kind, operation_id }: Rec) => kind === 'tickets' && operation_id;
const isOperation = ({ action }: Rec) => action === 'balance_adjusted';

const foundAfter = (forge: (books: Books) => void) =>
  foundIn(adjusted().world, (books) => {
    forge(books);
    rehash(books);
  });

/** Returns books of two days: the adjustment's transaction is in the first, its operator's record in the second. */
function adjustedAcrossMidnight() {
  const world = newWorld();
  const user = newUser(world);
  credit(world, user, 10);
  world.now = midnightOf('2026-03-07') - 1;
  adjust(world, user, 5, { laterMs: 2 });
  return booksOf(world);
}

describe('an adjusted balance', () => {
  test('is good and noticed if a record names the operator', async () => {
    const { found, noticed } = await codesIn(filesOf(booksOf(adjusted().world)));
    expect(found).toEqual({});
    expect(noticed).toMatchObject({ operator_acted: 2 });
  });

  test('is a finding if its record would be of the day before the organization’s first day', async () => {
    const world = newWorld();
    world.now = midnightOf('2026-03-06') + 5000;
    reopen(world, world.settings);
    const user = newUser(world);
    const operation_id = `op_${ulidOf(midnightOf('2026-03-06') - 20_000, 'none')}`;
    post(world, user, 'tickets', 1_000_000, { description: 'Adjustment', operation_id });
    expect(await foundIn(world)).toEqual({ adjustment_unrecorded: 1 });
  });

  test('may be separated from its record by midnight, and is a notice if one of the two days is missing', async () => {
    const world = newWorld();
    const user = newUser(world);
    credit(world, user, 10);
    world.now = midnightOf('2026-03-07') - 1;
    adjust(world, user, 5, { laterMs: 2 });
    const files = [...filesOf(booksOf(world))];
    expect((await codesIn(new Map(files))).found).toEqual({});
    for (const day of ['2026-03-06', '2026-03-07']) {
      const { found, noticed } = await codesIn(new Map(files.filter(([name]) => name.includes(day))));
      expect(found).toEqual({});
      expect(noticed).toMatchObject({ adjustment_open: 1 });
    }
  });

  test.each([2, -2])('of another time than its record, by %d minutes, is a finding', async (minutes) => {
    const found = await foundAfter((books) => {
      const [posting, operation] = [recordsIn(books).find(isPosting)!, recordsIn(books).find(isOperation)!];
      const moved = minutes > 0 ? operation : posting;
      const at = Date.parse(String(moved.date_created)) + Math.abs(minutes) * 60_000;
      const id = ulidOf(at, 'moved');
      moved.date_created = new Date(at).toISOString();
      if (moved === posting) posting.transaction_id = `txn_${id}`;
      else operation.operation_id = posting.operation_id = `op_${id}`;
      operation.about = { ...(operation.about as object), transaction_id: posting.transaction_id };
    });
    expect(found).toEqual({ adjustment_unrecorded: 1 });
  });

  test("without an operator's record is a finding", async () => {
    const found = await foundAfter((books) => {
      takeOut(books, isOperation);
      recompute(books);
    });
    expect(found).toEqual({ adjustment_unrecorded: 1 });
  });

  test.each(['00', '02'])(
    "without a record is a finding if its operation's id, op_%s…, is of no given day",
    async (time) => {
      const found = await foundAfter((books) => {
        takeOut(books, isOperation);
        recordsIn(books).find(isPosting)!.operation_id = `op_${time}${'0'.repeat(24)}`;
        recompute(books);
      });
      expect(found).toEqual({ adjustment_unrecorded: 1 });
    },
  );

  test('with a second record, of another user, is a finding', async () => {
    const { world, made } = adjusted();
    const { transaction_id } = made.posting;
    const balance = { before: 0, after: 9999 };
    const about = { user_id: newUser(world).id, transaction_id, account: 'truck', amount: 9999, balance };
    act(world, 'balance_adjusted', about, { texts: `${'x'.repeat(42)}A` });
    expect((await codesIn(filesOf(booksOf(world)))).found).toEqual({ adjustment_missing: 1 });
  });

  test('of an erased user is a finding', async () => {
    const world = newWorld();
    const user = newUser(world);
    credit(world, user, 10);
    act(world, 'user_erased', { user_id: user.id }, { texts: `${'x'.repeat(42)}A` });
    world.wait(3_600_000);
    adjust(world, user, 5);
    expect((await codesIn(filesOf(booksOf(world)))).found).toEqual({ record_on_hold: 1 });
  });

  test("that differs from the operator's record is a finding", async () => {
    for (const [field, value] of [
      ['amount', -3],
      ['account', 'truck'],
      ['balance', { before: 10, after: 7 }],
      ['user_id', `usr_${'0'.repeat(26)}`],
    ] as const) {
      const found = await foundAfter((books) => {
        Object.assign(recordsIn(books).find(isOperation)!.about as object, { [field]: value });
      });
      expect(found).toEqual({ adjustment_unrecorded: 1 });
    }
  });

  test("repeated under the same operator's record is a finding", async () => {
    const { world, user, made } = adjusted();
    const { description, operation_id } = made.posting;
    const again = { description, operation_id, balance_after: 2, amount: -4 };
    world.now += 1;
    user.balances.tickets! -= 4;
    append(world, user, { kind: 'tickets', result_effective_date: startOfToday(world), ...again });
    expect((await codesIn(filesOf(booksOf(world)))).found).toEqual({ adjustment_unrecorded: 1 });
  });

  test('that a record names but no transaction made is a finding', async () => {
    const found = await foundAfter((books) => {
      takeOut(books, isPosting);
    });
    expect(found).toEqual({ adjustment_missing: 1 });
  });

  test('whose transaction names another operation is a finding, even in the book after its day', async () => {
    const books = adjustedAcrossMidnight();
    const posting = recordsIn(books).find(isPosting)!;
    takeOut(books, isPosting);
    books.days[1]!.records.unshift({
      ...posting,
      operation_id: `op_${ulidOf(midnightOf('2026-03-07'), 'other')}`,
    });
    rehash(books);
    const second = [...filesOf(books)].filter(([name]) => name.includes('2026-03-07'));
    const { found } = await codesIn(new Map(second));
    expect(found).toMatchObject({ record_of_another_day: 1, adjustment_missing: 1 });
  });

  test("is not a valid record if it also has a host's texts or an outcome", async () => {
    for (const more of [{ texts: `${'x'.repeat(42)}A` }, { outcome_id: `out_${'0'.repeat(26)}` }]) {
      const found = await foundAfter((books) => Object.assign(recordsIn(books).find(isPosting)!, more));
      expect(found).toMatchObject({ not_a_record: 1 });
    }
  });
});

test('a credit that counts on the day before is a finding, because that day’s book is closed', async () => {
  const world = newWorld();
  const user = newUser(world);
  const at = midnightOf('2026-03-07') + 59_999;
  world.now = at;
  credit(world, user, 1);
  world.now = at;
  const result_effective_date = new Date(midnightOf('2026-03-06')).toISOString();
  post(world, user, 'truck', 1_000_000, { texts: user.hash, result_effective_date });
  expect(await foundIn(world)).toEqual({ effective_date_differs: 1 });
});
