/** An organization's settings for its play page. They have no influence on draws. */
import type { Item } from '../table/client.ts';
import { type Lang, langs } from '../vocabulary.ts';

/** The settings of a play page. Each is a text, empty if not set. */
export type PageSettings = { [lang in Lang as `rules_url_${lang}`]: string } & {
  /** Target of the button that leads back to the host: an https URL, or a link of its app. */
  return_url: string;
  /**
   * The origins that may frame the page and receive its messages, separated by spaces. If empty, any origin
   * may frame the page, and none receives messages.
   */
  frame_origins: string;
  brand_name: string;
  /** An https URL, or an image as a data URL. */
  brand_logo: string;
  /** Color of buttons. All colors are `#rrggbb`. */
  brand_accent: string;
  /** Color of the text on buttons. */
  brand_accent_text: string;
  /** Color of the page's background. */
  brand_background: string;
  /** Color of the text on the background. */
  brand_text: string;
};

export const pageSettingNames = [
  'return_url',
  'frame_origins',
  ...langs.map((lang) => `rules_url_${lang}` as const),
  'brand_name',
  'brand_logo',
  'brand_accent',
  'brand_accent_text',
  'brand_background',
  'brand_text',
] as const satisfies (keyof PageSettings)[];

/** Returns the page settings in a stored item; all are empty if there is no item. */
export const pageSettingsIn = (item: Item | undefined): PageSettings =>
  Object.fromEntries(pageSettingNames.map((name) => [name, item?.[name] ?? ''])) as PageSettings;

/** Returns the origins that may frame the page; empty if any origin may. */
export const frameOriginsIn = ({ frame_origins }: PageSettings): string[] =>
  frame_origins.split(' ').filter(Boolean);
