import { type Loader, transformSync } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import script from '../../functions/play/page/client/main.ts?text';
import { coast, frictionFor } from '../../functions/play/page/client/wheel.ts';
import { html, jsonData } from '../../functions/play/page/html.ts';
import css from '../../functions/play/page/page.css?text';
import icons from '../../functions/play/page/scenes/icons.svg?text';
import { dollars, number, percent, plural, roundNumber } from '../../functions/play/page/text.ts';
import { en } from '../../functions/play/page/texts/en.ts';
import { textsOf } from '../../functions/play/page/texts/languages.ts';
import type { Outcome } from '../../functions/play/page/view.ts';
import { wonPrize } from '../../functions/play/page/won.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { games, langs, type PrizeKind, prizeKinds } from '../../shared/vocabulary.ts';

const placeholders = (texts: object): unknown[] =>
  Object.entries(texts).map(([key, value]) =>
    typeof value === 'string' ? [key, value.match(/\{\w+\}/g)] : [key, placeholders(value)],
  );

const outcomeOf = (kind: PrizeKind, amount: number): Outcome => ({
  id: '',
  user_id: '',
  play_type: 'regular',
  prize: { [kind]: amount },
  timestamp: '',
  result_effective_date: '',
});

test.each(prizeKinds)('the page has an icon for a prize of %s', (kind) => {
  expect(icons).toContain(`<symbol id="i-${kind}"`);
});

test.each(games)('the styles position the medal of %s', (game) => {
  const isStyled = new RegExp(`\\[data-game="?${game}"?\\] \\.medal`).test(css);
  expect(isStyled, `stage.css has no rule for [data-game="${game}"] .medal`).toBe(true);
});

test.each<[Loader, string]>([
  ['js', script],
  ['css', css],
])('the page’s %s uses no syntax newer than Chrome 80, Safari 14.1 and Firefox 80', (loader, source) => {
  const compiledFor = (target: string[]) => transformSync(source, { loader, target }).code;
  const oldest = compiledFor(['es2020', 'chrome80', 'safari14.1', 'firefox80']);
  expect(oldest === compiledFor(['esnext'])).toBe(true);
});

// A text whose placeholders are swapped would say that a game costs what the player has.
test.each(langs)('each text in %s has the placeholders of the English one, in its order', (lang) => {
  expect(placeholders(textsOf[lang])).toEqual(placeholders(en));
});

describe.each(langs)('prize names in %s', (lang) => {
  const texts = textsOf[lang];
  const prizes = games.flatMap((game) => defaultPrizeTables[game].prizes);

  test.each(prizeKinds)(
    'a won prize of kind %s has the label of its default prize, unlike prizes of other kinds',
    (kind) => {
      const [own, others] = [true, false].map((isOwn) => prizes.filter((of) => (of.kind === kind) === isOwn));
      for (const { amount, label, details } of own!) {
        expect(wonPrize(lang, texts, outcomeOf(kind, amount), []).label).toBe(label[lang]);
        expect(others!.map((other) => other.label[lang])).not.toContain(label[lang]);
        expect(others!.map((other) => other.details?.[lang])).not.toContain(details?.[lang]);
      }
    },
  );

  test.each(Object.entries(texts.short))(
    'the wheel’s short name of %s has only words of the label',
    (kind, short) => {
      const { label } = prizes.find((prize) => prize.kind === kind)!;
      for (const word of short.toLowerCase().split(' ')) expect(label[lang].toLowerCase()).toContain(word);
    },
  );
});

test.each(langs)('numbers in %s look as in the United States', (lang) => {
  const formatted = [
    number(lang, 12_345),
    roundNumber(lang, 1234.5),
    dollars(lang, 12_345),
    percent(lang, 0.123),
  ];
  expect(formatted).toEqual(['12,345', '1,235', '$12,345', '12.3%']);
  expect(plural(lang, { one: '', other: '{n}' }, 1234)).toBe('1,234');
});

test('the wheel stops after exactly the given degrees, from any speed', () => {
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

test('no text can break out of its element, attribute or JSON', () => {
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
