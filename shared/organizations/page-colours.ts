/** The colours of the play page: those that an organization has set, and what follows from them. Pure. */
import { contrast, contrastWithAll, leastContrast, mixed, nearestWith } from '../contrast.ts';
import type { PageSettings } from './page-settings.ts';

/** What is drawn unless something else is set: both ends of each gradient, of `base.css` and `panel.css`. */
const usual = {
  accents: ['#ffc94a', '#ffad12'],
  accentText: '#1c1533',
  backgrounds: ['#24376b', '#10182f', '#7c2348', '#260f2b', '#17619f', '#0a2a4d'],
  text: '#fff6e2',
};

const [black, white] = ['#000000', '#ffffff'];

/** A colour to write with: the usual one if it can be read, else another. Against one colour, black or white always can. */
const readableOn = (backgrounds: readonly string[], first: string) =>
  [first, usual.accentText, white, black].find(
    (colour) => contrastWithAll(colour, backgrounds) >= leastContrast.text,
  ) ?? first;

type BrandColours = Pick<
  PageSettings,
  'brand_accent' | 'brand_accent_text' | 'brand_background' | 'brand_text'
>;

/** What the page is drawn with. Where it has a gradient, both ends: that of a set background leads away from its text. */
export function drawnColours(brand: BrandColours) {
  const { brand_accent, brand_accent_text, brand_background, brand_text } = brand;
  const accents = brand_accent ? [brand_accent] : usual.accents;
  const text =
    brand_text || readableOn(brand_background ? [brand_background] : usual.backgrounds, usual.text);
  const isTextLight = contrast(text, black) > contrast(brand_background || usual.backgrounds[0]!, black);
  const backgrounds = brand_background
    ? [brand_background, mixed(brand_background, isTextLight ? black : white, 0.35)]
    : usual.backgrounds;
  const accentText = brand_accent_text || readableOn(accents, usual.accentText);
  const isAccentSeen = contrastWithAll(accents[0]!, backgrounds) >= leastContrast.control;
  return { accents, accentText, backgrounds, text, isTextLight, isAccentSeen };
}

/** What is wrong with colours that would be set: which, the contrast that it has and needs, and one that would do. */
export type ColourFault = {
  name: keyof BrandColours;
  contrast: number;
  least: number;
  behind: string;
  nearest: string | undefined;
};

/** The first of an organization's colours that cannot be read or seen where the page draws it; undefined if all can. */
export function colourFault(brand: BrandColours): ColourFault | undefined {
  const { accents, accentText, backgrounds, text } = drawnColours(brand);
  const drawn = [
    ['brand_text', text, backgrounds, leastContrast.text],
    ['brand_accent_text', accentText, accents, leastContrast.text],
    ['brand_accent', accents[0]!, backgrounds, leastContrast.control],
  ] as const;
  for (const [name, colour, behind, least] of drawn) {
    // On the page's own backgrounds, which nobody chose, buttons that do not stand out get an edge.
    if (name === 'brand_accent' && !brand.brand_background) continue;
    if (contrastWithAll(colour, behind) >= least) continue;
    const worst = behind.toSorted((a, b) => contrast(colour, a) - contrast(colour, b))[0]!;
    const nearest = nearestWith(colour, behind, least);
    return { name, contrast: contrast(colour, worst), least, behind: worst, nearest };
  }
  return undefined;
}
