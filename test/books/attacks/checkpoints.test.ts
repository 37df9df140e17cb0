/** Attacks on the checkpoints of orders: a dishonest operator chooses orders when their draws can be known. */
import { describe, expect, test } from 'vitest';
import { localAuthority, rootOf } from '../../../infra/develop/local/authority.ts';
import { authorityOf, tokenFor } from '../../support/authority.ts';
import { takeOut } from '../support/attacks.ts';
import { type Books, booksOf, filesOf } from '../support/books.ts';
import { checkpointsOf, checkpointText, drawsAtIn, drawsAtMidnight } from '../support/checkpoints.ts';
import { canonical, hexDigest, midnightOf } from '../support/plain.ts';
import { order, runSpins } from '../support/plays.ts';
import { timestamped } from '../support/timestamps.ts';
import { codesIn, verified } from '../support/verified.ts';
import { act, credit, newUser, newWorld, type Order, type Rec, type World } from '../support/world.ts';

const minute = 60_000;
const due = '2026-03-07';
const drawsAt = drawsAtMidnight(due);
const trusted = { authorities: [rootOf(localAuthority)] };

/**
 * Returns a world in which `count` users queue one order each, some minutes before midnight. `change` may take orders
 * out of the run.
 */
function worldOfOrders(
  count = 3,
  change: (world: World, orders: Order[]) => void = () => {},
  { start = '2026-03-06', minutesBefore = 10 } = {},
) {
  const world = newWorld({ start });
  if (start < '2026-03-06') credit(world, newUser(world), 1);
  world.now = midnightOf(due) - minutesBefore * minute;
  const users = Array.from({ length: count }, () => newUser(world));
  const orders = users.map((user) => order(world, user, 2));
  const all = [...orders];
  change(world, orders);
  world.now = Math.max(world.now, midnightOf(due) + 20 * minute, ...world.late.values());
  for (const made of orders) runSpins(world, made);
  credit(world, users[0]!, 1);
  world.now = Math.max(world.now, midnightOf('2026-03-08') + minute);
  credit(world, users[0]!, 1);
  return { world, users, orders: all };
}

/** Returns the findings and notices in books with timestamps, after `forge` has changed the books. */
async function check(
  world: World,
  forge: (books: Books) => void = () => {},
  { since = '', ...options }: Parameters<typeof timestamped>[1] & { since?: string } = {},
) {
  const books = booksOf(world);
  forge(books);
  const files = [...timestamped(filesOf(books), options)];
  return codesIn(new Map(files.filter(([name]) => name.split('.')[1]! >= since)), trusted);
}
const foundIn = async (...args: Parameters<typeof check>) => (await check(...args)).found;

/** Returns a forgery that leaves the checkpoints as an honest service has made them for other records. */
const withCheckpointsOf = (world: World) => (books: Books) => {
  books.checkpoints = checkpointsOf(booksOf(world));
};
const late = (made: Order) => String(made.rec.order_id);
const about = ({ user, rec }: Order) => ({ user_id: user.id, spins: { [String(rec.order_id)]: 2 } });
/** Returns the text of an order in a list of a checkpoint. */
const listing = ({ rec }: Order) => `${rec.due_day} ${rec.hash}`;
const placedLate = { minutesBefore: 1 };
/** Returns a forgery that replaces the checkpoints of a day by one with these orders. */
const withCheckpoint =
  (at: number, ...[hashes, lists]: [string[], Parameters<typeof checkpointText>[3]?]) =>
  (books: Books) => {
    const note = books.key.note(checkpointText(books.organizationId, at, hashes, lists));
    books.checkpoints = new Map([[due, [{ note, listed: lists?.listed ?? [] }]]]);
  };
const hashesOf = (orders: Order[]) => orders.map(({ rec }) => rec.hash);

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

test('a checkpoint that was made long before its round, one of many, is found', async () => {
  const { world } = worldOfOrders();
  expect(await foundIn(world, undefined, { lateCheckpointMs: -9 * minute })).toEqual({});
  expect(await foundIn(world, undefined, { lateCheckpointMs: -10 * minute })).toEqual({ timestamp_early: 1 });
});

