import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyDraw, verifyPlace } from '../../functions/play/page/client/verify.ts';
import { coast, frictionFor } from '../../functions/play/page/client/wheel.ts';
import { html, jsonData } from '../../functions/play/page/html.ts';
import css from '../../functions/play/page/page.css?text';
import icons from '../../functions/play/page/scenes/icons.svg?text';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import type { Fairness, ListedPrize, Outcome } from '../../functions/play/page/view.ts';
import { leafHash, pathFrom, rootOver } from '../../shared/books/tree.ts';
import { commitmentTo, draw } from '../../shared/games/draw.ts';
import { games, prizeKinds } from '../../shared/vocabulary.ts';

const placeholders = (texts: object): unknown[] =>
  Object.entries(texts).map(([key, value]) =>
    typeof value === 'string' ? [key, (value.match(/\{\w+\}/g) ?? []).sort()] : [key, placeholders(value)],
  );

test.each(prizeKinds)('there is an icon for a prize of %s', (kind) => {
  expect(icons).toContain(`<symbol id="i-${kind}"`);
});

test.each(games)('the styles give the coin of the %s its place', (game) => {
  expect(css).toMatch(new RegExp(`\\[data-game="?${game}"?\\] \\.medal`));
});

test('each text has the same placeholders in both languages', () => {
  expect(placeholders(es)).toEqual(placeholders(en));
});

test('the wheel stands still after exactly the degrees asked for, from any speed it spins at', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 550, max: 620, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      (speed, more) => {
        const degrees = coast(speed, 46).degrees + more;
        expect(coast(speed, frictionFor(speed, degrees)).degrees).toBeCloseTo(degrees, 3);
        expect(coast(speed, frictionFor(speed, degrees)).seconds).toBeLessThan(8);
      },
    ),
  );
});

test('no text can leave its element, attribute or data', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('</script>', '<!--', '"><b>', "'", '&lt;'), (text, attack) => {
      const hostile = text + attack;
      expect(html`<p title="${hostile}">${hostile}</p>`.html.match(/[<>"']/g)).toHaveLength(6);
      const data = jsonData('data', { hostile }).html;
      expect(data.match(/[<>]/g)).toHaveLength(4);
      expect(JSON.parse(data.replace(/^<[^>]*>|<[^>]*>$/g, '')).hostile).toBe(hostile);
    }),
  );
});

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'));

const cash = (amount: number, weight: number, available: boolean): ListedPrize => ({
  id: `cash-${amount}`,
  kind: 'cash_usd',
  amount,
  weight,
  label: { en: '', es: '' },
  available,
});

test('the page draws the same prize as the service, and sees any other one', async () => {
  const versions = fc.constantFrom(1, 2);
  const weights = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      hex(32),
      hex(16),
      weights,
      versions,
      async (server_seed, client_seed, list, draw_version) => {
        const cashLeft = Math.ceil(list.length / 2);
        const prizes = list.map((weight, i) => cash(i + 1, weight, i < cashLeft));
        const commitment = commitmentTo(server_seed);
        const limits = { cashLeftUsd: cashLeft, ticketsOnly: false };
        const seeds = { serverSeed: server_seed, clientSeed: client_seed, spinIndex: 0 };
        const drawn = draw(prizes, limits, seeds, draw_version);
        const fairness: Fairness = {
          commitment,
          server_seed,
          client_seed,
          prize_table_version: '1',
          draw_version,
          prize_id: drawn.id,
          cash_left_usd: cashLeft,
          tickets_only: false,
        };
        expect(await verifyDraw(fairness, prizes, commitment)).toBe('good');
        const other = prizes.find(({ id }) => id !== drawn.id)!;
        expect(await verifyDraw({ ...fairness, prize_id: other.id }, prizes, commitment)).toBe('draw');
        expect(await verifyDraw(fairness, prizes, commitmentTo(client_seed))).toBe('seal');
        const limited = { ...fairness, cash_sequence: 3, cash_granted_usd: 7, cash_limit_usd: cashLeft + 7 };
        expect(await verifyDraw(limited, prizes, commitment)).toBe('good');
        for (const forged of [{ cash_granted_usd: 8 }, { cash_limit_usd: 500 }, { tickets_only: true }])
          expect(await verifyDraw({ ...limited, ...forged }, prizes, commitment)).toBe('limits');
      },
    ),
  );
});

test('the page finds an outcome where its book says, and nothing else there', async () => {
  const outcome = { id: 'out_1', timestamp: '2026-03-06T15:00:00.000Z', prize: { tickets: 3 } };
  const said = { ...outcome, client_seed: 'mine', prize_id: 'tickets-3' };
  const fairness = { client_seed: 'mine', prize_id: 'tickets-3' } as Fairness;
  for (const size of [1, 2, 3, 7, 8, 257]) {
    const lines = Array.from({ length: size }, (_, i) => JSON.stringify({ ...said, i }));
    const leaves = lines.map((line) => leafHash(line));
    const root = rootOver(leaves).toString('base64');
    for (const index of [0, Math.floor(size / 2), size - 1]) {
      const path = pathFrom(index, leaves).map((hash) => Buffer.from(hash).toString('base64'));
      const place = { day: '2026-03-06', index, size, root, path, line: lines[index]!, digest: '' };
      expect(await verifyPlace(place, outcome as unknown as Outcome, fairness)).toBe(true);
      const forged = [
        { ...place, line: lines[index]!.replace('mine', 'ours') },
        { ...place, line: lines[index]!.replace('"i":', '"i":1') },
        { ...place, size: size + 300 },
        { ...place, root: rootOver([]).toString('base64') },
        { ...place, path: [...path, root] },
      ];
      for (const other of forged)
        expect(await verifyPlace(other, outcome as unknown as Outcome, fairness)).toBe(false);
      const another = { ...outcome, prize: { tickets: 30 } } as unknown as Outcome;
      expect(await verifyPlace(place, another, fairness)).toBe(false);
    }
  }
});
