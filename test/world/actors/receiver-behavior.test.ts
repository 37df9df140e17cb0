import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts';
import { createRandom } from '../random.ts';
import { internalAddresses } from './addresses.ts';
import {
  addressesOf,
  drawReceiverBehavior,
  type ReceiverBehavior,
  type ReceiverMode,
  reactionOf,
} from './receiver-behavior.ts';

const random = createRandom('characters');
const [now, worksFrom] = [1_772_366_400_000, 1_775_000_000_000];
const some = Array.from({ length: 2000 }, (_, number) =>
  drawReceiverBehavior(createRandom(String(number)), now, worksFrom, number),
);
const call = { body: '{"type":"outcome"}' };
const always = (mode: ReceiverMode, more: Partial<ReceiverBehavior> = {}): ReceiverBehavior => ({
  modes: { [mode]: 1 },
  outages: [],
  lookups: [['8.8.8.8']],
  worksFrom,
  ...more,
});
const manyOf = (mode: ReceiverMode) =>
  Array.from({ length: 300 }, () => reactionOf(always(mode), call, random, now));
const statusesOf = (mode: ReceiverMode) =>
  new Set(manyOf(mode).map((reaction) => (reaction.kind === 'response' ? reaction.status : reaction.kind)));

test.each<[ReceiverMode, (number | string)[]]>([
  ['well', [200, 201, 202, 204]],
  ['slow', [200]],
  ['failing', [401, 404, 500, 502, 503, 504]],
  ['gone', [410]],
  ['busy', [429, 503]],
  ['redirecting', [301, 302, 303, 307, 308]],
  ['hanging', ['hang']],
  ['hanging up', ['hang up']],
  ['breaking off', [200, 500]],
  ['endless', [200, 500]],
  ['refusing', ['refuse']],
])('a receiver in mode “%s” reacts with one of %j', (mode, statuses) => {
  expect([...statusesOf(mode)].sort()).toEqual(statuses);
});

test('a slow receiver takes up to 20 seconds', () => {
  const times = manyOf('slow').map((reaction) => (reaction.kind === 'response' ? reaction.afterMs : 0));
  expect(Math.max(...times)).toBeLessThan(20_000);
  expect(Math.max(...times)).toBeGreaterThan(15_000);
});

test('a busy receiver sends Retry-After in seconds, as a date, excessive or invalid', () => {
  const retryAfters = manyOf('busy').map((reaction) =>
    reaction.kind === 'response' ? reaction.headers['retry-after'] : '',
  );
  expect(
    new Set(retryAfters.map((text) => (/^\d+$/.test(text!) ? 'number' : /GMT$/.test(text!) ? 'date' : text))),
  ).toEqual(new Set(['number', 'date', '-5', '1.5', 'soon', '']));
});

test('an outage lasts from its start to its end', () => {
  const outages = [{ from: now, to: now + 1000, mode: 'refusing' as const }];
  const kindAt = (time: number) => reactionOf(always('well', { outages }), call, random, time).kind;
  expect([now - 1, now, now + 999, now + 1000].map(kindAt)).toEqual([
    'response',
    'refuse',
    'refuse',
    'response',
  ]);
});

test('a receiver that fails on one event type accepts all others', () => {
  const behavior = always('well', { failsOnType: 'cash_won' });
  const statusOf = (type: string) => {
    const reaction = reactionOf(behavior, { body: `{"id":"evt_1","type":"${type}"}` }, random, now);
    return reaction.kind === 'response' && reaction.status >= 300;
  };
  expect([statusOf('cash_won'), statusOf('outcome')]).toEqual([true, false]);
});

describe('in the end', () => {
  test('all receivers work', () => {
    for (const behavior of some) {
      expect(reactionOf(behavior, call, random, worksFrom)).toMatchObject({
        kind: 'response',
        body: 'whole',
      });
    }
  });

  test('all names resolve to public addresses only', () => {
    for (const behavior of some) {
      const addresses = addressesOf(behavior, random, worksFrom);
      expect([addresses.length > 0, addresses.every(isPublicAddress)]).toEqual([true, true]);
    }
  });
});

test('no internal address is public', () => {
  expect(internalAddresses.filter(isPublicAddress)).toEqual([]);
});

test('most receivers work most of the time, and every fault occurs', () => {
  const well = some.filter((behavior) => {
    const reaction = reactionOf(behavior, call, random, now);
    return reaction.kind === 'response' && reaction.status < 300;
  });
  expect(well.length / some.length).toBeGreaterThan(0.6);
  const modes = new Set(some.flatMap((behavior) => Object.keys(behavior.modes)));
  expect(modes.size).toBe(11);
  const lookups = some.flatMap((behavior) => behavior.lookups);
  expect(lookups.some((addresses) => addresses.length === 0)).toBe(true);
  expect(lookups.some((addresses) => addresses.length > 1 && !addresses.every(isPublicAddress))).toBe(true);
});

test('the same seed gives the same receivers and reactions', () => {
  const react = () => {
    const again = createRandom('again');
    const behavior = drawReceiverBehavior(again, now, worksFrom, 3);
    return [
      behavior,
      Array.from({ length: 20 }, (_, i) => reactionOf(behavior, call, again, now + i * 3600_000)),
    ];
  };
  expect(react()).toEqual(react());
});
