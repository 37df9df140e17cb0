/** Attacks on the checkpoints of orders: a dishonest operator chooses orders when their draws can be known. */
import { expect, test } from 'vitest';
import { localAuthority, rootOf } from '../../../infra/develop/local/authority.ts';
import { authorityOf } from '../../support/authority.ts';
import { takeOut } from '../support/attacks.ts';
import { type Books, booksOf, filesOf } from '../support/books.ts';
import { checkpointsOf, checkpointText, drawsAtMidnight } from '../support/checkpoints.ts';
import { midnightOf } from '../support/plain.ts';
import { order, runSpins } from '../support/plays.ts';
import { timestamped } from '../support/timestamps.ts';
import { codesIn } from '../support/verified.ts';
import { act, credit, newUser, newWorld, type Order, type World } from '../support/world.ts';

const minute = 60_000;
const due = '2026-03-07';
const drawsAt = drawsAtMidnight(due);
const trusted = { authorities: [rootOf(localAuthority)] };

/** Returns a world in which `count` users queue one order each. `change` may take orders out of the run. */
function worldOfOrders(count = 3, change: (world: World, orders: Order[]) => void = () => {}) {
  const world = newWorld();
  world.now = midnightOf(due) - 10 * minute;
  const users = Array.from({ length: count }, () => newUser(world));
  const orders = users.map((user) => order(world, user, 2));
  change(world, orders);
  world.now = midnightOf(due) + 20 * minute;
  for (const made of orders) runSpins(world, made);
  credit(world, users[0]!, 1);
  world.now = midnightOf('2026-03-08') + minute;
  credit(world, users[0]!, 1);
  return { world, users, orders };
}

/** Returns the findings and notices in books with timestamps, after `forge` has changed the books. */
async function check(
  world: World,
  forge: (books: Books) => void = () => {},
  options: Parameters<typeof timestamped>[1] = {},
) {
  const books = booksOf(world);
  forge(books);
  return codesIn(timestamped(filesOf(books), options), trusted);
}
const foundIn = async (...args: Parameters<typeof check>) => (await check(...args)).found;

/** Returns a forgery that leaves the checkpoints as an honest service has made them for other records. */
const withCheckpointsOf = (world: World) => (books: Books) => {
  books.checkpoints = checkpointsOf(booksOf(world));
};
const late = (made: Order) => String(made.rec.order_id);

test('orders that were closed in time are good', async () => {
  const { found, noticed } = await check(worldOfOrders().world);
  expect(found).toEqual({});
  for (const notice of ['timestamp_missing', 'orders_closed_late', 'orders_unknown'])
    expect(noticed).not.toHaveProperty(notice);
});

test('an order dated before midnight that was added when its draw could be known is found', async () => {
  const { world } = worldOfOrders(4);
  const books = booksOf(world);
  const [added] = books.days[0]!.records.filter(({ kind }) => kind === 'orders');
  const before = booksOf(world);
  takeOut(before, (rec) => rec.user_id === added!.user_id);
  books.checkpoints = checkpointsOf(before);
  const { found } = await codesIn(timestamped(filesOf(books)), trusted);
  expect(found).toEqual({ checkpoint_differs: 1 });
});

test('an order that was removed when its draw could be known is found', async () => {
  const { world, users } = worldOfOrders();
  const found = await foundIn(world, (books) => {
    withCheckpointsOf(world)(books);
    takeOut(books, ({ user_id }) => user_id === users[1]!.id);
  });
  expect(found).toEqual({ checkpoint_differs: 1 });
});

test('a checkpoint that was made when the draws could be known is found', async () => {
  const { world } = worldOfOrders();
  expect(await foundIn(world, undefined, { lateCheckpointMs: 39_000 })).toEqual({});
  expect(await foundIn(world, undefined, { lateCheckpointMs: 41_000 })).toEqual({ checkpoint_late: 1 });
});

test('a checkpoint without a timestamp is noticed', async () => {
  const { found, noticed } = await check(worldOfOrders().world, undefined, { without: [due] });
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ timestamp_missing: 2 });
});

test('a checkpoint with the timestamp of a forger is found', async () => {
  const { world } = worldOfOrders();
  const found = await foundIn(world, undefined, { authority: authorityOf('forger') });
  expect(found).toEqual({ timestamp_untrusted: 4 });
});

test.each([
  ['15 minutes', drawsAt + 15 * minute],
  ['a day', drawsAtMidnight('2026-03-08')],
])('orders that were closed again %s later for better draws are noticed as late', async (_, again) => {
  const { world } = worldOfOrders(2, (world, orders) => {
    for (const made of orders) world.late.set(late(made), again);
  });
  const { found, noticed } = await check(world, (books) => {
    books.checkpoints = checkpointsOf(books);
    for (const [one] of books.checkpoints.values()) one!.late = [];
  });
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ orders_closed_late: 1 });
});

