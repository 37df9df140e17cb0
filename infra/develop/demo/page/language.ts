/** Language of the host app, and its texts. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lang, Prize } from '../model.ts';
import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';

const texts: Record<Lang, Texts> = { en, es };

/** Context with the user's language. */
export const Language = createContext<Lang>('en');

/** Returns the user's last choice, or else the browser's language. */
export function firstLanguage(): Lang {
  const kept = localStorage.getItem('lang') ?? navigator.language;
  return kept.startsWith('es') ? 'es' : 'en';
}

/** Returns the language and all its texts. */
export const useTexts = () => {
  const lang = useContext(Language);
  return { lang, t: texts[lang] };
};

/** Replaces each `{name}` in a text by its value. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Returns the singular or plural text for a count. */
export const counted = ({ one, other }: { one: string; other: string }, n: number): string =>
  fill(Math.abs(n) === 1 ? one : other, { n });

/** Returns a prize as text. */
export function prizeText({ prizes }: Texts, prize: Prize): string {
  const [kind, n] = Object.entries(prize)[0] as [keyof Prize, number];
  const text = prizes[kind];
  return typeof text === 'string' ? fill(text, { usd: `$${n}` }) : counted(text, n);
}
