import { describe, expect, test } from 'vitest';
import { organizationId } from '../examples.ts';
import { type Example, itemAt, remove, rulesBrokenBy } from './examples.ts';

const once = 'each ordered spin ran once';
const granted = 'at the end the cash that was granted is the cash that was won';

/** The last free spin of the example. */
const lastSpin = ({ items }: Example) => items.findLast(({ play_type }) => play_type === 'amoe')!;

describe('it is found that', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'spins that are due did not run',
      (world) => {
        Object.assign(itemAt(world, 'SPINS#'), { remaining: 1, num_of_spins: 3 });
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
        const order = itemAt(world, 'SPINS#');
        order.due_day = new Date(Date.parse(order.due_day) - 86_400_000).toISOString().slice(0, 10);
        delete order.outcomes;
      },
      once,
    ],
    [
      'a spin ran hours late, and there was no trouble',
      (world) => {
        const order = itemAt(world, 'SPINS#');
        delete order.outcomes;
        const ran = world.items.find(({ play_type }) => play_type === 'amoe')!;
        order.due_day = ran.date_created.slice(0, 10);
        ran.date_created = `${order.due_day}T09:00:00.000Z`;
        Object.assign(world, { peaceFrom: 0 });
      },
      once,
    ],
    ['spins ran that nobody ordered', (world) => remove(world, 'SPINS#'), once],
    [
      'a guest was told of other outcomes',
      (world) => {
        itemAt(world, 'SPINS#').outcomes = [];
      },
      once,
    ],
    [
      'cash was granted for nothing',
      (world) => {
        const pk = `BUDGET#${organizationId}#cash#2026-03-06#0`;
        world.items.push({ pk, sk: 'BUDGET', granted: { usd: 1 } });
      },
      granted,
    ],
    [
      'cash was won for nothing',
      (world) => {
        lastSpin(world).prize = { cash_usd: 1 };
      },
      granted,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('an order whose day is to come breaks no rule', () => {
  const future = rulesBrokenBy((world) => {
    const { pk } = itemAt(world, 'USER');
    itemAt(world, 'USER').queued_spins = 3;
    const order = {
      user_id: itemAt(world, 'USER').user_id,
      remaining: 3,
      num_of_spins: 3,
      due_day: '2026-03-10',
    };
    world.items.push({
      ...itemAt(world, 'SPINS#'),
      ...order,
      pk,
      sk: 'SPINS#x',
      order_id: 'x',
      client_seed: 'x',
    });
  });
  expect(future).toEqual([]);
});
