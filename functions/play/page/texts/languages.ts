import type { Lang } from '../../../../shared/vocabulary.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';

export const textsByLang: Record<Lang, Texts> = { en, es };