test('a checkpoint that an operator made once all rounds were known is not in the day’s book', async () => {
  const held: Order[] = [];
  const hold = (world: World, orders: Order[]) => {
    held.push(...orders.splice(2));
    act(world, 'user_frozen', { user_id: held[0]!.user.id });
  };
  const { world } = worldOfOrders(3, hold, placedLate);
  const made = held[0]!;
  world.late.set(late(made), midnightOf('2026-03-20'));
  const [midnight] = checkpointsOf(booksOf(world)).get(due)!;
  world.late.set(late(made), midnightOf(due) + 122 * minute);
  world.now = midnightOf('2026-03-12');
  act(world, 'user_unfrozen', { user_id: made.user.id });
  runSpins(world, made);
  expect(await foundIn(world)).toEqual({});
  const found = await foundIn(world, (books) => {
    const day = books.days.find(({ day }) => day === due)!;
    day.header = (header) => ({ ...header, checkpoints: hexDigest(midnight!.note) });
  });
  expect(found).toEqual({ checkpoint_differs: 1 });
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
  ['15 minutes later', drawsAt + 15 * minute, {}],
  ['a day later, when their draws could be known,', drawsAtMidnight('2026-03-08'), { spins_overdue: 5 }],
])('orders that were closed again %s for better draws are noticed as late', async (_, again, late) => {
  const { world } = worldOfOrders(2, (world, orders) => {
    for (const { rec } of orders) world.late.set(String(rec.order_id), again);
  });
  const { found, noticed } = await check(world);
  expect(found).toEqual(late);
  expect(noticed).toMatchObject({ orders_closed_late: 1 });
});

test('a claim that orders closed again on a later day were due then is found', async () => {
  const again = drawsAtMidnight('2026-03-08');
  const { world, orders } = worldOfOrders(2, (world, orders) => {
    for (const made of orders) world.late.set(late(made), again);
  });
  const found = await foundIn(world, (books) => {
    const note = books.key.note(checkpointText(books.organizationId, again, hashesOf(orders)));
    books.checkpoints = new Map([['2026-03-08', [{ note, listed: [] }]]]);
  });
  expect(found).toEqual({ checkpoint_differs: 1, spins_overdue: 4 });
});

test('an order that was moved to a later checkpoint for a better draw is found', async () => {
  const { world: first } = worldOfOrders(3, () => {}, placedLate);
  const moved = (world: World, [made]: Order[]) => world.late.set(late(made!), drawsAt + 15 * minute);
  const { world } = worldOfOrders(3, moved, placedLate);
  expect(await foundIn(world)).toEqual({});
  const found = await foundIn(world, (books) => {
    const { late: _, ...onTime } = books;
    const midnight = checkpointsOf({ ...onTime, late: first.late }).get(due)![0]!;
    const [, moved] = checkpointsOf(books).get(due)!;
    books.checkpoints = new Map([[due, [midnight, moved!]]]);
  });
  expect(found).toEqual({ beacon_round_wrong: 2, checkpoint_differs: 1 });
});

test('an order in no checkpoint is found', async () => {
  const { world } = worldOfOrders();
  const found = await foundIn(world, (books) => {
    books.checkpoints = new Map();
  });
  expect(found).toEqual({ order_not_closed: 6 });
});

test('a late order that was drawn with the round of midnight is found', async () => {
  const { world, orders } = worldOfOrders(3, () => {}, placedLate);
  const found = await foundIn(world, (books) => {
    books.late = new Map([[late(orders[0]!), drawsAt + 15 * minute]]);
  });
  expect(found).toEqual({ beacon_round_wrong: 2 });
});

