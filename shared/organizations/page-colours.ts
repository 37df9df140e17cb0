/** The colours of the play page: those that an organization has set, and what follows from them. Pure. */
import { contrast, contrastWithAll, leastContrast, mixed, nearestThat } from '../contrast.ts';
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

/** A colour that is drawn, what is behind it, and the contrast that it needs with all of that. */
type Drawn = { colour: string; behind: readonly string[]; least: number };

const isSeen = ({ colour, behind, least }: Drawn) => contrastWithAll(colour, behind) >= least;

function drawnOf(name: Judged, brand: BrandColours): Drawn {
  const { accents, accentText, backgrounds, text } = drawnColours(brand);
  if (name === 'brand_text') return { colour: text, behind: backgrounds, least: leastContrast.text };
  if (name === 'brand_accent_text') return { colour: accentText, behind: accents, least: leastContrast.text };
  // On the page's own backgrounds, which nobody chose, buttons that do not stand out get an edge.
  const behind = brand.brand_background ? backgrounds : [];
  return { colour: accents[0]!, behind, least: leastContrast.control };
}

/** What has to be seen: each depends on the ones before it, and on none after it. */
const judged = ['brand_text', 'brand_accent', 'brand_accent_text'] as const;
type Judged = (typeof judged)[number];

/** What is wrong with colours that would be set: which, the contrast that it has and needs, and what would do instead. */
export type ColourFault = {
  name: Judged;
  contrast: number;
  least: number;
  behind: string;
  /** With these in place nothing is wrong: the nearest to the first, and to what cannot be seen beside that. */
  remedy: { [name in Judged]?: string };
};

/** The first of an organization's colours that cannot be read or seen where the page draws it; undefined if all can. */
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
    // Black or white always does: a gradient leads away from its text, also from that of a remedy.
    remedy[name] = nearestThat((made) => isSeen(drawnOf(name, { ...mended, [name]: made })), colour)!;
  }
  return first && { ...first, remedy };
}
