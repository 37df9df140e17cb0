/**
 * Attacks: scheduled changes of settings that are not made as scheduled. Changes made as scheduled cause no
 * findings.
 */
import { expect, test } from 'vitest';
import { booksOf, filesOf } from '../support/books.ts';
import { midnightOf } from '../support/plain.ts';
import { codesIn } from '../support/verified.ts';
import { act, change, credit, newUser, newWorld, type Settings, type World } from '../support/world.ts';

const hour = 3_600_000;
const from = midnightOf('2026-03-07') + 15 * hour;

/** Schedules a change and runs `actions` at their times. Returns the findings two days after the scheduled time. */
async function foundAfter(...actions: [number, (world: World) => void][]) {
  const world = newWorld();
  act(world, 'scheduled', { from: new Date(from).toISOString(), changes: { cost_truck: 7 } });
  for (const [at, action] of actions) {
    world.now = at;
    action(world);
  }
  world.now = midnightOf('2026-03-09') + 12 * hour;
  credit(world, newUser(world), 1);
  return (await codesIn(filesOf(booksOf(world)))).found;
}
/**
 * Returns a function that makes the scheduled change. `sequence` is the number of the record that scheduled
 * the change.
 */
const make =
  (after: Settings = { cost_truck: 7 }, sequence = 2) =>
  (world: World) =>
    change(world, after, undefined, { sequence });
const unschedule = (world: World) => act(world, 'unscheduled', { sequence: 2 });

test.each([
  ['made at its time', from, make()],
  ['made a quarter of an hour late, by the sweep', from + hour / 4, make()],
  ['cancelled', from - hour, unschedule],
])('a scheduled change that was %s is no finding', async (_, at, deed) => {
  expect(await foundAfter([at, deed])).toEqual({});
});

test('a scheduled change that was made or withdrawn hours late is noticed', async () => {
  for (const deed of [make(), unschedule]) {
    const world = newWorld();
    act(world, 'scheduled', { from: new Date(from).toISOString(), changes: { cost_truck: 7 } });
    world.now = from + 23 * hour;
    deed(world);
    const { found, noticed } = await codesIn(filesOf(booksOf(world)));
    expect([found, noticed.scheduled_change_late]).toEqual([{}, 1]);
  }
});

test('a scheduled change to a value already in force is no finding', async () => {
  const early: [number, (world: World) => void] = [from - hour, (world) => change(world, { cost_truck: 7 })];
  expect(await foundAfter(early, [from, make({})])).toEqual({});
});

test('changes made in another order than scheduled are a finding', async () => {
  const world = newWorld();
  const schedule = (at: number, cost_truck: number) =>
    act(world, 'scheduled', { from: new Date(at).toISOString(), changes: { cost_truck } });
  schedule(from, 7);
  schedule(from + 1000, 8);
  world.now = from + 2000;
  make({ cost_truck: 8 }, 3)(world);
  make()(world);
  expect((await codesIn(filesOf(booksOf(world)))).found).toEqual({ scheduled_change_differs: 1 });
});

test('a change scheduled for a time that does not exist is no valid record', async () => {
  const world = newWorld();
  act(world, 'scheduled', { from: '2026-03-99T99:99:99.999Z', changes: { cost_truck: 7 } });
  expect((await codesIn(filesOf(booksOf(world)))).found).toMatchObject({ not_a_record: 1 });
});

test.each([
  ['made before its time', [[from - 1000, make()]]],
  ['never made', []],
  ['made more than a day after its time', [[from + 25 * hour, make()]]],
  ['withdrawn more than a day after its time', [[from + 25 * hour, unschedule]]],
  ['made with a different value', [[from, make({ cost_truck: 6 })]]],
  ['made with an additional setting', [[from, make({ cost_truck: 7, cost_flight: 1 })]]],
  ['made without any setting', [[from, make({})]]],
  [
    'made although it was cancelled',
    [
      [from - hour, unschedule],
      [from, make()],
    ],
  ],
  [
    'made twice',
    [
      [from, make()],
      [from + hour, make({})],
    ],
  ],
] as [string, [number, (world: World) => void][]][])(
  'a scheduled change that was %s is a finding',
  async (_, deeds) => {
    expect(await foundAfter(...deeds)).toEqual({ scheduled_change_differs: 1 });
  },
);