test('a cancellation of a loser’s spins, dated before midnight when the draw could be known, is found', async () => {
  const { world } = worldOfOrders(3, (world, orders) => {
    act(world, 'spins_cancelled', about(orders.shift()!));
  });
  expect(await foundIn(world)).toEqual({});
  const found = await foundIn(world, (books) => {
    const notCancelled = booksOf(world);
    takeOut(notCancelled, ({ action }) => action === 'spins_cancelled');
    books.checkpoints = checkpointsOf(notCancelled);
  });
  expect(found).toEqual({ checkpoint_differs: 1 });
});

test('a cancellation of a loser’s spins, dated in the last two minutes, is found', async () => {
  const { world } = worldOfOrders(3, (world, orders) => {
    world.now = midnightOf(due) - 30_000;
    act(world, 'spins_cancelled', about(orders.shift()!));
  });
  expect(await foundIn(world)).toEqual({ cancelled_when_due: 1 });
});

test.each<[string, RegExp, string]>([
  ...['0000-00-00', '9999-99-99', '2026-02-30', ''].map(
    (day) =>
      [`the earliest due day “${day}”`, /"from":"[^"]*"/, `"from":"${day}"`] as [string, RegExp, string],
  ),
  ...['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '2026-02-30T00:00:00.000Z', 'never'].map(
    (at) => [`the time “${at}”`, /"draws_at":"[^"]*"/, `"draws_at":"${at}"`] as [string, RegExp, string],
  ),
  ...['', '{', 'null', '[]', '"x"', '{"draws_at":{},"from":{},"listed":{}}', '['.repeat(1500)].map(
    (line) => [`the line ${line.slice(0, 50)}`, /\{.*\}/, line] as [string, RegExp, string],
  ),
  ...['', 'x', '3.0', '1e999'].map(
    (count) => [`the number “${count}”`, /\n\d+\n/, `\n${count}\n`] as [string, RegExp, string],
  ),
])('a checkpoint with %s is found', async (_, from, to) => {
  const { world } = worldOfOrders();
  const books = booksOf(world);
  const [text = ''] = checkpointsOf(books)
    .get(due)![0]!
    .note.split(/(?<=\n)\n—/);
  expect(text).toMatch(from);
  books.checkpoints = new Map([[due, [{ note: books.key.note(text.replace(from, to)), listed: [] }]]]);
  expect((await codesIn(filesOf(books))).found).toMatchObject({ checkpoint_invalid: 1 });
});

test('an order that was restored just before its checkpoint may be in it or not', async () => {
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
    const text = checkpointText(organization ?? books.organizationId, at, ['x']);
    books.checkpoints = new Map([[due, [{ note: books.key.note(text), listed: [] }]]]);
  });
  expect(found).toEqual({ checkpoint_invalid: 1, order_not_closed: 6 });
});

test('a checkpoint that was left out is found', async () => {
  const { world } = worldOfOrders(3, (world, [made]) => {
    act(world, 'spins_cancelled', about(made!));
    act(world, 'spins_restored', about(made!));
    world.late.set(late(made!), drawsAt + 15 * minute);
  });
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

test('a later checkpoint is checked although the orders of the first one were not given', async () => {
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
    const text = checkpointText(books.organizationId, drawsAtMidnight('2026-03-09'), ['another order']);
    const forged = { note: books.key.note(text), listed: [] };
    books.checkpoints = checkpointsOf(books).set('2026-03-09', [forged]);
  });
  expect(found).toEqual({ checkpoint_differs: 1 });
});

