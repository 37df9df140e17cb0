import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrastRatio, leastContrast, nearestFittingColor } from '../../shared/contrast.ts';
import { colorFault, renderedColors } from '../../shared/organizations/page-colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
const unset = { brand_accent: '', brand_accent_text: '', brand_background: '', brand_text: '' };

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
  ['#ff0000', '#ffffff', 4],
  ['#123456', '#123456', 1],
])('the contrast of %s and %s is %d, as in other tools', (one, other, expected) => {
  expect(contrastRatio(one, other)).toBeCloseTo(expected, 2);
  expect(contrastRatio(other, one)).toBeCloseTo(expected, 2);
});

test('the nearest color has the required contrast, and is the color itself if that suffices', () => {
  fc.assert(
    fc.property(color, color, (one, other) => {
      const found = nearestFittingColor((made) => contrastRatio(made, other) >= 4.5, one)!;
      expect(contrastRatio(found, other)).toBeGreaterThanOrEqual(4.5);
      if (contrastRatio(one, other) >= 4.5) expect(found).toBe(one);
    }),
  );
});

describe('the colors of the page', () => {
  test('are accepted if none is set', () => {
    expect(colorFault(unset)).toBeUndefined();
  });

  test('are readable if only the backgrounds are set, whatever they are', () => {
    fc.assert(
      fc.property(color, color, (brand_accent, brand_background) => {
        const brand = { ...unset, brand_accent, brand_background };
        const { accents, accentText, backgrounds, text } = renderedColors(brand);
        expect(leastContrast(text, backgrounds)).toBeGreaterThanOrEqual(4.5);
        expect(leastContrast(accentText, accents)).toBeGreaterThanOrEqual(4.5);
        expect(colorFault(brand)?.name ?? 'brand_accent').toBe('brand_accent');
      }),
    );
  });

  test('are refused with a suggestion that is accepted and changes no more than necessary', () => {
    const maybe = fc.oneof(color, fc.constant(''));
    fc.assert(
      fc.property(maybe, maybe, maybe, maybe, (...colors) => {
        const [brand_accent, brand_accent_text, brand_background, brand_text] = colors;
        const brand = { brand_accent, brand_accent_text, brand_background, brand_text };
        const fault = colorFault(brand);
        if (!fault) return;
        expect(fault.remedy).toHaveProperty(fault.name);
        expect(colorFault({ ...brand, ...fault.remedy })).toBeUndefined();
        for (const name of Object.keys(fault.remedy)) {
          const rest = { ...fault.remedy, [name]: brand[name as keyof typeof brand] };
          expect(colorFault({ ...brand, ...rest })).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['#808080', '#ffffff', '#000000', { brand_text: '#171717' }],
    ['#777777', '#888888', '#392d10', { brand_text: '#060606' }],
    // With dark text, the gradient's lower end is lighter. The white accent lacks contrast there, so the suggestion
    // changes it too.
    ['#808080', '#ffffff', '#ffffff', { brand_text: '#171717', brand_accent: '#373737' }],
  ])(
    'of %s behind %s and %s, which suits neither end, get a suggestion that inverts the gradient',
    (...[background, text, accent, remedy]) => {
      const brand = { ...unset, brand_background: background, brand_text: text, brand_accent: accent };
      expect(colorFault(brand)).toMatchObject({ name: 'brand_text', remedy });
    },
  );
});
