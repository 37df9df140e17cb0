import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Lang, Prize } from '../model.ts';
import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';

const texts: Record<Lang, Texts> = { en, es };

export const LanguageContext = createContext<Lang>('en');

/** Returns the language of an earlier visit, or else of the browser. */
export function initialLanguage(): Lang {
  const kept = localStorage.getItem('lang') ?? navigator.language;
  return kept.startsWith('es') ? 'es' : 'en';
}

export const useTexts = () => {
  const lang = useContext(LanguageContext);
  return { lang, t: texts[lang] };
};

export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

export const countText = ({ one, other }: { one: string; other: string }, n: number): string =>
  fill(Math.abs(n) === 1 ? one : other, { n });

export function prizeText({ prizes }: Texts, prize: Prize): string {
  const [kind, n] = Object.entries(prize)[0] as [keyof Prize, number];
  const text = prizes[kind];
  return typeof text === 'string' ? fill(text, { usd: `$${n}` }) : countText(text, n);
}
