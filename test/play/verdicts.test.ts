import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DrawVerdict, verifyDraw } from '../../functions/play/page/client/verify.ts';
import type { Fairness, ListedPrize, Outcome } from '../../functions/play/page/view.ts';
import { commitmentTo, draw } from '../../shared/games/draw.ts';
import { defaultPrizeTables, type Prize, versionOfPrizes } from '../../shared/games/prize-tables.ts';
import { playRulesOf, prizesInDraw } from '../../shared/games/rules.ts';
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

/** Returns an honest play: the play page's data before it, the outcome, and the fairness fields. */
function played({ game = 'prizewheel', ...options }: Options = {}) {
  const { prizes = defaultPrizeTables[game].prizes } = options;
  const { left = 500, debug, server_seed = '5e'.repeat(32), client_seed = 'mine' } = options;
  const rules = playRulesOf(debug);
  const budgets = rules.isBudgeted ? { cash: { grants: 3, granted: 7, limit: left + 7 } } : undefined;
  const seeds = { serverSeed: server_seed, clientSeed: client_seed, spinIndex: 0 };
  const prize = draw(prizesInDraw(prizes, budgets, debug), seeds);
  const commitment = commitmentTo(server_seed);
  const page = {
    game,
    state: 'ready' as const,
    prizes: prizes.map((one): ListedPrize => ({ ...one, available: true })),
    tickets_only: rules.isTicketsOnly(prizes, budgets ?? {}),
    prize_table_version: versionOfPrizes(game, prizes),
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
/** Returns the page's verdict on a play. `changed` replaces fields of the page, the outcome or the fairness fields. */
const verdictOf = (
  { page, outcome, fairness }: Played,
  changed: { page?: object; outcome?: object; fairness?: object } = {},
): Promise<DrawVerdict> =>
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

test('the page draws the same prize as the service and detects any other', async () => {
  // A prize of weight 0 is listed, but not in the draw.
  const others = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 19 });
  const weights = fc.tuple(fc.integer({ min: 1, max: 5_000 }), others).map((all) => all.flat());
  await fc.assert(
    fc.asyncProperty(hex(32), hex(16), weights, async (server_seed, client_seed, list) => {
      const [prizes, left] = [prizesOf(list), Math.ceil(list.length / 2)];
      const play = played({ prizes, left, server_seed, client_seed });
      expect(await verdictOf(play)).toBe('good');
      const other = prizes.find(({ id }) => id !== play.fairness.prize_id)!;
      expect(await verdictOf(play, { fairness: { prize_id: other.id } })).toBe('draw');
      expect(await verdictOf(play, { page: { commitment: commitmentTo(client_seed) } })).toBe(
        'otherCommitment',
      );
    }),
  );
});

test.each<Options>([{ debug: 'jackpot' }, { debug: 'tickets_only' }, { left: 0 }])(
  'the page accepts a play of %j',
  async (options) => {
    expect(await verdictOf(played(options))).toBe('good');
  },
);

test.each([
  ['another amount', { tickets: 999 }],
  ['another kind', { cash_usd: 100 }],
  ['more than was drawn', { cash_usd: 100, tickets: 1 }],
  ['nothing', {}],
  ['an unreadable prize', null],
])('the page detects an outcome that awards %s', async (_, prize) => {
  expect(await verdictOf(played({ left: 0 }), { outcome: { prize } })).toBe('draw');
});

describe('the page refuses impossible budgets:', () => {
  const cash = { grants: 3, granted: 7, limit: 507 };

  test.each<[string, Options, unknown]>([
    ['none for an ordinary play', {}, undefined],
    ['null', {}, null],
    ['no granted cash', {}, { cash: { ...cash, granted: undefined } }],
    ['a limit that is not a number', {}, { cash: { ...cash, limit: '507' } }],
    ['a fractional amount', {}, { cash: { ...cash, granted: 0.5 } }],
    ['wins without a limit', {}, { cash, wins: { granted: 1 } }],
    ['a stock for a table without stock', {}, { cash, stock: { grants: 0 } }],
    ['cash for a jackpot', { debug: 'jackpot' }, { cash }],
  ])('%s', async (_, options, budgets) => {
    expect(await verdictOf(played(options), { fairness: { budgets } })).toBe('draw');
  });

  test.each<[string, object]>([
    ['an unlimited prize listed as out of stock', { grants: 0, out: ['cash-2'] }],
    ['a serial number for a prize without stock', { grants: 0, number: 1 }],
    ['no stock', {}],
  ])('%s, for a table with a stock', async (_, stock) => {
    const prizes = prizesOf([1, 1]).map((prize, i) => (i === 0 ? { ...prize, stock: 5, weight: 0 } : prize));
    const play = played({ prizes });
    const budgets = { ...play.fairness.budgets, stock: { grants: 0 } };
    expect(await verdictOf(play, { fairness: { budgets } })).toBe('good');
    const forged = { ...budgets, stock: Object.keys(stock).length > 0 ? stock : undefined };
    expect(await verdictOf(play, { fairness: { budgets: forged } })).toBe('draw');
  });

  test.each<[string, Options, object]>([
    ['available cash is denied', {}, { cash: { ...cash, granted: 507 } }],
    ['used-up cash is in the draw', { left: 0 }, { cash }],
  ])('if %s, the draw differs', async (_, options, budgets) => {
    // Tries several seeds, because with some seeds the changed set of prizes leads to the same prize.
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
    'a debug play for tickets on a page with cash',
    { debug: 'tickets_only' },
    { page: { tickets_only: false } },
  ],
  ['without a client seed', {}, { fairness: { client_seed: null } }],
])('the page detects a play that is %s', async (_, options, changed) => {
  expect(await verdictOf(played(options), changed)).toBe('draw');
});

describe('the prizes listed on a page', () => {
  const named = (play: Played, prize_table_version: string) => {
    const version = { prize_table_version };
    return { ...play, page: { ...play.page, ...version }, fairness: { ...play.fairness, ...version } };
  };

  test.each(games)('must match the complete version of %s', async (game) => {
    const play = played({ game });
    const { version } = defaultPrizeTables[game];
    for (const other of [version.slice(0, -1), version.slice(0, game.length + 13), `${game}-2`, game])
      expect(await verdictOf(named(play, other))).toBe('odds');
  });

  const { prizes } = played().page;
  const [first, second, ...others] = prizes as [ListedPrize, ListedPrize, ...ListedPrize[]];
  test.each<[string, object[] | undefined]>([
    ['with other weights', [{ ...first, weight: 1 }, second, ...others]],
    ['with other amounts', [{ ...first, amount: 2 }, second, ...others]],
    ['with other labels', [{ ...first, label: { en: '1 car', es: '1 auto' } }, second, ...others]],
    ['in another order', [second, first, ...others]],
    ['with an additional prize', [...prizes, { ...first, id: 'a-car' }]],
    ['with a prize left out', prizes.slice(1)],
    ['that are empty', []],
    ['that are missing', undefined],
  ])('do not match the table %s', async (_, listed) => {
    expect(await verdictOf(played(), { page: { prizes: listed } })).toBe('odds');
  });

  test('must be those of the game played', async () => {
    expect(await verdictOf(played(), { page: { game: 'truck' } })).toBe('odds');
  });

  test('can have their fields in any order', async () => {
    const turned = (value: object) => Object.fromEntries(Object.entries(value).reverse());
    const listed = prizes.map((prize) => ({ ...turned(prize), label: turned(prize.label) }));
    expect(await verdictOf(played(), { page: { prizes: listed } })).toBe('good');
  });
});
