import { describe, expect, test } from 'vitest';
import { refusal } from './example-requests.ts';
import { asking, type Example, rulesBrokenBy } from './examples.ts';

const fields = 'a success has exactly the fields of the contract';
const refusals = 'a refusal has a code of the contract';
const headers = 'an answer has the headers of the contract';
const bounds = 'a request beyond the contract’s limits is refused';

/** Returns the API's response to the example's request for the ticket balance. */
const answer = (world: Example) => asking(world, 'tickets/balance').answer!;
const refuse =
  (status: number, code: string, of: object = {}) =>
  (world: Example) => {
    const refused = refusal(status, code);
    Object.assign(answer(world), refused, { body: { ...refused.body, ...of } });
  };

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'a success has an additional field',
      (world) => {
        answer(world).body.version = 1;
      },
      fields,
    ],
    [
      'a success lacks a field',
      (world) => {
        delete asking(world, 'tickets/credit').answer!.body.user_id;
      },
      fields,
    ],
    [
      'a success has no status field',
      (world) => {
        delete answer(world).body.status;
      },
      fields,
    ],
    [
      'a row has a field too many',
      (world) => {
        asking(world, 'tickets/history').answer!.body.transactions[0].hash = 'x';
      },
      fields,
    ],
    [
      'a prize is of no kind',
      (world) => {
        asking(world, 'games/history').answer!.body.items[0].prize = { prize_car: 1 };
      },
      fields,
    ],
    [
      'a prize has two kinds',
      (world) => {
        asking(world, 'games/history').answer!.body.items[0].prize = { tickets: 1, cash_usd: 1 };
      },
      fields,
    ],
    [
      'a restriction is unknown',
      (world) => {
        asking(world, 'games/check-eligibility').answer!.body.restrictions = ['x'];
      },
      fields,
    ],
    ['an error is internal', refuse(500, 'internal_error'), refusals],
    ['a code is of another status', refuse(400, 'user_not_found'), refusals],
    ['an error has additional fields', refuse(404, 'user_not_found', { stack: 'x' }), refusals],
    ['an error has no message', refuse(404, 'user_not_found', { message: undefined }), refusals],
    [
      'a temporary refusal has no Retry-After',
      (world) => {
        refuse(503, 'unavailable')(world);
        delete answer(world).headers['retry-after'];
      },
      refusals,
    ],
    [
      'a page fails',
      (world) => {
        Object.assign(asking(world, 'play/open').answer!, { status: 500, body: 'Internal Server Error' });
      },
      refusals,
    ],
    [
      'an invalid request succeeds',
      (world) => {
        asking(world, 'tickets/balance').mistake = 'no such user';
      },
      'an invalid request is refused',
    ],
    [
      'an answer may be cached',
      (world) => {
        delete answer(world).headers['cache-control'];
      },
      headers,
    ],
    [
      'an answer has a wrong content type',
      (world) => {
        answer(world).headers['content-type'] = 'text/html';
      },
      headers,
    ],
    [
      'a page is of another type',
      (world) => {
        asking(world, 'play/open').answer!.headers['content-type'] = 'application/json; charset=utf-8';
      },
      headers,
    ],
    [
      'a spin is answered with a page',
      (world) => {
        asking(world, 'play/spin').answer!.headers['content-type'] = 'text/html; charset=utf-8';
      },
      headers,
    ],
    [
      'an answer has no id',
      (world) => {
        delete answer(world).headers['x-request-id'];
      },
      headers,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });

  test('not a temporary refusal of a play URL as a page by the gateway', () => {
    const refusedWith = (status: number) => (world: Example) => {
      const page = { 'content-type': 'text/html; charset=utf-8', 'retry-after': '1' };
      const { headers } = asking(world, 'play/spin', 1).answer!;
      Object.assign(asking(world, 'play/spin', 1).answer!, {
        status,
        body: '<!doctype html>…',
        headers: { ...headers, ...page },
      });
    };
    expect(rulesBrokenBy(refusedWith(503))).toEqual([]);
    expect(rulesBrokenBy(refusedWith(500))).toContain(refusals);
  });

  test.each<[string, Parameters<typeof asking>[1], object]>([
    ['amount', 'tickets/credit', { amount: 0, idempotency_key: 'first' }],
    ['amount', 'tickets/credit', { amount: 1.5, idempotency_key: 'first' }],
    ['amount', 'tickets/credit', { amount: 1_000_000_001, idempotency_key: 'first' }],
    ['idempotency_key', 'tickets/credit', { amount: 1 }],
    ['idempotency_key', 'tickets/credit', { amount: 1, idempotency_key: '' }],
    ['description', 'tickets/credit', { amount: 1, idempotency_key: 'x', description: 'x'.repeat(501) }],
    ['num_of_spins', 'amoe/queue', { num_of_spins: 1001, idempotency_key: 'x' }],
    ['num_of_spins', 'amoe/queue', { num_of_spins: 0, idempotency_key: 'x' }],
    ['external_reference', 'users/create', { external_reference: 'x'.repeat(256) }],
    ['callback_url', 'webhooks/create', { callback_url: 'http://hooks.example.com', secret_key: 'x' }],
    ['secret_key', 'webhooks/create', { callback_url: 'https://hooks.example.com' }],
    ['game', 'games/play', { game: 'chess' }],
    ['client_seed', 'play/spin', { client_seed: 'x'.repeat(256) }],
  ])('a request beyond the limit of %s that succeeds is detected: %s with %o', (_, endpoint, body) => {
    expect(
      rulesBrokenBy((world) => {
        asking(world, endpoint).body = body;
      }),
    ).toContain(bounds);
  });

  test('a page of 1,001 rows', () => {
    expect(
      rulesBrokenBy((world) => {
        asking(world, 'games/history').query.limit = '1001';
      }),
    ).toContain(bounds);
    expect(
      rulesBrokenBy((world) => {
        asking(world, 'reports/tickets').query.page_size = '10001';
      }),
    ).toContain(bounds);
  });
});

test.each([
  [429, 'too_many_requests'],
  [503, 'outcome_unknown'],
])('a refusal with %i %s breaks no rule during faults', (status, code) => {
  const refused = refuse(status, code, { detail: 'a hint' });
  expect(rulesBrokenBy(refused)).toEqual([]);
  const inPeace = (world: Example) => {
    refused(world);
    Object.assign(world, { faultFreeFrom: 0 });
  };
  expect(rulesBrokenBy(inPeace)).toEqual(['a valid request is not refused']);
});

test.each([
  [422, 'validation_failed'],
  [401, 'unauthorized'],
  [404, 'not_found'],
])('a valid request that is refused with %i %s breaks a rule', (status, code) => {
  expect(rulesBrokenBy(refuse(status, code))).toContain('a valid request is not refused');
});
