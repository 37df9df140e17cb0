import { describe, expect, test } from 'vitest';
import { userId } from '../examples.ts';
import { add, asking, type Example, rulesBrokenBy } from './examples.ts';

const list = 'a report equals a plain list';
const calls = 'the call history equals a plain list';

/** Returns the body of the response to the example's tickets report. */
const tickets = (world: Example) => asking(world, 'reports/tickets').answer!.body;
/** Adds a tickets report whose response has only the rows `rows[0]` to `rows[1] - 1`. */
const part = (world: Example, query: Record<string, string>, rows: [number, number], more: object = {}) => {
  const all = asking(world, 'reports/tickets');
  const { transactions } = all.answer!.body;
  const body = { ...all.answer!.body, transactions: transactions.slice(...rows), ...more };
  add(world, all, { query, answer: { ...all.answer!, body } });
};
const history = (world: Example) => asking(world, 'webhooks/history').answer!.body;

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    [
      'a report leaves a row out',
      (world) => {
        tickets(world).transactions.pop();
      },
      list,
    ],
    [
      'a report repeats a row',
      (world) => {
        tickets(world).transactions[1] = tickets(world).transactions[0];
      },
      list,
    ],
    [
      'a report is newest first',
      (world) => {
        tickets(world).transactions.reverse();
      },
      list,
    ],
    [
      'a report counts one row too few',
      (world) => {
        tickets(world).total_count = 2;
      },
      list,
    ],
    [
      'a report counts a row too many',
      (world) => {
        tickets(world).total_count = 4;
      },
      list,
    ],
    [
      'a report has a page too many',
      (world) => {
        tickets(world).total_pages = 2;
      },
      list,
    ],
    [
      'a report has a wrong page number',
      (world) => {
        tickets(world).page = 1;
      },
      list,
    ],
    [
      'a row has a wrong field',
      (world) => {
        tickets(world).transactions[0].amount = 1;
      },
      list,
    ],
    [
      'outcomes have another status',
      (world) => {
        asking(world, 'reports/outcomes').answer!.body.items[0].game_status = 'x';
      },
      list,
    ],
    [
      'a range includes its end',
      (world) => part(world, { end: '2026-03-06T15:01:00Z' }, [0, 2], { total_count: 2 }),
      list,
    ],
    [
      'a range leaves out its start',
      (world) => part(world, { start: '2026-03-06T15:00:00Z' }, [1, 3], { total_count: 2 }),
      list,
    ],
    ['a user’s rows are another’s', (world) => part(world, { user_id: 'usr_other' }, [0, 3]), list],
    [
      'a page is one row late',
      (world) => part(world, { page: '0', page_size: '1' }, [1, 2], { page_size: 1, total_pages: 3 }),
      list,
    ],
    [
      'the history leaves a call out',
      (world) => {
        history(world).calls.shift();
      },
      calls,
    ],
    [
      'the history ends too soon',
      (world) => {
        history(world).calls.pop();
      },
      calls,
    ],
    [
      'the history has another status',
      (world) => {
        history(world).calls[0].response_status = 500;
      },
      calls,
    ],
    [
      'the history has a token after its end',
      (world) => {
        history(world).next_token = 'x';
      },
      calls,
    ],
    [
      'a page of the history exceeds its limit',
      (world) => {
        asking(world, 'webhooks/history').query.limit = '1';
      },
      calls,
    ],
    [
      'the history ignores the type',
      (world) => {
        asking(world, 'webhooks/history').query.event_type = 'outcome';
      },
      calls,
    ],
    [
      'the history ignores the range',
      (world) => {
        asking(world, 'webhooks/history').query.end = '2026-03-06T16:00:00Z';
      },
      calls,
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test.each<[string, (world: Example) => void]>([
  [
    'a range with its start and without its end',
    (world) =>
      part(world, { start: '2026-03-06T15:00:00Z', end: '2026-03-06T15:01:00Z' }, [0, 1], { total_count: 1 }),
  ],
  ['the rows of a user', (world) => part(world, { user_id: userId }, [0, 3])],
  [
    'a second page',
    (world) => part(world, { page: '1', page_size: '2' }, [2, 3], { page: 1, page_size: 2, total_pages: 2 }),
  ],
  ['a page beyond the last', (world) => part(world, { page: '9' }, [0, 0], { page: 9 })],
  [
    'a body instead of a query',
    (world) => {
      part(world, {}, [0, 2], { page_size: 2, total_pages: 2 });
      world.journal.exchanges.at(-1)!.body = { page_size: 2 };
    },
  ],
])('%s breaks no rule', (_, change) => {
  expect(rulesBrokenBy(change)).toEqual([]);
});

test('only rows of the last minute may be missing', () => {
  const early = (sentAt: number, rows: number) =>
    rulesBrokenBy((world) => {
      part(world, {}, [0, rows], { total_count: rows });
      Object.assign(world.journal.exchanges.at(-1)!, { sentAt });
      world.journal.exchanges.at(-1)!.answer!.at = sentAt + 100;
    });
  const last = Date.parse('2026-03-06T15:01:00Z');
  for (const rows of [1, 2, 3]) expect(early(last + 30_000, rows)).toEqual([]);
  expect(early(last + 30_000, 4)).toContain(list);
  expect(early(last + 3_600_000, 2)).toContain(list);
});

test('a user’s rows must be present once any answer had them', () => {
  const last = Date.parse('2026-03-06T15:01:00Z');
  const early = (sentAt: number, rows: number) =>
    rulesBrokenBy((world) => {
      part(world, { user_id: userId }, [0, rows], { total_count: rows });
      Object.assign(world.journal.exchanges.at(-1)!, { sentAt });
      world.journal.exchanges.at(-1)!.answer!.at = sentAt + 100;
    });
  // A report may lack the play's two transactions for a minute, because no response has shown them.
  expect(early(last + 50, 1)).toEqual([]);
  expect(early(last - 30_000, 1)).toEqual([]);
  expect(early(last - 30_000, 0)).toContain(list);
  expect(early(last + 90_000, 1)).toContain(list);
});

test('pages of the call history have no gaps', () => {
  const cut = (second: number) =>
    rulesBrokenBy((world) => {
      const whole = asking(world, 'webhooks/history');
      const all = history(world).calls;
      const next = add(world, whole, { query: { ...whole.query, next_token: 'more' } });
      next.answer!.body.calls = all.slice(second);
      Object.assign(whole.answer!.body, { calls: all.slice(0, 3), next_token: 'more', is_all: false });
    });
  expect(cut(3)).toEqual([]);
  expect(cut(2)).toContain(calls);
  expect(cut(4)).toContain(calls);
});