test('an order that was moved to a later checkpoint for a better draw is found', async () => {
  const { world: first } = worldOfOrders();
  const { world } = worldOfOrders(3, (world, [made]) => world.late.set(late(made!), drawsAt + 15 * minute));
  expect(await foundIn(world)).toEqual({});
  const found = await foundIn(world, (books) => {
    const { late: _, ...onTime } = books;
    const midnight = checkpointsOf({ ...onTime, late: first.late }).get(due)![0]!;
    const [, moved] = checkpointsOf(books).get(due)!;
    books.checkpoints = new Map([[due, [midnight, moved!]]]);
  });
  expect(found).toEqual({ checkpoint_differs: 1 });
});

test('an order in no checkpoint is found', async () => {
  const { world } = worldOfOrders();
  const found = await foundIn(world, (books) => {
    books.checkpoints = new Map();
  });
  expect(found).toEqual({ order_not_closed: 6 });
});

test('a late order that was drawn with the round of midnight is found', async () => {
  const { world, orders } = worldOfOrders();
  const found = await foundIn(world, (books) => {
    books.late = new Map([[late(orders[0]!), drawsAt + 15 * minute]]);
  });
  expect(found).toEqual({ beacon_round_wrong: 2 });
});

test('a cancellation of a loser’s spins, dated before midnight when the draw could be known, is found', async () => {
  const { world } = worldOfOrders(3, (world, orders) => {
    const { user, rec } = orders.shift()!;
    act(world, 'spins_cancelled', { user_id: user.id, spins: { [String(rec.order_id)]: 2 } });
  });
  expect(await foundIn(world)).toEqual({});
  const found = await foundIn(world, (books) => {
    const notCancelled = booksOf(world);
    takeOut(notCancelled, ({ action }) => action === 'spins_cancelled');
    books.checkpoints = checkpointsOf(notCancelled);
  });
  expect(found).toEqual({ checkpoint_differs: 1 });
});

test('an order that was restored just before its checkpoint may be in it or not', async () => {
  const about = ({ user, rec }: Order) => ({ user_id: user.id, spins: { [String(rec.order_id)]: 2 } });
  const restored = (isLate: boolean) =>
    worldOfOrders(3, (world, [made]) => {
      act(world, 'spins_cancelled', about(made!));
      world.now = midnightOf(due) + 2000;
      act(world, 'spins_restored', about(made!));
      if (isLate) world.late.set(late(made!), drawsAt + 15 * minute);
    }).world;
  expect(await foundIn(restored(false))).toEqual({});
  expect(await foundIn(restored(true))).toEqual({});
});

test.each([
  ['of another organization', `org_${'0'.repeat(26)}`, drawsAt],
  ['of another day', undefined, drawsAtMidnight('2026-03-08')],
  ['of no full minute', undefined, drawsAt + 3000],
])('a checkpoint %s is found', async (_, organization, at) => {
  const { world } = worldOfOrders();
  const found = await foundIn(world, (books) => {
    const text = checkpointText(organization ?? books.organizationId, at, 0, ['x']);
    books.checkpoints = new Map([[due, [{ note: books.key.note(text), late: [] }]]]);
  });
  expect(found).toEqual({ checkpoint_invalid: 1, order_not_closed: 6 });
});

test('a checkpoint that was left out is found', async () => {
  const { world } = worldOfOrders(3, (world, [made]) => world.late.set(late(made!), drawsAt + 15 * minute));
  const found = await foundIn(world, (books) => {
    books.checkpoints = new Map([[due, checkpointsOf(books).get(due)!.slice(1)]]);
  });
  expect(found).toEqual({ beacon_round_wrong: 4, checkpoint_differs: 1 });
});

test('the orders of a checkpoint are not checked without the book that has them', async () => {
  const { world } = worldOfOrders();
  const files = timestamped(filesOf(booksOf(world)));
  const later = new Map([...files].filter(([name]) => !name.includes('2026-03-06')));
  const { found, noticed } = await codesIn(later, trusted);
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ orders_unknown: 1, order_not_given: 6 });
});

test('a checkpoint that claims to follow one of a missing book is checked if an earlier one is given', async () => {
  const { world, users } = worldOfOrders();
  world.now = midnightOf('2026-03-08') + 10 * minute;
  const made = order(world, users[0]!, 2);
  world.now = midnightOf('2026-03-09') + 2 * minute;
  runSpins(world, made);
  const later = async (forge: (books: Books) => void) => {
    const books = booksOf(world);
    forge(books);
    const files = [...timestamped(filesOf(books))].filter(([name]) => !name.includes('2026-03-06'));
    return (await codesIn(new Map(files), trusted)).found;
  };
  expect(await later(() => {})).toEqual({});
  const found = await later((books) => {
    const text = checkpointText(books.organizationId, drawsAtMidnight('2026-03-09'), 0, ['another order']);
    const forged = { note: books.key.note(text), late: [] };
    books.checkpoints = checkpointsOf(books).set('2026-03-09', [forged]);
  });
  expect(found).toEqual({ checkpoint_differs: 1 });
});
