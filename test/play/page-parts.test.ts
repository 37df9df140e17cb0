import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyDraw } from '../../functions/play/page/client/verify.ts';
import { coast, frictionFor } from '../../functions/play/page/client/wheel.ts';
import { html, jsonData } from '../../functions/play/page/html.ts';
import css from '../../functions/play/page/page.css?text';
import icons from '../../functions/play/page/scenes/icons.svg?text';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import type { Fairness, ListedPrize } from '../../functions/play/page/view.ts';
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
