import { type Loader, transformSync } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import flight from '../../functions/play/page/client/games/flight.ts?text';
import prizewheel from '../../functions/play/page/client/games/prizewheel.ts?text';
import truck from '../../functions/play/page/client/games/truck.ts?text';
import { coast, frictionToStopAfter } from '../../functions/play/page/client/wheel.ts';
import { html, jsonScript } from '../../functions/play/page/html.ts';
import css from '../../functions/play/page/page.css?text';
import icons from '../../functions/play/page/scenes/icons.svg?text';
import {
  formatDollars,
  formatNumber,
  formatPercent,
  formatRounded,
  plural,
} from '../../functions/play/page/text.ts';
import { textsByLang } from '../../functions/play/page/texts/languages.ts';
import type { Outcome } from '../../functions/play/page/view.ts';
import { winOf } from '../../functions/play/page/won.ts';
import { en as demoEnglish } from '../../infra/develop/demo/page/texts/en.ts';
import { es as demoSpanish } from '../../infra/develop/demo/page/texts/es.ts';
import { failureTexts } from '../../shared/api/failure-page.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { games, type Lang, langs, type PrizeKind, prizeKinds } from '../../shared/vocabulary.ts';

const prizeTexts = (lang: Lang) =>
  games.map((game) =>
    defaultPrizeTables[game].prizes.map(({ label, details }) => [label[lang], details?.[lang] ?? '']),
  );
const translated: [string, Record<Lang, object>][] = [
  ['play page', textsByLang],
  ['failure page', failureTexts],
  ['default prizes', { en: prizeTexts('en'), es: prizeTexts('es') }],
  ['demo', { en: demoEnglish, es: demoSpanish }],
];

/** Returns all texts by their path, such as `balance.label`. */
const flat = (texts: object, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );

const outcomeOf = (kind: PrizeKind, amount: number): Outcome => ({
  id: '',
  user_id: '',
  game: 'prizewheel',
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
  ['js', prizewheel],
  ['js', truck],
  ['js', flight],
  ['css', css],
])('the page’s %s uses no syntax newer than Chrome 80, Safari 14.1 and Firefox 80', (loader, source) => {
  const compiledFor = (target: string[]) => transformSync(source, { loader, target }).code;
  const oldest = compiledFor(['es2020', 'chrome80', 'safari14.1', 'firefox80']);
  expect(oldest === compiledFor(['esnext'])).toBe(true);
});

// A text whose placeholders are swapped would say that a game costs what the player has.
test.each(translated)(
  'each Spanish text of the %s has the placeholders of the English one',
  (_, { en, es }) => {
    const placeholders = (texts: object) => flat(texts).map(([path, text]) => [path, text.match(/\{\w+\}/g)]);
    expect(placeholders(es)).toEqual(placeholders(en));
  },
);

test.each(translated)('no Spanish text of the %s is the English one', (_, { en, es }) => {
  const sameInBoth = ['', 'Streaming', 'Golondrina'];
  const english = new Map(flat(en));
  const untranslated = flat(es).filter(([path, text]) => english.get(path) === text);
  expect(untranslated.filter(([, text]) => !sameInBoth.includes(text))).toEqual([]);
});

describe.each(langs)('prize names in %s', (lang) => {
  const texts = textsByLang[lang];
  const prizes = games.flatMap((game) => defaultPrizeTables[game].prizes);

  test.each(prizeKinds)(
    'a won prize of kind %s has the label of its default prize, unlike prizes of other kinds',
    (kind) => {
      const [own, others] = [true, false].map((isOwn) => prizes.filter((of) => (of.kind === kind) === isOwn));
      for (const { amount, label, details } of own!) {
        expect(winOf(lang, texts, outcomeOf(kind, amount), []).label).toBe(label[lang]);
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
    formatNumber(lang, 12_345),
    formatRounded(lang, 1234.5),
    formatDollars(lang, 12_345),
    formatPercent(lang, 0.123),
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
        expect(coast(speed, frictionToStopAfter(speed, degrees)).degrees).toBeCloseTo(degrees, 3);
        expect(coast(speed, frictionToStopAfter(speed, degrees)).seconds).toBeLessThan(8);
      },
    ),
  );
});

test('no text can break out of its element, attribute or JSON', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('</script>', '<!--', '"><b>', "'", '&lt;'), (text, attack) => {
      const hostile = text + attack;
      expect(html`<p title="${hostile}">${hostile}</p>`.html.match(/[<>"']/g)).toHaveLength(6);
      const data = jsonScript('data', { hostile }).html;
      expect(data.match(/[<>]/g)).toHaveLength(4);
      expect(JSON.parse(data.replace(/^<[^>]*>|<[^>]*>$/g, '')).hostile).toBe(hostile);
    }),
  );
});
