import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { ReceiverCall } from '../../journal.ts';
import { start } from '../examples.ts';
import { finalRequestsAt } from './example-journal.ts';
import { callItem, callOf, secret, url, webhookId } from './example-requests.ts';
import { add, asking, type Example, remove, rulesBrokenBy } from './examples.ts';
import { signatureOf } from './signature.ts';

const signed = 'a call goes to its webhook, signed with the secrets in force';
const recorded = 'the call history matches the calls';
const attempts = 'retries follow the schedule';

test.each(['a plain secret', `whsec_${Buffer.from('some bytes').toString('base64')}`])(
  'a signature by "%s" is that of the library Standard Webhooks',
  (text) => {
    const key = text.startsWith('whsec_') ? new Webhook(text) : new Webhook(text, { format: 'raw' });
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1772809200' };
    const body = '{"a":"é"}';
    const expected = key.sign('evt_1', new Date(1_772_809_200_000), body);
    expect(signatureOf({ headers, body }, text)).toBe(expected);
  },
);

const day = 24 * 3_600_000;
const first = ({ journal }: Example): ReceiverCall => journal.receiverCalls[0]!;
/** Adds a request of the host, sent at `at`, to change the webhook's secret. */
const rotate = (world: Example, at: number) => {
  const other = asking(world, 'webhooks/create');
  const body = { callback_url: url, secret_key: 'another secret' };
  add(world, other, {
    endpoint: 'webhooks/update',
    sentAt: at,
    path: { webhook_id: webhookId },
    body,
    answer: { ...other.answer!, at: at + 100 },
  });
};
/** Adds a call with the first call's event, sent at `at` and signed with `secrets`. */
const callAgain = (world: Example, at: number, secrets: string[]) => {
  const { headers, body } = first(world);
  const call = callOf(headers['webhook-id']!, body, at, secrets);
  world.journal.receiverCalls.push(call);
  world.items.push(callItem(call, 'balance_updated', { sk: `again ${at}` }));
};

test('a call that ends before its timeout is detected', () => {
  const givenUpAfter = (duration_ms: number) =>
    rulesBrokenBy((world) => {
      const { at } = first(world);
      const { response_status: _, ...item } = callItem(first(world), 'balance_updated', {
        sk: `again ${at}`,
      });
      world.items.push({ ...item, error: 'timeout', duration_ms } as (typeof world.items)[number]);
    });
  expect(givenUpAfter(14_000)).toContain(recorded);
  expect(givenUpAfter(15_002)).not.toContain(recorded);
});

test('a call that is missing in the history is detected, unless it was repeated at the webhook’s new URL', () => {
  const movedTo = 'https://moved.example.com/hook';
  const move = (world: Example) => {
    const other = asking(world, 'webhooks/create');
    add(world, other, {
      endpoint: 'webhooks/update',
      sentAt: finalRequestsAt - 5000,
      path: { webhook_id: webhookId },
      body: { callback_url: movedTo, secret_key: secret },
      answer: { ...other.answer!, at: finalRequestsAt - 4900 },
    });
  };
  const unrecorded = (world: Example) => {
    world.journal.receiverCalls.push(callOf('evt_new', '{}', finalRequestsAt - 6000, [secret]));
  };
  const recordedAs = (world: Example, webhook_id: string, at = finalRequestsAt) => {
    const again = { ...callOf('evt_new', '{}', at, [secret]), url: movedTo };
    world.journal.receiverCalls.push(again);
    world.items.push({ ...callItem(again, 'balance_updated', { sk: 'again' }), webhook_id, url: movedTo });
  };
  const broken = (...changes: ((world: Example) => void)[]) =>
    rulesBrokenBy((world) => {
      for (const change of changes) change(world);
    });
  expect(broken(move, unrecorded)).toContain(recorded);
  expect(broken(move, unrecorded, (world) => recordedAs(world, webhookId))).not.toContain(recorded);
  expect(broken(move, unrecorded, (world) => recordedAs(world, 'wh_other'))).toContain(recorded);
  const before = (world: Example) => recordedAs(world, webhookId, finalRequestsAt - 20_000);
  expect(broken(move, unrecorded, before)).toContain(recorded);
});

describe('an invalid signature is detected:', () => {
  test.each<[string, (world: Example) => void]>([
    [
      'it uses another secret',
      (world) => {
        Object.assign(first(world), callOf('evt_x', first(world).body, start, ['x']));
      },
    ],
    [
      'it signs another body',
      (world) => {
        first(world).body += ' ';
      },
    ],
    [
      'a call is for no webhook',
      (world) => {
        first(world).url = 'https://other.example.com';
      },
    ],
    [
      'a call is older than a minute',
      (world) => {
        const { headers, body } = first(world);
        Object.assign(first(world), { ...callOf(headers['webhook-id']!, body, start - 70_000), at: start });
      },
    ],
    [
      'a call is to a webhook that was deleted',
      (world) => {
        const other = asking(world, 'webhooks/create');
        add(world, other, {
          endpoint: 'webhooks/delete',
          sentAt: start - 90_000,
          path: { webhook_id: webhookId },
          answer: { ...other.answer!, at: start - 80_000 },
        });
        remove(world, 'WEBHOOK#');
      },
    ],
    [
      'a new secret does not sign',
      (world) => {
        rotate(world, finalRequestsAt - 10 * day);
        callAgain(world, finalRequestsAt, [secret]);
      },
    ],
    [
      'a replaced secret does not sign',
      (world) => {
        rotate(world, finalRequestsAt - day / 2);
        callAgain(world, finalRequestsAt, ['another secret']);
      },
    ],
    [
      'a replaced secret signs after 24 hours',
      (world) => {
        rotate(world, finalRequestsAt - 1.1 * day);
        callAgain(world, finalRequestsAt, ['another secret', secret]);
      },
    ],
  ])('%s', (_, change) => {
    expect(rulesBrokenBy(change)).toContain(signed);
  });

  test('both secrets sign for 24 hours without a violation', () => {
    const both = (world: Example) => {
      rotate(world, finalRequestsAt - day / 2);
      callAgain(world, finalRequestsAt, ['another secret', secret]);
    };
    expect(rulesBrokenBy(both)).not.toContain(signed);
    const alone = (world: Example) => {
      rotate(world, finalRequestsAt - 1.1 * day);
      callAgain(world, finalRequestsAt, ['another secret']);
    };
    expect(rulesBrokenBy(alone)).not.toContain(signed);
    const meanwhile = (world: Example) => {
      rotate(world, finalRequestsAt - 5000);
      callAgain(world, finalRequestsAt, [secret]);
    };
    expect(rulesBrokenBy(meanwhile)).not.toContain(signed);
  });
});

