import type { Lang } from '../../../../shared/vocabulary.ts';
import { en, type Texts } from './en.ts';
import { es } from './es.ts';

export const textsOf: Record<Lang, Texts> = { en, es };
