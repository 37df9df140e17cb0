/** Changes that operators set for a time to come, made honestly and not. */
import { expect, test } from 'vitest';
import { booksOf, filesOf } from '../support/books.ts';
import { midnightOf } from '../support/plain.ts';
import { codesIn } from '../support/verified.ts';
import { act, change, credit, newUser, newWorld, type Settings, type World } from '../support/world.ts';

const hour = 3_600_000;
const from = midnightOf('2026-03-07') + 15 * hour;

/** The findings in the books until two days after a change was to be made, with what was done at some times. */
async function foundAfter(...deeds: [number, (world: World) => void][]) {
  const world = newWorld();
  act(world, 'scheduled', { from: new Date(from).toISOString(), changes: { cost_truck: 7 } });
  for (const [at, deed] of deeds) {
    world.now = at;
    deed(world);
  }
  world.now = midnightOf('2026-03-09') + 12 * hour;
  credit(world, newUser(world), 1);
  return (await codesIn(filesOf(booksOf(world)))).found;
}
/** Makes the change that was set by the second record of the organization. */
const make =
  (after: Settings = { cost_truck: 7 }, sequence = 2) =>
  (world: World) =>
    change(world, after, undefined, { sequence });
const unschedule = (world: World) => act(world, 'unscheduled', { sequence: 2 });

test.each([
  ['made at its time', from, make()],
  ['made a quarter of an hour late, by the sweep', from + hour / 4, make()],
  ['taken back', from - hour, unschedule],
])('a change that was %s is as it must be', async (_, at, deed) => {
  expect(await foundAfter([at, deed])).toEqual({});
});

test('a change to what is in force already is as it must be', async () => {
  const early: [number, (world: World) => void] = [from - hour, (world) => change(world, { cost_truck: 7 })];
  expect(await foundAfter(early, [from, make({})])).toEqual({});
});

test.each([
  ['made before its time', [[from - 1000, make()]]],
  ['never made', []],
  ['made otherwise than it was set', [[from, make({ cost_truck: 6 })]]],
  ['made with more than was set', [[from, make({ cost_truck: 7, cost_flight: 1 })]]],
  ['made to nothing', [[from, make({})]]],
  [
    'made though it was taken back',
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
] as [string, [number, (world: World) => void][]][])('a change that was %s is found', async (_, deeds) => {
  expect(await foundAfter(...deeds)).toEqual({ change_not_as_set: 1 });
});
