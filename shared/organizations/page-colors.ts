import {
  contrastRatio,
  leastContrast,
  minimumContrast,
  mixColors,
  nearestFittingColor,
} from '../contrast.ts';
import type { PageSettings } from './page-settings.ts';

/** Default colors, equal to those in `base.css` and `panel.css`. */
const defaults = {
  accents: ['#ffc94a', '#ffad12'],
  accentText: '#1c1533',
  backgrounds: ['#24376b', '#10182f', '#7c2348', '#260f2b', '#17619f', '#0a2a4d'],
  text: '#fff6e2',
};

const [black, white] = ['#000000', '#ffffff'];

const readableOn = (backgrounds: readonly string[], preferred: string) =>
  [preferred, defaults.accentText, white, black].find(
    (color) => leastContrast(color, backgrounds) >= minimumContrast.text,
  ) ?? preferred;

type BrandColors = Pick<
  PageSettings,
  'brand_accent' | 'brand_accent_text' | 'brand_background' | 'brand_text'
>;

export function renderedColors(brand: BrandColors) {
  const { brand_accent, brand_accent_text, brand_background, brand_text } = brand;
  const accents = brand_accent ? [brand_accent] : defaults.accents;
  const text =
    brand_text || readableOn(brand_background ? [brand_background] : defaults.backgrounds, defaults.text);
  const isTextLight =
    contrastRatio(text, black) > contrastRatio(brand_background || defaults.backgrounds[0]!, black);
  // The gradient gets darker behind light text and lighter behind dark text, so that the contrast only increases.
  const backgrounds = brand_background
    ? [brand_background, mixColors(brand_background, isTextLight ? black : white, 0.35)]
    : defaults.backgrounds;
  const accentText = brand_accent_text || readableOn(accents, defaults.accentText);
  const isAccentSeen = leastContrast(accents[0]!, backgrounds) >= minimumContrast.control;
  return { accents, accentText, backgrounds, text, isTextLight, isAccentSeen };
}

/**
 * A color, the colors behind it (`behind`), and its minimum contrast ratio with each of them
 * (`minContrast`).
 */
type DrawnColor = { color: string; behind: readonly string[]; minContrast: number };

const isSeen = ({ color, behind, minContrast }: DrawnColor) => leastContrast(color, behind) >= minContrast;

function drawnOf(name: CheckedColor, brand: BrandColors): DrawnColor {
  const { accents, accentText, backgrounds, text } = renderedColors(brand);
  if (name === 'brand_text') return { color: text, behind: backgrounds, minContrast: minimumContrast.text };
  if (name === 'brand_accent_text')
    return { color: accentText, behind: accents, minContrast: minimumContrast.text };
  // Does not check buttons on the default background, because the page draws an outline around buttons with
  // low contrast.
  const behind = brand.brand_background ? backgrounds : [];
  return { color: accents[0]!, behind, minContrast: minimumContrast.control };
}

/** In the order of the checks: the colors behind a setting depend only on earlier settings. */
const checkedColors = ['brand_text', 'brand_accent', 'brand_accent_text'] as const;
type CheckedColor = (typeof checkedColors)[number];

/** A setting (`name`) whose contrast with the color `behind` is below `minContrast`. */
type ColorFault = {
  name: CheckedColor;
  contrast: number;
  minContrast: number;
  behind: string;
  /** For `name` and each later setting that must change too: the nearest color with enough contrast. */
  remedy: { [name in CheckedColor]?: string };
};

export function colorFault(brand: BrandColors): ColorFault | undefined {
  let first: Omit<ColorFault, 'remedy'> | undefined;
  const remedy: ColorFault['remedy'] = {};
  for (const name of checkedColors) {
    const mended = { ...brand, ...remedy };
    const drawn = drawnOf(name, mended);
    if (isSeen(drawn)) continue;
    const { color, behind, minContrast } = drawn;
    const worst = behind.toSorted((a, b) => contrastRatio(color, a) - contrastRatio(color, b))[0]!;
    first ??= { name, contrast: contrastRatio(color, worst), minContrast, behind: worst };
    // `nearestFittingColor` always finds a color here, because black or white has enough contrast with any
    // background and its gradient.
    remedy[name] = nearestFittingColor((made) => isSeen(drawnOf(name, { ...mended, [name]: made })), color)!;
  }
  return first && { ...first, remedy };
}
