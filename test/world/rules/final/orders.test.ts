import { describe, expect, test } from 'vitest';
import { ulidIn } from '../days-and-ulids.ts';
import { organizationId } from '../examples.ts';
import { type Example, itemAt, remove, rulesBrokenBy } from './examples.ts';

const once = 'each ordered spin ran once';
const granted = 'granted cash equals won cash';

/** Returns the outcome of the example's last free spin. */
const lastSpin = ({ items }: Example) => items.findLast(({ play_type }) => play_type === 'amoe')!;

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'spins that are due did not run',
      (world) => {
        addDueItem(world, '2026-03-07', 1);
        itemAt(world, 'ORDERS#').num_of_spins = 3;
      },
      once,
    ],
    ['spins are due of an order that has run', (world) => addDueItem(world, '2026-03-09', 1), once],
    [
      'spins are missing without a cancellation',
      (world) => {
        itemAt(world, 'ORDERS#').num_of_spins = 3;
      },
      once,
    ],
    [
      'a spin ran twice',
      (world) => {
        world.items.push({ ...lastSpin(world), sk: 'OUTCOMES#x' });
      },
      once,
    ],
    [
      'a spin has no outcome',
      (world) => {
        world.items = world.items.filter((item) => item !== lastSpin(world));
      },
      once,
    ],
    [
      'a spin ran a day late',
      (world) => {
        const order = itemAt(world, 'ORDERS#');
        order.due_day = new Date(Date.parse(order.due_day) - 86_400_000).toISOString().slice(0, 10);
      },
      once,
    ],
    [
      'a spin ran hours late without faults',
      (world) => {
        const order = itemAt(world, 'ORDERS#');
        const ran = world.items.find(({ play_type }) => play_type === 'amoe')!;
        order.due_day = ran.date_created.slice(0, 10);
        ran.date_created = `${order.due_day}T09:00:00.000Z`;
        Object.assign(world, { faultFreeFrom: 0 });
      },
      once,
    ],
    ['spins ran without an order', (world) => remove(world, 'ORDERS#'), once],
    [
      'cash was granted without a win',
      (world) => {
        const pk = `BUDGET#${organizationId}#cash#2026-03-06#0`;
        world.items.push({ pk, sk: 'BUDGET', granted: { usd: 1 } });
      },
      granted,
    ],
    [
      'cash was won without a grant',
      (world) => {
        lastSpin(world).prize = { cash_usd: 1 };
      },
      granted,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

/** Adds a due item with some remaining spins for the example's order. */
function addDueItem(world: Example, day: string, remaining: number): void {
  const { order_id, user_id } = itemAt(world, 'ORDERS#');
  world.items.push({ pk: `DUE#${organizationId}#0`, sk: `${day}#${ulidIn(order_id)}`, user_id, remaining });
}

test('cancelled and future spins break no rule', () => {
  const cancelled = (count: number) =>
    rulesBrokenBy((world) => {
      const order = itemAt(world, 'ORDERS#');
      order.num_of_spins = 5;
      const about = { spins: { [order.order_id]: count } };
      const operationFields = {
        action: 'spins_cancelled',
        about,
        after: {},
        sequence: 1,
        date_created: order.date_created,
      };
      world.items.push({ pk: `ORG#${organizationId}`, sk: 'OPERATIONS#x', ...operationFields });
    });
  expect(cancelled(3)).not.toContain(once);
  expect(cancelled(2)).toContain(once);
  const future = rulesBrokenBy((world) => {
    Object.assign(itemAt(world, 'ORDERS#'), { num_of_spins: 5, due_day: '2026-03-10' });
    addDueItem(world, '2026-03-10', 3);
  });
  expect(future).not.toContain(once);
});
