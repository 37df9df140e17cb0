/** Colors of the play page, computed from an organization's settings. Pure. */
import { contrast, contrastWithAll, minimumContrast, mixed, nearestFitting } from '../contrast.ts';
import type { PageSettings } from './page-settings.ts';

/** Default colors, as in `base.css` and `panel.css`. A gradient is listed as the colors of its two ends. */
const defaults = {
  accents: ['#ffc94a', '#ffad12'],
  accentText: '#1c1533',
  backgrounds: ['#24376b', '#10182f', '#7c2348', '#260f2b', '#17619f', '#0a2a4d'],
  text: '#fff6e2',
};

const [black, white] = ['#000000', '#ffffff'];

/**
 * Returns a readable text color: the preferred one if its contrast is sufficient, else the default dark text,
 * white or black. On a single background, black or white is always sufficient.
 */
const readableOn = (backgrounds: readonly string[], preferred: string) =>
  [preferred, defaults.accentText, white, black].find(
    (colour) => contrastWithAll(colour, backgrounds) >= minimumContrast.text,
  ) ?? preferred;

type BrandColours = Pick<
  PageSettings,
  'brand_accent' | 'brand_accent_text' | 'brand_background' | 'brand_text'
>;

/**
 * Returns the colors of the page, with both ends of each gradient. If the organization sets a background, the
 * gradient starts at that color and runs away from the brightness of the text, so that the contrast only
 * increases.
 */
export function drawnColours(brand: BrandColours) {
  const { brand_accent, brand_accent_text, brand_background, brand_text } = brand;
  const accents = brand_accent ? [brand_accent] : defaults.accents;
  const text =
    brand_text || readableOn(brand_background ? [brand_background] : defaults.backgrounds, defaults.text);
  const isTextLight = contrast(text, black) > contrast(brand_background || defaults.backgrounds[0]!, black);
  const backgrounds = brand_background
    ? [brand_background, mixed(brand_background, isTextLight ? black : white, 0.35)]
    : defaults.backgrounds;
  const accentText = brand_accent_text || readableOn(accents, defaults.accentText);
  const isAccentSeen = contrastWithAll(accents[0]!, backgrounds) >= minimumContrast.control;
  return { accents, accentText, backgrounds, text, isTextLight, isAccentSeen };
}

/** A color, the colors behind it, and the minimum contrast with each of them. */
type Drawn = { colour: string; behind: readonly string[]; least: number };

const isSeen = ({ colour, behind, least }: Drawn) => contrastWithAll(colour, behind) >= least;

function drawnOf(name: Judged, brand: BrandColours): Drawn {
  const { accents, accentText, backgrounds, text } = drawnColours(brand);
  if (name === 'brand_text') return { colour: text, behind: backgrounds, least: minimumContrast.text };
  if (name === 'brand_accent_text')
    return { colour: accentText, behind: accents, least: minimumContrast.text };
  // No check against the default backgrounds: there, the page outlines buttons of low contrast.
  const behind = brand.brand_background ? backgrounds : [];
  return { colour: accents[0]!, behind, least: minimumContrast.control };
}

/** The settings whose contrast is checked. The colors behind a setting depend only on earlier settings. */
const judged = ['brand_text', 'brand_accent', 'brand_accent_text'] as const;
type Judged = (typeof judged)[number];

/** A color with too little contrast: the setting, its contrast, the minimum, and the color behind it. */
export type ColourFault = {
  name: Judged;
  contrast: number;
  least: number;
  behind: string;
  /** The nearest colors with enough contrast, for this setting and for later ones that would fail with it. */
  remedy: { [name in Judged]?: string };
};

/**
 * Returns the first setting whose color has too little contrast, with a remedy; undefined if there is none.
 */
export function colourFault(brand: BrandColours): ColourFault | undefined {
  let first: Omit<ColourFault, 'remedy'> | undefined;
  const remedy: ColourFault['remedy'] = {};
  for (const name of judged) {
    const mended = { ...brand, ...remedy };
    const drawn = drawnOf(name, mended);
    if (isSeen(drawn)) continue;
    const { colour, behind, least } = drawn;
    const worst = behind.toSorted((a, b) => contrast(colour, a) - contrast(colour, b))[0]!;
    first ??= { name, contrast: contrast(colour, worst), least, behind: worst };
    // Always found, because black or white has enough contrast with any background and its gradient.
    remedy[name] = nearestFitting((made) => isSeen(drawnOf(name, { ...mended, [name]: made })), colour)!;
  }
  return first && { ...first, remedy };
}
