import type { Lang } from '../../../../shared/vocabulary.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';

/** The page's texts in each of its languages. */
export const textsOf: Record<Lang, Texts> = { en, es };
