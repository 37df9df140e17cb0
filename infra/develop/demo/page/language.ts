/** The language of the host app, and its texts. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lang, Prize } from '../shown.ts';
import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';

const texts: Record<Lang, Texts> = { en, es };

/** The language that the user chose. */
export const Language = createContext<Lang>('en');

/** The language that was chosen here before, or else that of the browser. */
export function firstLanguage(): Lang {
  const kept = localStorage.getItem('lang') ?? navigator.language;
  return kept.startsWith('es') ? 'es' : 'en';
}

/** All texts, in the language that the user chose. */
export const useTexts = () => {
  const lang = useContext(Language);
  return { lang, t: texts[lang] };
};

/** A text with what stands for `{name}` in it. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** A text for a number of things. */
export const counted = ({ one, other }: { one: string; other: string }, n: number): string =>
  fill(Math.abs(n) === 1 ? one : other, { n });

/** A prize in words. */
export function prizeText({ prizes }: Texts, prize: Prize): string {
  const [kind, n] = Object.entries(prize)[0] as [keyof Prize, number];
  const text = prizes[kind];
  return typeof text === 'string' ? fill(text, { usd: `$${n}` }) : counted(text, n);
}