test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:8.8.8.8', '2001:db8::1', 'x'])(
  'a call to %s is detected',
  (address) => {
    expect(
      rulesBrokenBy((world) => {
        first(world).addresses.push(address);
      }),
    ).toContain('only public addresses are called');
  },
);

describe('an invalid call history is detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'a call is not in it',
      (world) => {
        const { headers } = first(world);
        world.items = world.items.filter(({ event_id }) => event_id !== headers['webhook-id']);
      },
      recorded,
    ],
    [
      'a call had another status',
      (world) => {
        first(world).reaction = 500;
      },
      recorded,
    ],
    [
      'a call was never made',
      (world) => {
        world.journal.receiverCalls.shift();
      },
      recorded,
    ],
    [
      'a call had another payload',
      (world) => {
        first(world).body = '{}';
      },
      recorded,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

describe('an invalid retry is detected:', () => {
  /**
   * Changes the first call's response to `status` (undefined is a timeout). Adds a second attempt `seconds`
   * later.
   */
  const again = (world: Example, status: number | undefined, seconds: number, of: object = {}) => {
    const call = first(world);
    call.reaction = status ?? 'hung';
    const item = world.items.find(({ event_id }) => event_id === call.headers['webhook-id'])!;
    item.response_status = status;
    const next = callOf(call.headers['webhook-id']!, call.body, Date.parse(item.timestamp) + seconds * 1000);
    world.journal.receiverCalls.push(next);
    world.items.push(callItem(next, item.event_type, { sk: 'next', attempt: 2, ...of }));
  };
  const broken = (...of: [number | undefined, number, object?]) =>
    rulesBrokenBy((world) => again(world, ...of));

  test('a retry is too early', () => {
    expect(broken(500, 5)).not.toContain(attempts);
    expect(broken(undefined, 5)).not.toContain(attempts);
    expect(broken(500, -3)).toContain(attempts);
    expect(broken(500, 30, { attempt: 3 })).toContain(attempts);
  });

  test('a retry is earlier than Retry-After', () => {
    const askingFor = (retryAfter: string, seconds: number) =>
      rulesBrokenBy((world) => {
        first(world).retryAfter = retryAfter;
        again(world, 429, seconds);
      });
    expect(askingFor('60', 10)).toContain(attempts);
    expect(askingFor('60', 60)).not.toContain(attempts);
    expect(askingFor(new Date(start + 600_000).toUTCString(), 60)).toContain(attempts);
    expect(askingFor('soon', 10)).not.toContain(attempts);
  });

  test('Retry-After applies only to its own delivery’s next attempt', () => {
    const found = rulesBrokenBy((world) => {
      again(world, undefined, 5);
      Object.assign(world.journal.receiverCalls.at(-1)!, { reaction: 410, retryAfter: '60' });
      world.items.at(-1)!.response_status = 410;
    });
    expect(found).not.toContain(attempts);
  });

  test('a retry follows a 2xx or 410', () => {
    expect(broken(204, 10)).toContain(attempts);
    expect(broken(410, 10)).toContain(attempts);
  });

  test('no retry follows a failure', () => {
    const failed = rulesBrokenBy((world) => {
      first(world).reaction = 500;
      world.items.find(({ event_id }) => event_id === first(world).headers['webhook-id'])!.response_status =
        500;
    });
    expect(failed).toContain('every delivery succeeds in the end');
  });

  test('no retry follows a failure, unless the webhook no longer wants the event', () => {
    const changed = (event: string) =>
      rulesBrokenBy((world) => {
        first(world).reaction = 500;
        const id = first(world).headers['webhook-id'];
        const item = world.items.find(({ event_id }) => event_id === id)!;
        item.response_status = 500;
        const made = asking(world, 'webhooks/create');
        add(world, made, {
          endpoint: 'webhooks/update',
          sentAt: start + 60_000,
          path: { webhook_id: webhookId },
          body: { ...made.body, event },
          answer: { ...made.answer!, at: start + 60_100 },
        });
      });
    expect(changed('prize_won')).not.toContain('every delivery succeeds in the end');
    expect(changed('all')).toContain('every delivery succeeds in the end');
  });

  test('there is a ninth attempt', () => {
    expect(broken(500, 5, { attempt: 9 })).toContain(attempts);
  });
});
