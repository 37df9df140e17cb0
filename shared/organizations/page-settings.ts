/** What an organization may set about the page of its play URLs: it is the host's page. Draws know nothing of it. */
import type { Item } from '../table/client.ts';
import { type Lang, langs } from '../vocabulary.ts';

/** Each a text, and empty if it is not set. */
export type PageSettings = { [lang in Lang as `rules_url_${lang}`]: string } & {
  /** Where the page leads back to: an https URL, or an app's link. */
  return_url: string;
  /** The origins that may frame the page and are told what happens in it, with spaces between them. Empty: any may, and none is. */
  frame_origins: string;
  brand_name: string;
  /** An https URL, or an image as a data URL. */
  brand_logo: string;
  /** Colours as `#rrggbb`: of buttons and what is written on them, of the page and what is written on it. */
  brand_accent: string;
  brand_accent_text: string;
  brand_background: string;
  brand_text: string;
};

/** The names of all that can be set. */
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

/** The page's settings, of the item that holds them if there is one. */
export const pageSettingsIn = (item: Item | undefined): PageSettings =>
  Object.fromEntries(pageSettingNames.map((name) => [name, item?.[name] ?? ''])) as PageSettings;

/** The origins that may frame the page; none if any may. */
export const frameOriginsIn = ({ frame_origins }: PageSettings): string[] =>
  frame_origins.split(' ').filter(Boolean);
