import { mixColors } from '../../../../shared/contrast.ts';
import { renderedColors } from '../../../../shared/organizations/page-colors.ts';
import type { PageSettings } from '../../../../shared/organizations/page-settings.ts';
import { type Html, html } from '../html.ts';
import { fillIn } from '../text.ts';
import type { Texts } from '../texts/en.ts';

/** CSS colors of translucent areas and borders if the host's background color is light. */
const onLight = ';--veil:rgb(255 255 255 / 0.5);--edge:rgb(0 0 0 / 0.22)';

export const brandCss = (page: PageSettings): string => {
  const { accents, accentText, backgrounds, text, isTextLight, isAccentSeen } = renderedColors(page);
  const [accent, background, deeper] = [accents[0]!, backgrounds[0]!, backgrounds[1]!];
  const ofButtons =
    page.brand_accent || page.brand_accent_text
      ? `:root{--accent-text:${accentText}${page.brand_accent && `;--accent:${accent};--accent-edge:${mixColors(accent, '#000000', 0.4)}`}${isAccentSeen ? `;--mark:${accent}` : `;--mark:${text};--ring:${text}`}}`
      : '';
  const ofTexts =
    page.brand_background || page.brand_text
      ? `:root{--on-page:${text};--soon:${text}${isTextLight ? '' : onLight}}`
      : '';
  const ofPage = page.brand_background
    ? `html{background:${deeper}}main#play{--sky:${background};--night:${deeper}}`
    : '';
  return ofButtons + ofTexts + ofPage;
};

export const brandMarkup = (page: PageSettings | undefined): Html | string => {
  if (!page?.brand_name) return '';
  const mark = page.brand_logo
    ? html`<img src="${page.brand_logo}" alt="${page.brand_name}">`
    : page.brand_name;
  return html`<p class="brand">${mark}</p>`;
};

/** Without a return URL, renders a hidden button, which the script shows if the host listens to messages. */
export const backButton = (page: PageSettings | undefined, texts: Texts): Html => {
  const name = page?.brand_name;
  const label = name ? fillIn(texts.back.named, { name }) : texts.back.plain;
  if (!page?.return_url)
    return html`<button class="go back" id="back" type="button" hidden>${label}</button>`;
  return html`<a class="go back" id="back" href="${page.return_url}" target="_top" rel="noreferrer">${label}</a>`;
};
