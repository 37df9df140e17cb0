import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Verdict, verifyDraw } from '../../functions/play/page/client/verify.ts';
import type { Fairness, ListedPrize, Outcome } from '../../functions/play/page/view.ts';
import { commitmentTo, draw } from '../../shared/games/draw.ts';
import { defaultPrizeTables, type Prize, versionOf } from '../../shared/games/prize-tables.ts';
import { prizesInDraw, rulesOf } from '../../shared/games/rules.ts';
import { type DebugResult, type Game, games } from '../../shared/vocabulary.ts';

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'));

type Options = {
  game?: Game;
  prizes?: Prize[];
  left?: number;
  debug?: DebugResult;
  server_seed?: string;
  client_seed?: string;
};

/** An honest play: what its page shows before it, its outcome, and how that was drawn. */
function played({ game = 'prizewheel', ...options }: Options = {}) {
  const { prizes = defaultPrizeTables[game].prizes } = options;
  const { left = 500, debug, server_seed = '5e'.repeat(32), client_seed = 'mine' } = options;
  const rules = rulesOf(debug);
  const budgets = rules.isBudgeted ? { cash: { grants: 3, granted: 7, limit: left + 7 } } : undefined;
  const seeds = { serverSeed: server_seed, clientSeed: client_seed, spinIndex: 0 };
  const prize = draw(prizesInDraw(prizes, budgets, debug), seeds);
  const commitment = commitmentTo(server_seed);
  const page = {
    game,
    state: 'ready' as const,
    prizes: prizes.map((one): ListedPrize => ({ ...one, available: true })),
    tickets_only: rules.isTicketsOnly(prizes, budgets ?? {}),
    prize_table_version: versionOf(game, prizes),
    commitment,
  };
  const outcome = { prize: { [prize.kind]: prize.amount } } as Outcome;
  const fairness: Fairness = {
    commitment,
    server_seed,
    client_seed,
    prize_table_version: page.prize_table_version,
    prize_id: prize.id,
    ...(budgets ? { budgets } : {}),
    ...(debug ? { debug } : {}),
  };
  return { page, outcome, fairness };
}
type Played = ReturnType<typeof played>;
/** What the browser says of a play that was changed in some of its parts. */
const verdictOf = (
  { page, outcome, fairness }: Played,
  changed: { page?: object; outcome?: object; fairness?: object } = {},
): Promise<Verdict> =>
  verifyDraw(
    { ...page, ...changed.page },
    { ...outcome, ...changed.outcome },
    { ...fairness, ...changed.fairness },
  );

const prizesOf = (list: number[]): Prize[] =>
  list.map((weight, i) => {
    const [id, amount] = [`cash-${i + 1}`, i + 1];
    return { id, kind: 'cash_usd', amount, weight, label: { en: '', es: '' } };
  });

test('the page draws the same prize as the service, and sees any other one', async () => {
  const weights = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(hex(32), hex(16), weights, async (server_seed, client_seed, list) => {
      const [prizes, left] = [prizesOf(list), Math.ceil(list.length / 2)];
      const play = played({ prizes, left, server_seed, client_seed });
      expect(await verdictOf(play)).toBe('good');
      const other = prizes.find(({ id }) => id !== play.fairness.prize_id)!;
      expect(await verdictOf(play, { fairness: { prize_id: other.id } })).toBe('draw');
      expect(await verdictOf(play, { page: { commitment: commitmentTo(client_seed) } })).toBe('seal');
    }),
  );
});

test.each<Options>([{ debug: 'jackpot' }, { debug: 'tickets_only' }, { left: 0 }])(
  'a play of %j is good',
  async (options) => {
    expect(await verdictOf(played(options))).toBe('good');
  },
);

test.each([
  ['another amount', { tickets: 999 }],
  ['another kind', { cash_usd: 100 }],
  ['more than was drawn', { cash_usd: 100, tickets: 1 }],
  ['nothing', {}],
  ['what cannot be read', null],
])('an outcome that awards %s is not the prize that was drawn', async (_, prize) => {
  expect(await verdictOf(played({ left: 0 }), { outcome: { prize } })).toBe('draw');
});

