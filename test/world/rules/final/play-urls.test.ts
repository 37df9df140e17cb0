import { describe, expect, test } from 'vitest';
import { start } from '../examples.ts';
import { seedOfSession } from '../server-seeds.ts';
import { refusal } from './example-requests.ts';
import { add, asking, type Example, itemAt, remove, rulesBrokenBy } from './examples.ts';

const made = 'a play URL is what the host requested';
const one = 'a play URL always shows the same outcome';
const shown = 'a page shows the cost and prizes of its play';
const readable = 'the visible text of a page equals its data';
const expires = 'a play URL expires after exactly 30 minutes';

/** Replaces text in the nth play page, from 0. The play comes between pages 0 and 1. */
const edit = (world: Example, nth: number, from: string | RegExp, to: string) => {
  const answer = asking(world, 'play/open', nth).answer!;
  answer.body = JSON.parse(JSON.stringify(answer.body).replace(from, to));
};

describe('detected:', () => {
  test.each<[string, (world: Example) => void, string]>([
    ['a play URL does not exist', (world) => remove(world, 'PLAY'), made],
    [
      'a play URL is of another game',
      (world) => {
        asking(world, 'games/play').body.game = 'truck';
      },
      made,
    ],
    [
      'a play URL is in another language',
      (world) => {
        asking(world, 'games/play').body.lang = 'es';
      },
      made,
    ],
    [
      'a play URL is another user’s',
      (world) => {
        asking(world, 'games/play').path = { user_id: 'usr_other' };
      },
      made,
    ],
    [
      'two requests have the same URL',
      (world) => {
        add(world, asking(world, 'games/play'), { intent: 95 });
      },
      made,
    ],
    [
      'a play URL is good for an hour',
      (world) => {
        asking(world, 'games/play').sentAt -= 1_800_000;
        asking(world, 'games/play').answer!.at -= 1_800_000;
      },
      made,
    ],
    [
      'a second spin shows another outcome',
      (world) => {
        asking(world, 'play/spin', 1).answer!.body.outcome.prize = { cash_usd: 100 };
      },
      one,
    ],
    [
      'a page shows another outcome',
      (world) => edit(world, 1, /"prize":{[^}]*}/, '"prize":{"cash_usd":100}'),
      one,
    ],
    [
      'a spin lacks its fairness data',
      (world) => {
        delete asking(world, 'play/spin').answer!.body.fairness.server_seed;
      },
      one,
    ],
    ['a page shows another balance', (world) => edit(world, 1, /"balance":\d+/, '"balance":99'), one],
    ['a URL that was played can be played', (world) => edit(world, 1, /"outcome":.*}/, '"x":1}'), one],
    [
      'a URL that was played is refused',
      (world) => {
        Object.assign(asking(world, 'play/spin', 1).answer!, refusal(410, 'play_expired'));
      },
      one,
    ],
    ['the outcome is not in the table', (world) => remove(world, 'OUTCOMES#'), one],
    ['a page shows a lower cost', (world) => edit(world, 0, '"cost":1', '"cost":0'), shown],
    [
      'a page has another commitment',
      (world) => edit(world, 0, /"commitment":"\w+"/, '"commitment":"x"'),
      shown,
    ],
    ['a page has other odds', (world) => edit(world, 0, '"weight":3200', '"weight":3300'), shown],
    [
      'a page leaves a prize out',
      (world) => edit(world, 0, '"kind":"entry_truck"', '"kind":"entry_flight"'),
      shown,
    ],
    [
      'a page says that a prize is not in the draw',
      (world) => edit(world, 0, '"available":true', '"available":false'),
      shown,
    ],
    [
      'a page shows no seed of its commitment',
      (world) => edit(world, 1, /"server_seed":"\w+"/, '"server_seed":"66"'),
      shown,
    ],
    ['a button shows a lower cost', (world) => edit(world, 0, 'Costs 1 ticket', 'Costs 0 tickets'), readable],
    ['a button shows no cost', (world) => edit(world, 0, 'Costs 1 ticket', 'Free play'), readable],
    [
      'the odds are those of another draw',
      (world) => edit(world, 0, '1 ticket 32%', '1 ticket 31%'),
      readable,
    ],
    ['a URL expires early', (world) => edit(world, 0, '"ready"', '"expired"'), expires],
    [
      'a URL is open for longer',
      (world) => {
        Object.assign(asking(world, 'play/open'), { sentAt: start + 3_600_000 });
      },
      expires,
    ],
    [
      'a URL is not found',
      (world) => {
        Object.assign(asking(world, 'play/spin').answer!, refusal(404, 'play_not_found'));
      },
      expires,
    ],
    [
      'a page reveals the seed before the play',
      (world) => {
        edit(world, 0, '"cost":1', `"cost":1,"seed":"${seedOfSession(itemAt(world, 'PLAY'))}"`);
      },
      'no page reveals the server seed before the play',
    ],
  ])('%s', (_, change, rule) => {
    expect(rulesBrokenBy(change)).toContain(rule);
  });
});

test('an expired URL that was not played breaks no rule', () => {
  const unplayed = rulesBrokenBy((world) => {
    const { played, ...session } = itemAt(world, 'PLAY');
    remove(world, 'PLAY');
    world.items.push(session as (typeof world.items)[0]);
    world.journal.exchanges = world.journal.exchanges.filter(({ endpoint }) => endpoint !== 'play/spin');
    edit(world, 1, '"played"', '"expired"');
    edit(world, 1, /"outcome":.*}/, '"x":1}');
  });
  expect(unplayed).not.toContain(expires);
  expect(unplayed).not.toContain(one);
});
