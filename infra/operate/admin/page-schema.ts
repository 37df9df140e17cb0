import * as z from 'zod/mini';
import { text } from '../../../shared/api/schemas.ts';
import { validate } from '../../../shared/api/validate.ts';
import type { PageSettings } from '../../../shared/organizations/page-settings.ts';
import { langs } from '../../../shared/vocabulary.ts';
import { isImageData } from './logo.ts';

/** Maximum number of origins that may embed the play page in a frame. */
export const maxOrigins = 10;

/**
 * Maximum length of a logo. A play page reads the logo from one DynamoDB key, which serves 3,000 blocks of 4 KB (about
 * 1,000 logos) per second.
 */
export const maxLogoLength = 12_000;

const maxUrlLength = 500;

const isHttps = (value: string) => URL.canParse(value) && new URL(value).protocol === 'https:';
const hasCredentials = (value: string) => new URL(value).username !== '' || new URL(value).password !== '';
const webUrl = z.string().check(
  z.maxLength(maxUrlLength),
  z.refine((value) => isHttps(value) && !hasCredentials(value), 'Input should be a valid https URL'),
);

/** Schemes that cannot be app links, because the browser or another app would handle them. */
const reservedSchemes = new Set(
  'about blob chrome content data file filesystem ftp http intent javascript jar mailto resource sms tel vbscript view-source ws wss'.split(
    ' ',
  ),
);

/** Returns whether a URL is an app link, such as `myapp://wallet`. */
function isAppLink(value: string): boolean {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]{1,60}):\/\/[\x21-\x7e]*$/i.exec(value) ?? [];
  return scheme !== '' && scheme.toLowerCase() !== 'https' && !reservedSchemes.has(scheme.toLowerCase());
}

const returnUrl = z.string().check(
  z.maxLength(maxUrlLength),
  z.refine(
    (value) => (isHttps(value) ? !hasCredentials(value) : isAppLink(value)),
    'Input should be an https URL, or an app link such as myapp://wallet',
  ),
);

/** Origins of mobile apps that show the play page in a web view, as used by Capacitor and Ionic. */
const webViewOrigins = new Set(['capacitor://localhost', 'ionic://localhost']);
const loopback = new Set(['localhost', '127.0.0.1']);

/** Normalizes an origin as browsers do. Returns undefined if the origin must not frame the play page. */
export function normalizedOrigin(typed: string): string | undefined {
  if (webViewOrigins.has(typed)) return typed;
  if (!URL.canParse(typed)) return undefined;
  const { protocol, hostname, origin, href } = new URL(typed);
  const isTrusted = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  // Rejects a `*` in the host, which would be a wildcard in a Content-Security-Policy.
  return isTrusted && href === `${origin}/` && /^[a-z0-9.:[\]/-]+$/.test(origin) ? origin : undefined;
}

const origins = z.string().check(
  z.refine((value) => {
    const all = value.split(' ');
    return all.length <= maxOrigins && all.every((one) => one.length <= 200 && normalizedOrigin(one) === one);
  }, `Input should be at most ${maxOrigins} origins such as https://app.example.com, separated by commas`),
);

const logo = z.string().check(
  z.maxLength(maxLogoLength),
  z.refine(
    (value) =>
      isImageData(value) || (value.length <= maxUrlLength && isHttps(value) && !hasCredentials(value)),
    'Input should be an https URL, or a PNG, JPEG, WebP or SVG image',
  ),
);

const colour = z
  .string()
  .check(z.regex(/^#[0-9a-f]{6}$/, 'Input should be a color as #rrggbb, such as #0a7d4f'));
const printable = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;
const name = text(1, 40).check(z.regex(printable, 'Input should be a line of text'));

const rules = Object.fromEntries(langs.map((lang) => [`rules_url_${lang}`, webUrl])) as Record<
  `rules_url_${(typeof langs)[number]}`,
  typeof webUrl
>;

const fields: Record<keyof PageSettings, z.ZodMiniType<string>> = {
  return_url: returnUrl,
  frame_origins: origins,
  ...rules,
  brand_name: name,
  brand_logo: logo,
  brand_accent: colour,
  brand_accent_text: colour,
  brand_background: colour,
  brand_text: colour,
};

const changes = z.object(
  Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field, z.optional(z.union([z.literal(''), schema]))]),
  ),
);

/**
 * Parses changes to the play page's settings. Empty text removes a setting. Throws a Refusal for an invalid setting.
 */
export function parsePage(input: Record<string, string | undefined>): Partial<PageSettings> {
  const parsed = validate(changes, input) as Partial<PageSettings>;
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));
}