describe('an order with a claim that it was closed later', () => {
  test.each([30_000, 10 * minute])(
    'is found if a cancellation and its restoration after %i ms were added when the draw could be known',
    async (restoredMs) => {
      const { world, users } = worldOfOrders(3, (world, [added]) => {
        world.now = midnightOf(due) - 5 * minute;
        act(world, 'spins_cancelled', about(added!));
        world.now = midnightOf(due) + restoredMs;
        act(world, 'spins_restored', about(added!));
      });
      const found = await foundIn(world, (books) => {
        const before = booksOf(world);
        const ofUser = (rec: Rec) => [rec.user_id, (rec.about as Rec)?.user_id].includes(users[0]!.id);
        takeOut(before, ofUser);
        books.checkpoints = checkpointsOf(before);
      });
      expect(found).toEqual({ order_not_closed: 2 });
    },
  );

  test('is found if the list is not the signed one', async () => {
    const { world, orders } = worldOfOrders(3, (world, orders) => {
      act(world, 'spins_cancelled', about(orders.shift()!));
    });
    const found = await foundIn(world, (books) => {
      withCheckpoint(drawsAt, hashesOf(orders))(books);
      books.checkpoints!.get(due)![0]!.listed = [listing(orders[0]!)];
    });
    expect(found).toEqual({ checkpoint_invalid: 1, order_not_closed: 4 });
  });

  test('is found if it must be in the first checkpoint, although the list is signed', async () => {
    const { world, orders } = worldOfOrders();
    const listed = orders.slice(0, 1).map(listing);
    const found = await foundIn(world, withCheckpoint(drawsAt, hashesOf(orders.slice(1)), { listed }));
    expect(found).toEqual({ checkpoint_differs: 2 });
  });

  test('is found if an empty checkpoint at midnight was to let any minute draw it', async () => {
    const chosen = drawsAt + 14 * 60 * minute;
    const { world, orders } = worldOfOrders(3, (world, orders) => {
      for (const one of orders) world.late.set(late(one), chosen);
      world.now = chosen + minute;
    });
    const found = await foundIn(world, (books) => {
      const listed = orders.map(listing);
      const notes = [
        checkpointText(books.organizationId, drawsAt, []),
        checkpointText(books.organizationId, chosen, [], { listed }),
      ].map(books.key.note);
      books.checkpoints = new Map([[due, notes.map((note, i) => ({ note, listed: i > 0 ? listed : [] }))]]);
    });
    expect(found).toEqual({ beacon_round_wrong: 6, checkpoint_differs: 4 });
  });

  test('is found if two checkpoints list it', async () => {
    const again = drawsAt + 15 * minute;
    const { world, orders } = worldOfOrders(1, () => {}, placedLate);
    const listed = orders.map(listing);
    const found = await foundIn(world, (books) => {
      const texts = [drawsAt, again].map((at) => checkpointText(books.organizationId, at, [], { listed }));
      books.checkpoints = new Map([[due, texts.map((text) => ({ note: books.key.note(text), listed }))]]);
    });
    expect(found).toEqual({ checkpoint_differs: 1 });
  });

  test('is noticed with its delay', async () => {
    const isLate = (world: World, [made]: Order[]) => world.late.set(late(made!), drawsAt + 15 * minute);
    const { found, noticed } = await check(worldOfOrders(3, isLate, placedLate).world);
    expect(found).toEqual({});
    expect(noticed).toMatchObject({ orders_closed_late: 1 });
  });

  test('is found if it was cancelled when the checkpoint listed it', async () => {
    const { world, orders } = worldOfOrders(3, (world, orders) => {
      act(world, 'spins_cancelled', about(orders.shift()!));
    });
    const listed = orders.slice(0, 1).map(listing);
    const found = await foundIn(world, withCheckpoint(drawsAt, hashesOf(orders.slice(1)), { listed }));
    expect(found).toEqual({ checkpoint_differs: 1 });
  });

  test.each([
    ['the books begin with the first', undefined],
    ['the book of the day before it was due is given', '2026-03-06'],
  ])('is found if it was removed and %s', async (_, since) => {
    const start = since && '2026-03-04';
    const { world, users, orders } = worldOfOrders(3, () => {}, { ...placedLate, ...(start && { start }) });
    const [gone] = orders.filter((_, i) => i > 0 && !wonCash(world, users[i]!));
    const found = await foundIn(
      world,
      (books) => {
        books.checkpoints = checkpointsOf(books);
        takeOut(books, ({ user_id }) => user_id === gone!.user.id);
      },
      since ? { since } : {},
    );
    expect(found).toEqual({ checkpoint_differs: 1 });
  });
});

