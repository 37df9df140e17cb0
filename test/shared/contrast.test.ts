import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, contrastWithAll, nearestWith } from '../../shared/contrast.ts';
import { colourFault, drawnColours } from '../../shared/organizations/page-colours.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
const unset = { brand_accent: '', brand_accent_text: '', brand_background: '', brand_text: '' };

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
  ['#ff0000', '#ffffff', 4],
  ['#123456', '#123456', 1],
])('the contrast of %s and %s is %d, as others count it', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 2);
  expect(contrast(other, one)).toBeCloseTo(expected, 2);
});

test('the nearest colour has the contrast, and is the colour itself if that has it', () => {
  fc.assert(
    fc.property(colour, colour, (one, other) => {
      const found = nearestWith(one, [other], 4.5)!;
      expect(contrast(found, other)).toBeGreaterThanOrEqual(4.5);
      if (contrast(one, other) >= 4.5) expect(found).toBe(one);
    }),
  );
});

describe('the colours of the page', () => {
  test('are right if none is set', () => {
    expect(colourFault(unset)).toBeUndefined();
  });

  test('can be read if only those behind texts are set, whatever these are', () => {
    fc.assert(
      fc.property(colour, colour, (brand_accent, brand_background) => {
        const brand = { ...unset, brand_accent, brand_background };
        const { accents, accentText, backgrounds, text } = drawnColours(brand);
        expect(contrastWithAll(text, backgrounds)).toBeGreaterThanOrEqual(4.5);
        expect(contrastWithAll(accentText, accents)).toBeGreaterThanOrEqual(4.5);
        expect(colourFault(brand)?.name ?? 'brand_accent').toBe('brand_accent');
      }),
    );
  });

  test('that are refused would be right with the nearest in place', () => {
    fc.assert(
      fc.property(colour, colour, colour, (brand_accent, brand_accent_text, brand_text) => {
        const brand = { ...unset, brand_accent, brand_accent_text, brand_text };
        const fault = colourFault(brand);
        if (!fault?.nearest) return;
        expect(colourFault({ ...brand, [fault.name]: fault.nearest })?.name).not.toBe(fault.name);
      }),
    );
  });
});