describe('budgets that a draw cannot have:', () => {
  const cash = { grants: 3, granted: 7, limit: 507 };

  test.each<[string, Options, unknown]>([
    ['none, and no test play', {}, undefined],
    ['null', {}, null],
    ['no sum of cash', {}, { cash: { ...cash, granted: undefined } }],
    ['a limit that is no number', {}, { cash: { ...cash, limit: '507' } }],
    ['half a dollar', {}, { cash: { ...cash, granted: 0.5 } }],
    ['wins without a limit', {}, { cash, wins: { granted: 1 } }],
    ['a stock of a table that has none', {}, { cash, stock: { grants: 0 } }],
    ['the cash of the day of a jackpot', { debug: 'jackpot' }, { cash }],
  ])('%s', async (_, options, budgets) => {
    expect(await verdictOf(played(options), { fairness: { budgets } })).toBe('limits');
  });

  test.each<[string, object]>([
    ['a prize out of a stock that it has not', { grants: 0, out: ['cash-2'] }],
    ['the number of a prize that has no stock', { grants: 0, number: 1 }],
    ['no stock', {}],
  ])('%s, of a table with a stock', async (_, stock) => {
    const prizes = prizesOf([1, 1]).map((prize, i) => (i === 0 ? { ...prize, stock: 5, weight: 0 } : prize));
    const play = played({ prizes });
    const budgets = { ...play.fairness.budgets, stock: { grants: 0 } };
    expect(await verdictOf(play, { fairness: { budgets } })).toBe('good');
    const forged = { ...budgets, stock: Object.keys(stock).length > 0 ? stock : undefined };
    expect(await verdictOf(play, { fairness: { budgets: forged } })).toBe('limits');
  });

  test.each<[string, Options, object]>([
    ['cash that was left is denied', {}, { cash: { ...cash, granted: 507 } }],
    ['cash that was not left is in the draw', { left: 0 }, { cash }],
  ])('if %s, it is another draw', async (_, options, budgets) => {
    // Several seeds, of which one or other may draw the same prize from both sets.
    const verdicts = await Promise.all(
      ['a', 'b', 'c', 'd'].map((client_seed) =>
        verdictOf(played({ ...options, client_seed }), { fairness: { budgets } }),
      ),
    );
    expect(verdicts).toContain('draw');
  });
});

test.each<[string, Options, { page?: object; fairness?: object }]>([
  ['drawn from another table', {}, { fairness: { prize_table_version: 'prizewheel-1' } }],
  [
    'a test play for tickets of a page with cash',
    { debug: 'tickets_only' },
    { page: { tickets_only: false } },
  ],
  ['without a seed of the browser', {}, { fairness: { client_seed: null } }],
])('a play is no draw of its page: %s', async (_, options, changed) => {
  expect(await verdictOf(played(options), changed)).toBe('draw');
});

describe('the prizes that a page lists', () => {
  const named = (play: Played, prize_table_version: string) => {
    const said = { prize_table_version };
    return { ...play, page: { ...play.page, ...said }, fairness: { ...play.fairness, ...said } };
  };

  test.each(games)('are of a version of %s, said in full', async (game) => {
    const play = played({ game });
    const { version } = defaultPrizeTables[game];
    for (const other of [version.slice(0, -1), version.slice(0, game.length + 13), `${game}-2`, game])
      expect(await verdictOf(named(play, other))).toBe('odds');
  });

  const { prizes } = played().page;
  const [first, second, ...others] = prizes as [ListedPrize, ListedPrize, ...ListedPrize[]];
  test.each<[string, object[] | undefined]>([
    ['with other chances', [{ ...first, weight: 1 }, second, ...others]],
    ['with other amounts', [{ ...first, amount: 2 }, second, ...others]],
    ['with other labels', [{ ...first, label: { en: '1 car', es: '1 auto' } }, second, ...others]],
    ['in another order', [second, first, ...others]],
    ['with one that is not in it', [...prizes, { ...first, id: 'a-car' }]],
    ['with one left out', prizes.slice(1)],
    ['that are none', []],
    ['that are not there', undefined],
  ])('are not those of the table %s', async (_, listed) => {
    expect(await verdictOf(played(), { page: { prizes: listed } })).toBe('odds');
  });

  test('are of the game that is played', async () => {
    expect(await verdictOf(played(), { page: { game: 'truck' } })).toBe('odds');
  });

  test('may be spelled with their fields in any order', async () => {
    const turned = (value: object) => Object.fromEntries(Object.entries(value).reverse());
    const listed = prizes.map((prize) => ({ ...turned(prize), label: turned(prize.label) }));
    expect(await verdictOf(played(), { page: { prizes: listed } })).toBe('good');
  });
});
