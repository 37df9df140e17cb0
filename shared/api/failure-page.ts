/** The page that players see if Lambda or API Gateway cannot respond with the requested page. */
import type { Refusal } from '../refusals.ts';
import { type Lang, langs } from '../vocabulary.ts';
import { commonHeaders } from './error-answer.ts';

/** `failed`: reloading the page may succeed. `unknown`: no page exists at this URL. */
type Failure = 'failed' | 'unknown';

type Words = { title: string; text: string; button?: string };

export const failureTexts: Record<Lang, Record<Failure, Words>> = {
  en: {
    failed: {
      title: 'Just a moment',
      text: 'The game can’t be shown right now. Your tickets are safe, and so is your play. Please try again.',
      button: 'Try again',
    },
    unknown: {
      title: 'We can’t find this game',
      text: 'The link may be incomplete or out of date. Go back to the app and open the game again.',
    },
  },
  es: {
    failed: {
      title: 'Un momento',
      text: 'No podemos mostrar el juego en este momento. Tus boletos y tu jugada están a salvo. Inténtalo otra vez.',
      button: 'Intentar otra vez',
    },
    unknown: {
      title: 'No encontramos este juego',
      text: 'Puede que el enlace esté incompleto o ya no sirva. Vuelve a la app y abre el juego otra vez.',
    },
  },
};

const css = `*{box-sizing:border-box}html{background:#10182f}
body{margin:0;min-height:100vh;padding:8vh 24px 24px;background:radial-gradient(120% 70% at 50% 0,#24376b,#10182f 75%) #10182f;color:#fff6e2;font:400 1.1rem/1.5 system-ui,sans-serif;text-align:center;overflow-wrap:anywhere;hyphens:auto}
main{max-width:26rem;margin:0 auto}svg{width:84px;height:84px}
h1{margin:16px 0 10px;font:700 2rem/1.1 "Arial Rounded MT Bold",system-ui,sans-serif}p{margin:0}
a{display:block;margin:20px 0 32px;padding:16px 20px;border:2px solid transparent;border-radius:22px;background:linear-gradient(#ffc94a,#ffad12) border-box;box-shadow:0 6px 0 #a86400;color:#1c1533;font-weight:700;font-size:1.35rem;text-decoration:none}
a:focus-visible{outline:3px solid #fff6e2;outline-offset:4px}`;

/** SVG of a signpost, for pages that tell the player that the game cannot be played or shown. */
export const signpostSvg =
  '<svg class="art" viewBox="0 0 120 120" aria-hidden="true"><path d="M56 14h8v98h-8Z" fill="#fff6e2"/><path d="M20 24h64l14 13-14 13H20Z" fill="#ffb31a"/><path d="M100 56H40L26 69l14 13h60Z" fill="#d8343f"/><path d="M34 34h36v6H34Zm16 32h36v6H50Z" fill="#1c1533" opacity=".8"/></svg>';

const section = (lang: Lang, failure: Failure): string => {
  const { title, text, button } = failureTexts[lang][failure];
  const retryLink = button ? `<a href="">${button}</a>` : '';
  return `<section lang="${lang}"><h1>${title}</h1><p>${text}</p>${retryLink}</section>`;
};

export function failurePage(
  failure: Failure,
  lang?: Lang,
): { html: string; headers: Record<string, string> } {
  const shownLangs = lang ? [lang] : langs;
  const title = shownLangs.map((shown) => failureTexts[shown][failure].title).join(' · ');
  // The page must not contain an element `#data`, by which the play page's script recognizes a play page.
  const html = `<!doctype html><html lang="${shownLangs[0]}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover"><meta name="color-scheme" content="dark">
<meta http-equiv="content-security-policy" content="default-src 'none';style-src 'unsafe-inline';img-src data:"><link rel="icon" href="data:,"><style>${css}</style></head>
<body><main>${signpostSvg}${shownLangs.map((shown) => section(shown, failure)).join('')}</main></body></html>`;
  return { html, headers };
}

const headers = {
  ...commonHeaders,
  'content-type': 'text/html; charset=utf-8',
  // Keeps the play URL, which is a credential, out of `Referer` headers.
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/** The page is in all languages, because the player's language is unknown. */
export function failureAnswer({ status, headers: ofRefusal }: Refusal, requestId: string) {
  const { html, headers } = failurePage(status === 404 ? 'unknown' : 'failed');
  return {
    statusCode: status,
    headers: { ...headers, 'x-request-id': requestId, ...ofRefusal },
    body: html,
  };
}