/** Returns whether removing a user's records would break the chain of the day's cash. */
const wonCash = (world: World, { id }: { id: string }): boolean =>
  [...world.days.values()].flat().some((rec) => rec.user_id === id && rec.game_status === 'Cash');

test('a checkpoint for midnight itself, which would allow cancellations a minute after its round, is found', async () => {
  const atMidnight = midnightOf(due);
  const { world, orders } = worldOfOrders(3, (world, orders) => {
    world.now = atMidnight + 30_000;
    act(world, 'spins_cancelled', about(orders.shift()!));
    for (const one of orders) world.late.set(late(one), atMidnight);
  });
  const found = await foundIn(world, withCheckpoint(atMidnight, hashesOf(orders)));
  expect(found).toEqual({ cancelled_when_due: 1, checkpoint_invalid: 1, order_not_closed: 4 });
});

test('spins that are dated before their round are found', async () => {
  const runsEarly = (world: World, [made]: Order[]) => {
    world.late.set(late(made!), drawsAt + 14 * 60 * minute);
    world.now = midnightOf(due) + 20 * minute;
    runSpins(world, made!);
  };
  const { world } = worldOfOrders(1, runsEarly, placedLate);
  expect(await foundIn(world)).toEqual({ spin_early: 2 });
});

test('an order added to the first checkpoint of the first book is found', async () => {
  const { world, orders } = worldOfOrders();
  const found = await foundIn(
    world,
    withCheckpoint(drawsAt, hashesOf(orders.slice(1)), { from: '2019-01-01' }),
  );
  expect(found).toEqual({ checkpoint_differs: 1, spins_overdue: 1 });
});

test('a checkpoint with a claim that its orders were due before the given books is found after a day', async () => {
  const { world, orders } = worldOfOrders(3, () => {}, { start: '2026-03-01' });
  const claim = (from: string, since: string) =>
    check(world, withCheckpoint(drawsAt, hashesOf(orders.slice(1)), { from }), { since });
  expect((await claim(due, '2026-03-04')).found).toEqual({ checkpoint_differs: 1 });
  expect((await claim('2026-03-04', '2026-03-04')).found).toEqual({ spins_overdue: 1 });
  expect((await claim('2026-03-05', '2026-03-04')).found).toEqual({
    checkpoint_differs: 1,
    spins_overdue: 1,
  });
  const { found, noticed } = await claim('2026-03-06', '2026-03-06');
  expect(found).toEqual({ spins_overdue: 1 });
  expect(noticed).toMatchObject({ orders_unknown: 1, orders_closed_late: 1 });
});

test.each([
  ['2026-03-04', '2026-03-04'],
  ['2026-03-05', '2026-03-04'],
  ['2026-03-06', '2026-03-06'],
  [due, '2026-03-04'],
])('an empty checkpoint that has orders since %s is found in books since %s', async (from, since) => {
  const { world } = worldOfOrders(2, undefined, { start: '2026-03-01' });
  const { found } = await check(world, withCheckpoint(drawsAt, [], { from }), { since });
  expect(found).toMatchObject(from < due ? { checkpoint_invalid: 1 } : { checkpoint_differs: 1 });
});

test('without trusted authorities, the authority of a checkpoint is named too', async () => {
  const files = timestamped(filesOf(booksOf(worldOfOrders().world)));
  const forger = authorityOf('forger');
  for (const [name, text] of files) {
    if (!name.endsWith('.records')) continue;
    const [head = '', ...lines] = text.split('\n');
    const fields = JSON.parse(head);
    for (const one of fields.checkpoints) {
      const token = Buffer.from(tokenFor(one.note, drawsAtIn(one) - 50_000, forger)).toString('base64');
      one.timestamp = { token, root: Buffer.from(forger.root.certificate.raw).toString('base64') };
    }
    files.set(name, [canonical(fields), ...lines].join('\n'));
  }
  const { findings, noticed } = await verified(files);
  expect(findings).toEqual([]);
  expect(noticed.find(({ code }) => code === 'authority_unconfirmed')!.count).toBe(2);
});
