import * as z from 'zod/mini';
import { currentStage } from '../environment.ts';
import { isImageData } from '../organizations/logo.ts';
import { frameOriginsIn, type PageSettings } from '../organizations/page-settings.ts';
import { type Lang, langs } from '../vocabulary.ts';
import { documented, game, lang, text, url } from './schemas.ts';

/** Maximum number of origins that may embed the play page in a frame. */
export const maxFrameOrigins = 10;

/** Compressed, a logo and other settings fill three blocks of 4 KB: DynamoDB reads them 1,000 times per second. */
export const maxLogoLength = 11_000;

const maxUrlLength = 500;
const loopback = new Set(['localhost', '127.0.0.1']);

const isTrusted = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname) && currentStage() === 'local');
const localHint = 'http://localhost and http://127.0.0.1 are accepted on the local stage only';

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return isTrusted(url) && url.username === '' && url.password === '';
}
const isHttpsUrl = (value: string) => isWebUrl(value) && new URL(value).protocol === 'https:';

/** Schemes that cannot be app links, because the browser or another app would handle them. */
const reservedSchemes = new Set(
  'about blob chrome content data file filesystem ftp http https intent javascript jar mailto resource sms tel vbscript view-source ws wss'.split(
    ' ',
  ),
);

function isAppLink(value: string): boolean {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]{1,60}):\/\/[\x21-\x7e]*$/i.exec(value) ?? [];
  return scheme !== '' && !reservedSchemes.has(scheme.toLowerCase());
}

const webViewOrigins = new Set(['capacitor://localhost', 'ionic://localhost']);

function normalizedOrigin(value: string): string {
  if (webViewOrigins.has(value) || !URL.canParse(value)) return value;
  const { origin, href } = new URL(value);
  return href === `${origin}/` ? origin : value;
}

function isOrigin(value: string): boolean {
  if (webViewOrigins.has(value)) return true;
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  // Rejects a `*` in the host, which would be a wildcard in a Content-Security-Policy.
  return url.origin === value && isTrusted(url) && /^[a-z0-9.:[\]/-]+$/.test(value);
}

const setting = (maxLength: number, is: (value: string) => boolean, error: string, detail?: string) =>
  text(0, maxLength).check(
    z.refine((value) => value === '' || is(value), { error, ...(detail ? { params: { detail } } : {}) }),
  );

const maxOriginLength = 200;
const origin = z.string().check(
  z.maxLength(maxOriginLength),
  z.overwrite(normalizedOrigin),
  // Checks the length again, because browsers spell an international name with more characters.
  z.maxLength(maxOriginLength),
  z.refine(isOrigin, {
    error: 'Input should be an origin such as https://app.example.com',
    params: { detail: localHint },
  }),
);
const printable = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;
const color = text(0, 7).check(
  z.regex(/^(#[0-9a-fA-F]{6})?$/, 'Input should be a color as #rrggbb, such as #0a7d4f'),
  z.toLowerCase(),
);
const isLogo = (value: string) => isImageData(value) || (value.length <= maxUrlLength && isHttpsUrl(value));
const httpsUrl = setting(maxUrlLength, isHttpsUrl, 'Input should be a valid https URL');
const line = (maxLength: number) =>
  text(0, maxLength).check(z.regex(printable, 'Input should be a line of text'));
/** Keywords of JSON Schema for a setting that is a URL or empty. */
const urlOrEmpty = { anyOf: [{ format: 'uri' }, { maxLength: 0 }] };
const ofLangs = <N extends string, T extends z.ZodMiniType>(name: N, make: (lang: Lang) => T) =>
  Object.fromEntries(langs.map((lang) => [`${name}_${lang}`, make(lang)])) as Record<`${N}_${Lang}`, T>;
const urls = (name: 'rules_url' | 'free_entry_url', what: string) =>
  ofLangs(name, (lang) =>
    documented(z.clone(httpsUrl), { ...urlOrEmpty, description: `https URL of ${what} in \`${lang}\`` }),
  );
const colorOf = (what: string) => documented(z.clone(color), { description: `Color of ${what}` });

/** Schemas of the settings. An empty value means the default. */
const fields = {
  return_url: documented(
    setting(
      maxUrlLength,
      (value) => isWebUrl(value) || isAppLink(value),
      'Input should be an https URL, or an app link such as myapp://wallet',
      localHint,
    ),
    {
      ...urlOrEmpty,
      description:
        'Target of the button that leads back to you: an https URL, or a link such as `myapp://wallet`',
    },
  ),
  frame_origins: documented(z.array(origin).check(z.maxLength(maxFrameOrigins)), {
    description:
      'Origins that may frame the page and get its messages. If empty, every origin may frame the page, ' +
      'and none gets messages',
  }),
  ...urls('rules_url', 'your official rules, unless a promotion names its own,'),
  ...ofLangs('free_entry', (lang) =>
    documented(line(200), {
      description: `How to enter for free in \`${lang}\`, shown near the button; by default it points to the rules`,
    }),
  ),
  ...urls('free_entry_url', 'your free entry'),
  brand_name: documented(line(40), {
    description: 'Your name, shown above the game',
  }),
  brand_logo: documented(
    setting(maxLogoLength, isLogo, 'Input should be an https URL, or a PNG, JPEG, WebP or SVG image'),
    {
      ...urlOrEmpty,
      description:
        'An https URL, or a PNG, JPEG, WebP or SVG image of up to 8 KB as a data URL in base64. Needs a `brand_name`',
    },
  ),
  brand_accent: colorOf('buttons, as `#rrggbb`'),
  brand_accent_text: colorOf("buttons' text; by default a readable one"),
  brand_background: colorOf('the page'),
  brand_text: colorOf("the page's text; by default a readable one"),
} satisfies Record<keyof PageSettings, z.ZodMiniType>;

/** A preview of the play page. Opening `url` plays nothing. */
export const pagePreview = z.object({ game, lang, url });
export const pageSettingsSchema = z.object(fields);
/** A setting that is left out stays the same. */
export const pageChanges = z.partial(pageSettingsSchema);

export const pageSettingsOf = ({
  frame_origins,
  ...rest
}: z.output<typeof pageChanges>): Partial<PageSettings> =>
  Object.fromEntries(
    Object.entries({ ...rest, frame_origins: frame_origins && [...new Set(frame_origins)].join(' ') }).filter(
      ([, value]) => value !== undefined,
    ),
  );

export const pageFieldsOf = (page: PageSettings): z.output<typeof pageSettingsSchema> => ({
  ...page,
  frame_origins: frameOriginsIn(page),
});
