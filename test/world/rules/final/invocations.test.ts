import { describe, expect, test } from 'vitest';
import { start, ulidOf } from '../examples.ts';
import { callItem, callOf } from './example-requests.ts';
import { add, asking, type Example, rulesBrokenBy } from './examples.ts';

const asInvoked = 'an invocation is sent unchanged';
const once = 'a request id invokes a webhook once';
const isSent = 'a successful invocation is sent';

const send = (world: Example, number: number, text: string) => {
  const call = callOf(`inv_${ulidOf(start, number)}`, text, start + 4000);
  world.journal.receiverCalls.push(call);
  world.items.push(callItem(call, 'invoke', { sk: `sent ${number}` }));
};
const invoke = (world: Example, request_id: string | undefined, body: unknown) =>
  add(world, asking(world, 'webhooks/invoke'), {
    query: request_id === undefined ? {} : { request_id },
    body,
    intent: 94,
  });

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    ['a text is sent without a request', (world) => send(world, 901, '{"hello": 1}'), asInvoked],
    [
      'an invocation is sent as an event',
      (world) => {
        world.items.find(({ event_type }) => event_type === 'invoke')!.event_id = `evt_${ulidOf(start)}`;
      },
      asInvoked,
    ],
    ['a request id is sent under two ids', (world) => send(world, 901, '{"hello":1}'), once],
    [
      'a request id is sent with both of its texts',
      (world) => {
        invoke(world, 'one', { hello: 2 });
        send(world, 901, '{"hello":2}');
      },
      once,
    ],
    [
      'an invocation is not sent',
      (world) => {
        world.items = world.items.filter(({ event_type }) => event_type !== 'invoke');
      },
      isSent,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('a text is sent unchanged, once per request without an id', () => {
  const twice = rulesBrokenBy((world) => {
    for (const number of [901, 902]) {
      invoke(world, undefined, '{"hello": 3}');
      send(world, number, '{"hello": 3}');
    }
  });
  for (const rule of [asInvoked, once, isSent]) expect(twice).not.toContain(rule);
});

test('of two texts with one request id, sending one is enough', () => {
  expect(
    rulesBrokenBy((world) => {
      invoke(world, 'one', { hello: 2 });
    }),
  ).toEqual([]);
});
