import type { Item } from '../table/client.ts';
import { type Lang, langs } from '../vocabulary.ts';

type OfLang = 'rules_url' | 'free_entry' | 'free_entry_url';
/** Every setting is a string, which is empty if it is not set. */
/** Every setting is a string, which is empty if it is not set. */
export type PageSettings = { [name in `${OfLang}_${Lang}`]: string } & {
  return_url: string;
  /** Separated by spaces. If empty, every origin may frame the page, and none gets messages. */
  frame_origins: string;
  brand_name: string;
  brand_logo: string;
  /** Color of buttons, as `#rrggbb`. */
  brand_accent: string;
  /** Color of the text on buttons, as `#rrggbb`. */
  brand_accent_text: string;
  /** Color of the page's background, as `#rrggbb`. */
  brand_background: string;
  /** Color of the text on the page's background, as `#rrggbb`. */
  brand_text: string;
};

export const pageSettingNames = [
  'return_url',
  'frame_origins',
  ...langs.map((lang) => `rules_url_${lang}` as const),
  ...langs.map((lang) => `free_entry_${lang}` as const),
  ...langs.map((lang) => `free_entry_url_${lang}` as const),
  'brand_name',
  'brand_logo',
  'brand_accent',
  'brand_accent_text',
  'brand_background',
  'brand_text',
] as const satisfies (keyof PageSettings)[];

/** Without an item, every setting is an empty string. */
export const pageSettingsIn = (item: Item | undefined): PageSettings =>
  Object.fromEntries(pageSettingNames.map((name) => [name, item?.[name] ?? ''])) as PageSettings;

/** An empty list allows every origin. */
export const frameOriginsIn = ({ frame_origins }: PageSettings): string[] =>
  frame_origins.split(' ').filter(Boolean);
