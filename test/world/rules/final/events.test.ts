import { describe, expect, test } from 'vitest';
import type { StoredItem } from '../../journal.ts';
import { start, ulidOf } from '../examples.ts';
import { asking, type Example, rulesBrokenBy } from './examples.ts';

const right = 'an event matches its record and has one id';
const delivered = 'every record is delivered to every webhook that wants it';

const callsOf = ({ items }: Example, type: string): StoredItem[] =>
  items.filter(({ event_type }) => event_type === type);
/** Changes the payload of the first recorded call with this event type. */
const edit = (world: Example, type: string, change: (event: StoredItem) => void) => {
  const call = callsOf(world, type)[0]!;
  const event = JSON.parse(call.payload);
  change(event);
  call.payload = JSON.stringify(event);
};

test('an event may have the reference of a creation whose answer was lost', () => {
  const found = rulesBrokenBy((world) => {
    const creation = asking(world, 'users/create');
    creation.body = { external_reference: 'before' };
    delete creation.answer;
    edit(world, 'balance_updated', ({ data }) => {
      data.external_reference = 'before';
    });
  });
  expect(found).not.toContain(right);
});

describe('an invalid event is detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'is of no record',
      (world) =>
        edit(world, 'balance_updated', ({ data }) => {
          data.transaction_id = 'txn_x';
        }),
      right,
    ],
    [
      'has another amount',
      (world) =>
        edit(world, 'balance_updated', ({ data }) => {
          data.amount = 1;
        }),
      right,
    ],
    [
      'has another balance',
      (world) =>
        edit(world, 'balance_updated', ({ data }) => {
          data.new_balance = 1;
        }),
      right,
    ],
    [
      'leaves a field out',
      (world) =>
        edit(world, 'outcome', ({ data }) => {
          delete data.game_status;
        }),
      right,
    ],
    [
      'has more fields than the contract',
      (world) =>
        edit(world, 'outcome', ({ data }) => {
          data.server_seed = '5';
        }),
      right,
    ],
    [
      'has another number',
      (world) =>
        edit(world, 'outcome', (event) => {
          event.sequence = 1;
        }),
      right,
    ],
    [
      'has another time',
      (world) =>
        edit(world, 'outcome', (event) => {
          event.timestamp = 'x';
        }),
      right,
    ],
    [
      'is of another type',
      (world) =>
        edit(world, 'outcome', (event) => {
          event.type = 'cash_won';
        }),
      right,
    ],
    [
      'names a reference that its user never had',
      (world) =>
        edit(world, 'outcome', ({ data }) => {
          data.external_reference = 'x';
        }),
      right,
    ],
    [
      'is no JSON',
      (world) => {
        callsOf(world, 'outcome')[0]!.payload = '{';
      },
      right,
    ],
    [
      'has an id of its own for each call',
      (world) => {
        const id = `evt_${ulidOf(start, 7)}`;
        const call = callsOf(world, 'outcome')[0]!;
        world.items.push({
          ...call,
          sk: 'x',
          event_id: id,
          payload: call.payload.replace(call.event_id, id),
        });
      },
      right,
    ],
    [
      'shares its id with another',
      (world) => {
        const [first, second] = callsOf(world, 'outcome');
        second!.payload = second!.payload.replace(second!.event_id, first!.event_id);
        second!.event_id = first!.event_id;
      },
      right,
    ],
    [
      'has another id than its call',
      (world) =>
        edit(world, 'outcome', (event) => {
          event.id = 'evt_x';
        }),
      right,
    ],
    [
      'is another organization’s',
      (world) => {
        callsOf(world, 'outcome')[0]!.organization_id = 'org_other';
      },
      right,
    ],
    [
      'is not delivered',
      (world) => {
        const [call] = callsOf(world, 'prize_won');
        world.items = world.items.filter((item) => item !== call);
      },
      delivered,
    ],
    [
      'is delivered to a webhook that does not want it',
      (world) => {
        asking(world, 'webhooks/create').body.event = 'outcome';
      },
      delivered,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('a later webhook, or one for other events, gets no event', () => {
  const without = (world: Example, type: string) => {
    world.items = world.items.filter(({ event_type }) => event_type !== type);
  };
  const later = rulesBrokenBy((world) => {
    without(world, 'balance_updated');
    asking(world, 'webhooks/create').answer!.at = Date.parse('2026-03-07T05:00:00Z');
  });
  expect(later).not.toContain(delivered);
  const others = rulesBrokenBy((world) => {
    for (const type of ['balance_updated', 'prize_won']) without(world, type);
    asking(world, 'webhooks/create').body.event = 'outcome';
  });
  expect(others).not.toContain(delivered);
});

describe('two webhooks with the same URL', () => {
  /** Registers a second, newer webhook with the same URL before any event is sent. */
  const twice = (world: Example) => {
    const first = asking(world, 'webhooks/create');
    const second = structuredClone(first);
    second.answer!.body.webhook_id = `wh_${ulidOf(start + 1)}`;
    world.journal.exchanges.push(second);
    const newest = second.answer!.body.webhook_id as string;
    const calls = world.items.filter(({ event_type }) => event_type && event_type !== 'invoke');
    return { newest, calls };
  };

  test('only the newest gets the event', () => {
    const found = rulesBrokenBy((world) => {
      const { newest, calls } = twice(world);
      for (const call of calls) call.webhook_id = newest;
    });
    expect(found).not.toContain(delivered);
  });

  test('an event to the older one is detected', () => {
    expect(rulesBrokenBy((world) => void twice(world))).toContain(delivered);
    const both = rulesBrokenBy((world) => {
      const { newest, calls } = twice(world);
      world.items.push(...calls.map((call) => ({ ...call, sk: `${call.sk}2`, webhook_id: newest })));
    });
    expect(both).toContain(delivered);
  });
});

describe('detected: a webhook is disabled', () => {
  const off = 'a webhook is disabled only after five days without success';
  const switchOff = (world: Example, since: string, at: string) =>
    world.journal.logs.push(
      JSON.stringify({
        message: 'webhook switched off',
        webhook_id: callsOf(world, 'outcome')[0]!.webhook_id,
        failing_since: since,
        disabled_at: at,
      }),
    );

  test('too soon, or despite a successful delivery', () => {
    const soon = rulesBrokenBy((world) => switchOff(world, '2026-02-01T00:00:00Z', '2026-02-05T00:00:00Z'));
    expect(soon).toContain(off);
    const well = rulesBrokenBy((world) => switchOff(world, '2026-03-01T00:00:00Z', '2026-03-09T00:00:00Z'));
    expect(well).toContain(off);
    const right = rulesBrokenBy((world) => switchOff(world, '2026-02-01T00:00:00Z', '2026-02-07T00:00:00Z'));
    expect(right).not.toContain(off);
  });
});
